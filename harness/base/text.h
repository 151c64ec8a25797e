#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Text for people: both languages, safe quoting of foreign bytes, column widths. Knows no domain
// word.

namespace harness::base {

enum class Language { en, zh };

/// One sentence in both languages. Both are always filled.
struct Text {
  std::string en;
  std::string zh;

  const std::string& in(Language language) const { return language == Language::zh ? zh : en; }
  bool empty() const { return en.empty(); }
};

/// The same words in both languages: names, numbers, paths, raw log lines.
Text same_in_both(std::string words);

/// `bytes` as valid UTF-8 that is safe on a terminal, in JSON and in XML: broken sequences become
/// U+FFFD, control characters (ESC, NUL, CR …, U+0080–U+009F) and bidirectional overrides become
/// \xNN or \uNNNN. At most `limit_bytes` of the input are shown; a cut is marked with "…".
std::string printable(std::string_view bytes, std::size_t limit_bytes = 4096);

/// True when `bytes` is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates).
bool is_valid_utf8(std::string_view bytes);

/// Columns that `text` (valid UTF-8) takes on a terminal: 2 for East Asian wide characters, 0 for
/// combining marks. Source: Unicode TR11; the ranges of Chinese, Japanese, Korean and full-width
/// forms.
std::size_t display_width(std::string_view text);

/// `text` padded with spaces on the right (or left) to `width` columns; longer text is returned
/// unchanged.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// `text` (valid UTF-8) in rows of at most `width` columns, broken at spaces where there are some
/// and between wide characters; a longer word is kept whole. At least one row.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// The candidate nearest to `word` by edit distance, or empty when none is near enough to be a
/// likely slip (more than a third of the letters differ).
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Parts of `text` between `separator`; "a,,b" has three, "" has one empty part.
std::vector<std::string> split(std::string_view text, char separator);

/// `parts` with `separator` between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

std::string_view trim(std::string_view text);

}  // namespace harness::base
