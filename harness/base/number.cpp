#include "harness/base/number.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

namespace harness::base {
namespace {

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.empty()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const auto value = parse_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::string format_number(double value) {
  if (!std::isfinite(value)) {
    return "?";
  }
  const double size = std::fabs(value);
  const bool is_everyday = value == 0.0 || (size >= 1e-4 && size < 1e15);
  if (!is_everyday) {
    return fmt::format("{}", value);
  }
  std::string text = fmt::format("{}", value);
  if (text.ends_with(".0")) {
    text.resize(text.size() - 2);
  }
  return text;
}

std::string format_significant(double value, int digits) {
  if (!std::isfinite(value)) {
    return "?";
  }
  if (value == 0.0) {
    return "0";
  }
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  if (magnitude < -5 || magnitude > 15) {
    return fmt::format("{:.{}g}", value, digits);
  }
  const int decimals = digits - 1 - magnitude;
  return fmt::format("{:.{}f}", value, decimals > 0 ? decimals : 0);
}

std::string format_figure(double value) {
  const bool is_whole = std::isfinite(value) && value == std::trunc(value);
  return format_number(is_whole ? value
                                : parse_number(fmt::format("{:.7g}", value)).value_or(value));
}

std::string with_unit(double value, std::string_view unit) {
  return unit.empty() ? format_figure(value) : fmt::format("{} {}", format_figure(value), unit);
}

}  // namespace harness::base
