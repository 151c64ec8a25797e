#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/text.h"

// The olympic score of several runs. Source: MLPerf Training rules, "Results: Benchmark results",
// and the reference summarizer's handling of a failed run.

namespace harness::judge {

struct TimedRun {
  std::string name;
  std::optional<double> time_to_train_s;  ///< nothing: the run failed, was aborted or gave no time
};

struct OlympicScore {
  std::size_t run_count = 0;
  std::size_t valid_count = 0;
  std::optional<double> mean_s;  ///< of the runs that are left
  std::size_t averaged_count = 0;
  std::string fastest;  ///< dropped
  std::string slowest;  ///< dropped; the failed run when there is one
  base::Text why_none;  ///< filled when mean_s is empty
};

/// Drops the fastest and the slowest run and averages the rest. One failed run is the slowest; two
/// or more, or fewer than three runs, give no score.
OlympicScore olympic_score(std::span<const TimedRun> runs);

}  // namespace harness::judge
