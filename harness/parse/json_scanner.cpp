#include "harness/parse/json_scanner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace harness::parse {
namespace {

/// Marks the bytes of `eight` that end the plain part of a string (quote, backslash, control
/// characters) by their highest bit. Exact up to the first marked byte. Source: Bit Twiddling
/// Hacks, "Determine if a word has a byte less than n".
constexpr std::uint64_t special_bytes(std::uint64_t eight) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighs = 0x8080808080808080U;
  const std::uint64_t quote = eight ^ (kOnes * '"');
  const std::uint64_t backslash = eight ^ (kOnes * '\\');
  return (((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) |
          ((eight - (kOnes * 0x20U)) & ~eight)) &
         kHighs;
}

/// The first special byte of [at, end), or end.
const char* plain_end(const char* at, const char* end) {
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest one");
  for (; end - at >= 8; at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, sizeof eight);
    if (const std::uint64_t special = special_bytes(eight); special != 0) {
      return at + (std::countr_zero(special) / 8);
    }
  }
  return std::find_if(
      at, end, [](char c) { return special_bytes(static_cast<unsigned char>(c)) % 0x100 != 0; });
}

void append_utf8(std::string& out, char32_t point) {
  const auto byte = [](char32_t bits) {
    return static_cast<char>(static_cast<unsigned char>(bits));
  };
  if (point < 0x80) {
    out += byte(point);
  } else if (point < 0x800) {
    out += {byte(0xC0U | (point >> 6U)), byte(0x80U | (point & 0x3FU))};
  } else if (point < 0x10000) {
    out += {byte(0xE0U | (point >> 12U)), byte(0x80U | ((point >> 6U) & 0x3FU)),
            byte(0x80U | (point & 0x3FU))};
  } else {
    out += {byte(0xF0U | (point >> 18U)), byte(0x80U | ((point >> 12U) & 0x3FU)),
            byte(0x80U | ((point >> 6U) & 0x3FU)), byte(0x80U | (point & 0x3FU))};
  }
}

constexpr bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
constexpr bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

/// What `\c` stands for, or NUL when it is no escape.
char simple_escape(char c) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t index = kLetters.find(c);
  return index == std::string_view::npos ? '\0' : kMeanings[index];
}

}  // namespace

bool JsonScanner::fail(JsonStop why) {
  stop_ = at_ == end_ && why == JsonStop::broken ? JsonStop::cut_short : why;
  return false;
}

bool JsonScanner::enter(char opening) {
  if (depth_ == kDepthLimit) {
    return fail(JsonStop::too_deep);
  }
  if (!take(opening)) {
    return false;
  }
  ++depth_;
  return true;
}

bool JsonScanner::leave(char closing) {
  --depth_;
  return take(closing);
}

bool JsonScanner::take_word(std::string_view word) {
  skip_space();
  for (const char expected : word) {
    if (at_ == end_ || *at_ != expected) {
      return fail(JsonStop::broken);
    }
    ++at_;
  }
  return true;
}

std::optional<std::string_view> JsonScanner::read_string() {
  if (!take('"')) {
    return std::nullopt;
  }
  const char* start = at_;
  at_ = plain_end(at_, end_);
  if (at_ == end_ || *at_ != '"') {
    return read_escaped_string(start);
  }
  const std::string_view content(start, static_cast<std::size_t>(at_ - start));
  ++at_;
  return content;
}

std::optional<std::string_view> JsonScanner::read_escaped_string(const char* start) {
  scratch_.assign(start, at_);
  while (at_ != end_ && *at_ == '\\') {
    ++at_;
    if (!append_escape()) {
      return std::nullopt;
    }
    const char* plain = at_;
    at_ = plain_end(at_, end_);
    scratch_.append(plain, at_);
  }
  if (at_ == end_ || *at_ != '"') {
    fail(JsonStop::broken);
    return std::nullopt;
  }
  ++at_;
  return scratch_;
}

bool JsonScanner::append_escape() {
  if (at_ == end_) {
    return fail(JsonStop::broken);
  }
  if (*at_ != 'u') {
    const char meaning = simple_escape(*at_);
    if (meaning == '\0') {
      return fail(JsonStop::broken);
    }
    scratch_ += meaning;
    ++at_;
    return true;
  }
  const std::optional<char32_t> unit = read_hex4();
  if (!unit) {
    return fail(JsonStop::broken);
  }
  char32_t point = *unit;
  if (is_high_surrogate(point) && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
    const char* before_second = at_;
    ++at_;
    const std::optional<char32_t> second = read_hex4();
    if (second && is_low_surrogate(*second)) {
      point = 0x10000U + ((point - 0xD800U) << 10U) + (*second - 0xDC00U);
    } else {
      at_ = before_second;
    }
  }
  const bool is_lone = is_high_surrogate(point) || is_low_surrogate(point);
  append_utf8(scratch_, is_lone ? 0xFFFD : point);
  return true;
}

/// Reads "uXXXX"; on failure stays at the byte that is no digit.
std::optional<char32_t> JsonScanner::read_hex4() {
  ++at_;
  std::array<char, 4> digits{};
  for (char& digit : digits) {
    if (at_ == end_) {
      return std::nullopt;
    }
    digit = *at_;
    std::uint32_t ignored = 0;
    if (std::from_chars(&digit, &digit + 1, ignored, 16).ec != std::errc{}) {
      return std::nullopt;
    }
    ++at_;
  }
  std::uint32_t unit = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  return unit;
}

bool JsonScanner::take_digits() {
  const char* start = at_;
  at_ = std::find_if_not(at_, end_, [](char c) { return c >= '0' && c <= '9'; });
  return at_ != start || fail(JsonStop::broken);
}

std::optional<std::string_view> JsonScanner::read_number() {
  skip_space();
  const char* start = at_;
  const auto take_if = [this](char a, char b) {
    const bool is_there = at_ != end_ && (*at_ == a || *at_ == b);
    at_ += is_there ? 1 : 0;
    return is_there;
  };
  take_if('-', '-');
  if (!take_if('0', '0') && !take_digits()) {
    return std::nullopt;
  }
  if (take_if('.', '.') && !take_digits()) {
    return std::nullopt;
  }
  if (take_if('e', 'E')) {
    take_if('+', '-');
    if (!take_digits()) {
      return std::nullopt;
    }
  }
  return std::string_view(start, static_cast<std::size_t>(at_ - start));
}

bool JsonScanner::skip_array() {
  if (!enter('[')) {
    return false;
  }
  if (peek() == ']') {
    return leave(']');
  }
  do {
    if (!skip_value()) {
      return false;
    }
  } while (take_comma());
  return leave(']');
}

std::optional<std::string_view> JsonScanner::read_raw() {
  skip_space();
  const char* start = at_;
  if (!skip_value()) {
    return std::nullopt;
  }
  return std::string_view(start, static_cast<std::size_t>(at_ - start));
}

bool JsonScanner::skip_value() {
  switch (peek()) {
    case '"':
      return read_string().has_value();
    case '{':
      return read_object([this](std::string_view) { return skip_value(); });
    case '[':
      return skip_array();
    case 'n':
      return take_word("null");
    case 't':
      return take_word("true");
    case 'f':
      return take_word("false");
    case 'N':
      return take_word("NaN");
    case 'I':
      return take_word("Infinity");
    case '-':
      if (end_ - at_ > 1 && at_[1] == 'I') {
        return take_word("-Infinity");
      }
      return read_number().has_value();
    default:
      return read_number().has_value();
  }
}

}  // namespace harness::parse
