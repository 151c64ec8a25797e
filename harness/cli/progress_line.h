#pragma once

#include <chrono>
#include <string>

#include "harness/base/clock.h"
#include "harness/cli/commands.h"
#include "harness/engine/run.h"
#include "harness/report/terminal_report.h"

// What a running suite shows: one live line on a terminal, a sparse line per evaluation (and a
// heartbeat each minute) in cron and CI.

namespace harness::cli {

class ProgressLine {
 public:
  ProgressLine(const base::Clock& clock, const OutputOptions& output);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const engine::RunProgress& progress);

 private:
  std::string text_of(const engine::RunProgress& progress) const;

  const base::Clock& clock_;
  report::TerminalStyle style_;
  bool can_redraw_;
  bool is_line_open_ = false;
  std::size_t shown_evaluations_ = 0;
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace harness::cli
