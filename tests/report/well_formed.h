#pragma once

#include <string>
#include <string_view>
#include <vector>

// A small check of XML: tags nest and close, attributes are quoted, "&" starts an entity. It reads
// what our charts write; it is no parser of everything.

namespace harness::report {

/// Empty when `text` is well-formed, otherwise what is wrong.
inline std::string xml_problem(std::string_view text) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      if (end == std::string_view::npos || end - at > 7) {
        return "bare & at " + std::to_string(at);
      }
    }
    if (text[at] == '>') {
      return "bare > at " + std::to_string(at);
    }
    if (text[at] != '<') {
      continue;
    }
    std::size_t end = at + 1;
    bool is_quoted = false;
    while (end < text.size() && (is_quoted || text[end] != '>')) {
      if (text[end] == '<') {
        return "< within a tag at " + std::to_string(end);
      }
      is_quoted = text[end] == '"' ? !is_quoted : is_quoted;
      ++end;
    }
    if (end == text.size()) {
      return "tag without end at " + std::to_string(at);
    }
    const std::string_view tag = text.substr(at + 1, end - at - 1);
    const std::string name(tag.substr(0, tag.find_first_of(" /", 1)));
    if (tag.starts_with('/')) {
      if (open.empty() || "/" + open.back() != name) {
        return "unexpected <" + std::string(tag) + ">";
      }
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

}  // namespace harness::report
