#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/text.h"

// What a parser returns: figures with their source, and what it could not read.

namespace harness::model {

/// Where a claim stands: `line` counts from 1 in the unpacked artifact; 0 means the artifact as a
/// whole.
struct SourceRef {
  std::string artifact;  ///< path as given by the user or relative to the evidence folder
  std::size_t line = 0;

  /// "result_0.txt:2117", or "result_0.txt" for line 0.
  std::string to_string() const;
};

/// The kinds of evidence a criterion may ask for. Stored by name.
enum class EvidenceKind { results_json, mllog, sweep, tool };

struct Evidence {
  EvidenceKind kind = EvidenceKind::mllog;
  std::string tool;  ///< of kind tool: "nccl-tests" in "tool:nccl-tests"

  bool operator==(const Evidence&) const = default;
  std::string to_string() const;
};

struct Measurement {
  std::string metric;  ///< a name of the metric table; `value` is in that metric's unit
  double value = 0;    ///< finite
  Evidence evidence;
  SourceRef source;
  base::Text method;  ///< how it was measured, in a few words; may be empty
};

enum class IssueKind {
  malformed_record,  ///< a record that is not one JSON object of the expected shape
  oversize_line,     ///< a line longer than the limit, skipped
  old_format,        ///< ":::MLL" lines of MLPerf v0.6 and older
  wrong_encoding,    ///< UTF-16 and the like
  value_unusable,    ///< a value that is missing, null, of another type, not finite or out of range
  clock_step,        ///< time stamps that step back
  truncated,         ///< the file ends in the middle
  unreadable,        ///< nothing known was found, or it could not be opened
  noticed,           ///< harmless, worth a line
};

/// What could not be read, and where. `text` is the raw line (at most 160 bytes, printable).
struct Issue {
  IssueKind kind = IssueKind::noticed;
  SourceRef source;
  base::Text reason;
  std::string text;
};

}  // namespace harness::model
