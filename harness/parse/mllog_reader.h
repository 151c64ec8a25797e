#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "harness/model/measurement.h"
#include "harness/model/mllog_record.h"
#include "harness/parse/mllog_json.h"

// Finds the `:::MLLOG` records in a training log, in constant memory and however the bytes are cut.
// Knows the form of a line and of a record, not what a key means.

namespace harness::parse {

/// Over the whole log, exact.
struct MllogCounts {
  std::size_t line_count = 0;
  std::size_t record_count = 0;  ///< records given to the observer
  std::size_t malformed_count =
      0;  ///< records that were unreadable or lacked a part every record has
  std::size_t old_format_count = 0;  ///< `:::MLL ` lines of MLPerf v0.6 and older
  std::size_t oversize_count = 0;    ///< lines over the limit, skipped
};

struct MllogObserver {
  /// The record is reused: copy what is to be kept.
  std::function<void(const model::MllogRecord&)> on_record;
  /// One call per issue, in the order of the lines; a flood of bad lines is a flood of calls.
  std::function<void(model::Issue)> on_issue;
};

/// The grammar is that of mlcommons/logging 4.1 (mlp_parser/ruleset_300.py), where it does not lose
/// records: a line ends with LF, CRLF or a lone CR; a record is `:::MLLOG`, a space and one JSON
/// object; text before it is dropped, text behind the last object of a line makes that record
/// malformed. Unlike there, all records of a line are read, and a record without time_ms, value or
/// metadata is both given to the observer and counted as malformed.
class MllogReader {
 public:
  static constexpr std::size_t kLineLimitBytes = std::size_t{1} << 20U;

  /// `artifact` names the log in issues.
  MllogReader(std::string artifact, MllogObserver observer);

  /// The next bytes of the log. Every line that ends in them is read before this returns.
  void feed(std::string_view bytes);

  /// The log is complete: reads a last line without line end. Call once; feed nothing afterwards.
  void finish();

  const MllogCounts& counts() const { return counts_; }

 private:
  /// A record that the end of its line cut; the next line may hold the rest and is shown with it.
  struct CutRecord {
    bool is_waiting = false;
    std::size_t line = 0;
    std::string text;
  };

  void keep_head(std::string_view bytes);
  void keep_partial(std::string_view bytes);
  void end_line(std::string_view tail);
  void read_line(std::string_view line);
  void skip_oversize_line(std::string_view front);
  std::size_t read_record(std::string_view line, std::size_t token);
  void give(const MllogReading& reading, std::string_view text);
  void note_harmless(const MllogReading& reading, std::string_view text);
  void count_old_format(std::string_view text);
  void hold_cut(std::string_view text);
  void release_cut(std::string_view next_line);
  void report_nothing_known();
  void malformed(base::Text reason, std::string_view text);
  void report(model::IssueKind kind, std::size_t line, base::Text reason, std::string_view text);

  std::string artifact_;
  MllogObserver observer_;
  MllogCounts counts_;
  MllogJson json_;
  model::MllogRecord record_;
  std::string partial_;       ///< the front of a line whose end has not come yet
  bool is_oversize_ = false;  ///< of that line: more bytes came than the limit and were dropped
  bool after_cr_ = false;  ///< a line feed that comes next belongs to the carriage return before it
  CutRecord cut_;
  std::array<char, 64> head_{};  ///< the first bytes of the log, which tell its encoding
  std::size_t head_size_ = 0;
  // Harmless peculiarities, each reported where it is first seen.
  bool has_numeric_text_time_ = false;
  bool has_extra_spaces_ = false;
  bool has_shared_line_ = false;
};

}  // namespace harness::parse
