#include "harness/parse/recognize.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "harness/parse/text_encoding.h"

namespace harness::parse {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

std::string_view skip_white_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
}

/// `text` behind a byte order mark, white space and the comments that parse_json tolerates.
std::string_view behind_comments(std::string_view text) {
  text = skip_white_space(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text);
  while (text.starts_with("//") || text.starts_with("/*")) {
    const std::string_view closing = text.starts_with("//") ? "\n" : "*/";
    const std::size_t end = text.find(closing, 2);
    text = end == std::string_view::npos ? std::string_view{}
                                         : skip_white_space(text.substr(end + closing.size()));
  }
  return text;
}

/// A token with a record behind it. Inside a JSON string the quote would be escaped.
bool holds_record(std::string_view head) {
  constexpr std::string_view kToken = ":::MLLOG ";
  for (std::size_t at = head.find(kToken); at != std::string_view::npos;
       at = head.find(kToken, at + 1)) {
    const std::string_view behind = skip_white_space(head.substr(at + kToken.size()));
    if (behind.starts_with('{') && skip_white_space(behind.substr(1)).starts_with('"')) {
      return true;
    }
  }
  return false;
}

/// UTF-16 text of which the letters are ASCII, without its NULs.
std::string without_nuls(std::string_view head) {
  std::string letters(head);
  std::erase(letters, '\0');
  return letters;
}

bool is_mllog(std::string_view head) {
  if (foreign_encoding(head.substr(0, 64))) {
    return without_nuls(head).find(":::MLL") != std::string::npos;
  }
  const bool is_json = behind_comments(head).starts_with('{');
  return holds_record(head) || (!is_json && head.find(":::MLL") != std::string_view::npos);
}

bool is_results_json(std::string_view head) {
  return behind_comments(head).starts_with('{') &&
         head.find("\"performance\"") != std::string_view::npos;
}

struct Format {
  ArtifactKind kind;
  bool (*is_in)(std::string_view head);
};

/// The registry: a new format is one line here and its own parser. The first that applies wins, so
/// the more particular mark stands first.
constexpr std::array kFormats{
    Format{ArtifactKind::mllog, is_mllog},
    Format{ArtifactKind::results_json, is_results_json},
};

}  // namespace

ArtifactKind recognize(std::string_view head) {
  const std::string_view front = head.substr(0, kRecognizeBytes);
  const auto* const found =
      std::ranges::find_if(kFormats, [front](const Format& format) { return format.is_in(front); });
  return found == kFormats.end() ? ArtifactKind::unknown : found->kind;
}

}  // namespace harness::parse
