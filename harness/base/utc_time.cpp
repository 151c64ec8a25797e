#include "harness/base/utc_time.h"

#include <cmath>
#include <cstdint>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace harness::base {
namespace {

std::tm utc_parts(std::chrono::system_clock::time_point time) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(time));
}

}  // namespace

std::string to_rfc3339(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc_parts(time));
}

std::string to_compact_utc(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y%m%d-%H%M%S}", utc_parts(time));
}

std::string to_duration_text(double seconds) {
  if (!std::isfinite(seconds)) {
    return "?";
  }
  const char* sign = seconds < 0 ? "-" : "";
  const double size = std::fabs(seconds);
  if (size < 60) {
    return fmt::format("{}{:.1f} s", sign, size);
  }
  const auto whole = static_cast<std::int64_t>(std::llround(size));
  const std::int64_t hours = whole / 3600;
  const std::int64_t minutes = whole / 60 % 60;
  return hours > 0 ? fmt::format("{}{} h {:02} min {:02} s", sign, hours, minutes, whole % 60)
                   : fmt::format("{}{} min {:02} s", sign, minutes, whole % 60);
}

}  // namespace harness::base
