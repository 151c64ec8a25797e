#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/json.h"
#include "harness/base/text.h"

// Takes typed values out of a JSON document of ours; every complaint names file, line, place in the
// document and what to do. Knows no suite, no machine profile, no file system.

namespace harness::model {

/// What all complaints about one document begin with.
struct JsonDocument {
  std::string path;  ///< of the file
  base::Text tried;  ///< "read the suite"
};

/// "did you mean …?" when a known word is near, else the list of them.
base::Text suggestion(std::string_view word, const std::vector<std::string>& known);

/// One value of a document. Every read_… throws usage when the value is of another type or shape.
class JsonReader {
 public:
  /// The value `node`, which stands at `place` ("criteria[1].limit"; empty: the document itself).
  /// `node` and `document` must outlive the reader.
  JsonReader(const base::JsonNode& node, const JsonDocument& document, std::string place = {});

  // Objects.
  /// Refuses a value that is no object and every key that is not in `known`.
  void expect_keys(const std::vector<std::string>& known) const;
  /// Refuses any "schema" but "FAMILY/VERSION"; a newer version is told apart from a wrong file.
  void expect_schema(std::string_view family, int version) const;
  /// The member `key`; refuses when it is not there.
  JsonReader member(std::string_view key) const;
  std::optional<JsonReader> find(std::string_view key) const;
  /// All members in the order of the file.
  std::vector<std::pair<std::string, JsonReader>> members() const;

  // Lists.
  std::vector<JsonReader> items() const;
  /// As items; refuses an empty list.
  std::vector<JsonReader> some_items() const;

  // Values.
  bool read_boolean() const;
  double read_number() const;
  /// Greater than 0, and at most `highest` where that is given.
  double read_positive(std::optional<double> highest = std::nullopt) const;
  /// A number without a fraction, `lowest` … `highest`; 8.0 is one.
  int read_whole_number(int lowest, int highest) const;
  /// Any text without NUL; may be empty.
  std::string read_string() const;
  /// Words for people on one line: not empty, no control characters, no bidirectional overrides.
  std::string read_label() const;
  /// {"en": …, "zh": …}, or one label for both.
  base::Text read_text() const;
  /// [a-z0-9][a-z0-9_-]{0,63}: safe in a path, a URL, a metric label.
  std::string read_name() const;
  /// One of `known`.
  std::string read_word(const std::vector<std::string>& known) const;

  /// Errors: always usage, at this value.
  [[noreturn]] void refuse(const base::Text& happened, base::Text next) const;
  const std::string& place() const { return place_; }

 private:
  void expect_kind(base::JsonKind kind, const base::Text& next) const;
  JsonReader child(std::string_view key, const base::JsonNode& node) const;

  const base::JsonNode* node_;
  const JsonDocument* document_;
  std::string place_;
};

/// True for [a-z0-9][a-z0-9_-]{0,63}.
bool is_name(std::string_view word);

}  // namespace harness::model
