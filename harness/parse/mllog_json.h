#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/model/mllog_record.h"
#include "harness/parse/json_scanner.h"

// The JSON object of one `:::MLLOG` record, from text to fields. Knows no line, no token and no
// file.

namespace harness::parse {

/// What `time_ms` was. `none`: missing or neither a number nor a string. `other_text`: a string
/// that is no number.
enum class TimeStamp { none, number, numeric_text, other_text };

/// What was found behind a token. Where `stop` is not none the record holds nothing of use.
struct MllogReading {
  JsonStop stop = JsonStop::none;
  bool is_object = true;
  std::size_t bytes = 0;  ///< length of the object; where `stop` is set: how far it could be read
  TimeStamp time_stamp = TimeStamp::none;
  bool has_key = false;
  bool has_value = false;
};

/// Keeps its buffers between records, so that ordinary ones cost no allocation.
class MllogJson {
 public:
  /// Reads the object at the front of `text` into `record` (all fields but `line`); text behind it
  /// is not looked at. A key that occurs twice counts as its last occurrence, as Python's json
  /// module reads it. time_ms: milliseconds, rounded; beyond ±2^53 it is none.
  MllogReading read(std::string_view text, model::MllogRecord& record);

 private:
  std::string scratch_;
};

}  // namespace harness::parse
