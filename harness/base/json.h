#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/text.h"

// JSON as read from outside: a small tree in which every value knows its line, so that an error can
// name it.

namespace harness::base {

enum class JsonKind { null, boolean, integer, number, string, array, object };

struct JsonNode {
  JsonKind kind = JsonKind::null;
  bool boolean = false;
  double number = 0;   ///< also filled for integer; always finite
  std::string string;  ///< valid UTF-8
  // NOLINTBEGIN(readability-redundant-member-init): clang wants the braces while JsonNode is
  // incomplete
  std::vector<JsonNode> items{};
  std::vector<std::pair<std::string, JsonNode>>
      members{};  ///< in the order of the file, keys unique
  // NOLINTEND(readability-redundant-member-init)
  std::size_t line = 1;  ///< counts from 1; for a member: the line of its key

  /// The member named `key`, or nullptr; also when this is no object.
  const JsonNode* find(std::string_view key) const;
  bool is_number() const { return kind == JsonKind::integer || kind == JsonKind::number; }
};

/// "a string", "a number", "null", … for messages.
Text kind_text(JsonKind kind);

/// The JSON document in `content`. Comments (// and /* */) and a UTF-8 byte order mark are
/// tolerated; a key that occurs twice in one object, a nesting deeper than 64, more than 4096 keys
/// in one object, NaN or Infinity, a number beyond double, text behind the document and bytes that
/// are not UTF-8 are refused. Errors: usage, naming `name`:line and what is wrong there.
JsonNode parse_json(std::string_view content, const std::string& name);

}  // namespace harness::base
