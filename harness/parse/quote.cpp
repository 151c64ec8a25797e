#include "harness/parse/quote.h"

#include <cstddef>

#include "harness/base/text.h"

namespace harness::parse {
namespace {

constexpr std::size_t kLimitBytes = 160;
constexpr std::size_t kTailBytes = 50;
constexpr std::string_view kGap = " … ";

/// `text` cut to the limit between two characters.
std::string cut(std::string text) {
  if (text.size() <= kLimitBytes) {
    return text;
  }
  std::size_t end = kLimitBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  text.resize(end);
  return text;
}

}  // namespace

std::string quote(std::string_view raw) {
  if (raw.size() <= kLimitBytes) {
    return cut(base::printable(raw));
  }
  const std::string_view front = raw.substr(0, kLimitBytes - kTailBytes - kGap.size());
  const std::string_view tail = raw.substr(raw.size() - kTailBytes);
  return cut(base::printable(front) + std::string(kGap) +
             base::printable(tail));  // escapes may make it longer
}

}  // namespace harness::parse
