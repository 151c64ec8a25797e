#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/engine/suite_catalog.h"
#include "harness/judge/judge.h"
#include "harness/report/report.h"

// `accept check` and `accept diagnose`: from files that exist to an answer. Enters the straight
// line at parse.

namespace harness::engine {

struct CheckRequest {
  std::vector<std::string> paths;
  std::optional<std::string> suite;   ///< name or file; nothing: chosen by what the logs say
  std::optional<std::string> system;  ///< name or file
};

/// Judges every path by itself. Errors: usage (path, suite or system wrong).
report::Report check(const CheckRequest& request, const SuiteCatalog& catalog);

/// What the operator knows, as read from a context file.
struct OperatorContext {
  judge::OperatorKnowledge known;
  std::optional<std::string> benchmark;
  std::vector<std::string> unused;  ///< keys that no rule of this version uses
};

/// Source: schemas/context.schema.json. Errors: usage with file and line.
OperatorContext read_context(const std::string& path);

/// One answer over everything in `folder`. Errors: usage.
report::Report diagnose(const std::string& folder, const OperatorContext& context,
                        const SuiteCatalog& catalog);

}  // namespace harness::engine
