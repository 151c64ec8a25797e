#pragma once

#include <string>

#include "harness/report/report.h"

// The answer on a terminal: stages, figures against limits, then the
// verdict with likely cause, evidence and next step.

namespace harness::report {

struct TerminalStyle {
  bool has_color = false;
  bool has_unicode = true;  ///< false: ✔ ✘ ≤ … are written in ASCII
  base::Language language = base::Language::en;
  std::size_t wrap_columns =
      0;  ///< long sentences are broken here; 0: never, so that a pipe gets whole lines
  bool shows_all = false;  ///< every finding, also those that passed
};

std::string render_terminal(const Report& report, const TerminalStyle& style);

/// "✘ FAIL" as the report prints it; for the lines of a run in progress.
std::string verdict_mark(model::VerdictWord word, const TerminalStyle& style);

/// Replaces the signs that need Unicode when the terminal has none; Chinese text is left as it is.
std::string fit_to_terminal(std::string text, const TerminalStyle& style);

}  // namespace harness::report
