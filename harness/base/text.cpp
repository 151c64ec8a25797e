#include "harness/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace harness::base {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;
};

struct Utf8Lead {
  std::size_t bytes;
  char32_t bits;
  char32_t smallest;  ///< below it the form is overlong
};

std::optional<Utf8Lead> lead_of(unsigned char byte) {
  if (byte < 0x80) {
    return Utf8Lead{1, byte, 0};
  }
  if ((byte & 0xE0U) == 0xC0U) {
    return Utf8Lead{2, byte & 0x1FU, 0x80};
  }
  if ((byte & 0xF0U) == 0xE0U) {
    return Utf8Lead{3, byte & 0x0FU, 0x800};
  }
  if ((byte & 0xF8U) == 0xF0U) {
    return Utf8Lead{4, byte & 0x07U, 0x10000};
  }
  return std::nullopt;
}

/// The code point at the front of `bytes`, or nothing when it is not well-formed.
std::optional<CodePoint> decode_front(std::string_view bytes) {
  const auto lead = lead_of(static_cast<unsigned char>(bytes.front()));
  if (!lead || bytes.size() < lead->bytes) {
    return std::nullopt;
  }
  char32_t value = lead->bits;
  for (std::size_t i = 1; i < lead->bytes; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte & 0xC0U) != 0x80U) {
      return std::nullopt;
    }
    value = (value << 6U) | (byte & 0x3FU);
  }
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < lead->smallest || value > 0x10FFFF || is_surrogate) {
    return std::nullopt;
  }
  return CodePoint{value, lead->bytes};
}

bool is_control_or_override(char32_t value) {
  const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0);
  const bool bidirectional = (value >= 0x202A && value <= 0x202E) ||
                             (value >= 0x2066 && value <= 0x2069) || value == 0x200E ||
                             value == 0x200F || value == 0x061C;
  const bool separator_or_nonchar = value == 0x2028 || value == 0x2029 || value >= 0xFFFE;
  const bool forbidden_plane_end = (value & 0xFFFEU) == 0xFFFEU;
  return control || bidirectional ||
         (separator_or_nonchar && (value < 0x10000 || forbidden_plane_end));
}

void append_escaped(std::string& out, char32_t value) {
  if (value == U'\t') {
    out += ' ';
  } else if (value < 0x100) {
    out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(value));
  } else {
    out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(value));
  }
}

struct WideRange {
  char32_t first;
  char32_t last;
};
constexpr std::array kWideRanges{
    WideRange{0x1100, 0x115F},   WideRange{0x2E80, 0x303E},   WideRange{0x3041, 0x33FF},
    WideRange{0x3400, 0x4DBF},   WideRange{0x4E00, 0x9FFF},   WideRange{0xA000, 0xA4CF},
    WideRange{0xAC00, 0xD7A3},   WideRange{0xF900, 0xFAFF},   WideRange{0xFE30, 0xFE6F},
    WideRange{0xFF00, 0xFF60},   WideRange{0xFFE0, 0xFFE6},   WideRange{0x1F300, 0x1F64F},
    WideRange{0x1F900, 0x1F9FF}, WideRange{0x20000, 0x3FFFD},
};

std::size_t columns_of(char32_t value) {
  if (value >= 0x0300 && value <= 0x036F) {
    return 0;
  }
  const bool wide = std::ranges::any_of(
      kWideRanges, [value](const WideRange& r) { return value >= r.first && value <= r.last; });
  return wide ? 2 : 1;
}

/// Optimal string alignment: insert, delete, substitute and swap of two neighbours cost 1 each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    cost[i][0] = i;
  }
  std::iota(cost[0].begin(), cost[0].end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, substituted});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      cost[i][j] = is_swap ? std::min(cost[i][j], cost[i - 2][j - 2] + 1) : cost[i][j];
    }
  }
  return cost[a.size()][b.size()];
}

/// A piece of text that a row break never cuts: one wide character, or a word with the space behind
/// it.
struct Unit {
  std::size_t bytes = 0;
  std::size_t columns = 0;
  std::size_t visible_columns = 0;  ///< without that space
};

Unit front_unit(std::string_view text) {
  Unit unit;
  while (unit.bytes < text.size()) {
    const auto point = decode_front(text.substr(unit.bytes)).value_or(CodePoint{U'?', 1});
    const bool is_wide = columns_of(point.value) == 2;
    if (unit.bytes > 0 && is_wide) {
      break;
    }
    unit.bytes += point.bytes;
    unit.columns += columns_of(point.value);
    unit.visible_columns += point.value == U' ' ? 0 : columns_of(point.value);
    if (is_wide || point.value == U' ') {
      break;
    }
  }
  return unit;
}

}  // namespace

Text same_in_both(std::string words) {
  Text text{words, {}};
  text.zh = std::move(words);
  return text;
}

std::string printable(std::string_view bytes, std::size_t limit_bytes) {
  const bool is_cut = bytes.size() > limit_bytes;
  std::string_view rest = bytes.substr(0, limit_bytes);
  std::string out;
  out.reserve(rest.size());
  while (!rest.empty()) {
    const auto point = decode_front(rest);
    if (!point) {
      out += "\xEF\xBF\xBD";
      rest.remove_prefix(1);
      continue;
    }
    if (is_control_or_override(point->value)) {
      append_escaped(out, point->value);
    } else {
      out += rest.substr(0, point->bytes);
    }
    rest.remove_prefix(point->bytes);
  }
  return is_cut ? out + "…" : out;
}

bool is_valid_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto point = decode_front(bytes);
    if (!point) {
      return false;
    }
    bytes.remove_prefix(point->bytes);
  }
  return true;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const auto point = decode_front(text);
    width += point ? columns_of(point->value) : 1;
    text.remove_prefix(point ? point->bytes : 1);
  }
  return width;
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(text) + std::string(width > own ? width - own : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(width > own ? width - own : 0, ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> rows;
  std::string row;
  std::size_t row_width = 0;
  while (!text.empty()) {
    const Unit unit = front_unit(text);
    if (row_width > 0 && row_width + unit.visible_columns > width) {
      rows.emplace_back(trim(row));
      row.clear();
      row_width = 0;
    }
    const bool is_leading_space = row.empty() && text.front() == ' ';
    if (!is_leading_space) {
      row += text.substr(0, unit.bytes);
      row_width += unit.columns;
    }
    text.remove_prefix(unit.bytes);
  }
  rows.emplace_back(trim(row));
  return rows;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word.substr(0, 200), candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, start)) {
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.emplace_back(text.substr(start));
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += i == 0 ? std::string_view{} : separator;
    out += parts[i];
  }
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

}  // namespace harness::base
