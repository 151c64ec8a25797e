#include "harness/parse/text_encoding.h"

#include <cstddef>

namespace harness::parse {
namespace {

constexpr std::string_view kLittleEndian = "UTF-16 LE";
constexpr std::string_view kBigEndian = "UTF-16 BE";
constexpr std::size_t kFewestPairs = 4;

}  // namespace

std::optional<std::string_view> foreign_encoding(std::string_view head) {
  if (head.starts_with("\xFF\xFE")) {
    return kLittleEndian;
  }
  if (head.starts_with("\xFE\xFF")) {
    return kBigEndian;
  }
  const std::size_t pairs = head.size() / 2;
  std::size_t nul_first = 0;
  std::size_t nul_second = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    nul_first += head[2 * i] == '\0' ? 1 : 0;
    nul_second += head[(2 * i) + 1] == '\0' ? 1 : 0;
  }
  const auto is_nearly_all = [pairs](std::size_t count) { return count * 10 >= pairs * 7; };
  if (pairs < kFewestPairs || (nul_first > 0 && nul_second > 0)) {
    return std::nullopt;
  }
  if (is_nearly_all(nul_second)) {
    return kLittleEndian;
  }
  return is_nearly_all(nul_first) ? std::optional(kBigEndian) : std::nullopt;
}

}  // namespace harness::parse
