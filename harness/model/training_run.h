#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/measurement.h"

// What one training log says, folded into constant memory. Source of the keys: MLPerf Training
// rules, "Logging".

namespace harness::model {

/// One `eval_accuracy` record. `value` is empty when the log wrote null, a string, NaN or infinity
/// there.
struct EvaluationPoint {
  std::size_t line = 0;
  std::optional<std::int64_t> time_ms;
  std::optional<double> value;
  std::optional<double>
      epoch_num;  ///< unit by benchmark: samples, tokens or a fraction of the one epoch
};

/// One occurrence of `run_start` or `run_stop`.
struct RunMark {
  std::size_t line = 0;
  std::optional<std::int64_t> time_ms;
  std::optional<std::string> status;  ///< run_stop's metadata.status
};

/// One of the keys whose value names or sizes the run.
struct LoggedText {
  std::size_t line = 0;
  std::string value;
};
struct LoggedNumber {
  std::size_t line = 0;
  double value = 0;
};

struct TrainingRun {
  std::string artifact;
  // Counters over the whole file; never capped.
  std::size_t line_count = 0;
  std::size_t record_count = 0;  ///< MLLOG records that were delivered, also incomplete ones
  std::size_t malformed_count =
      0;  ///< records that cannot be read, lack a member, or stand on an oversize line
  std::size_t old_format_count = 0;  ///< ":::MLL " lines of v0.6 and older
  std::size_t oversize_count = 0;
  std::size_t clock_step_count = 0;  ///< records whose time stamp lies before the one above
  std::size_t run_start_count = 0;
  std::size_t run_stop_count = 0;
  std::size_t evaluation_count = 0;  ///< all eval_accuracy records, whatever their value

  std::vector<RunMark> run_starts;  ///< the first 16, in file order
  std::vector<RunMark> run_stops;   ///< the first 16, in file order
  std::optional<RunMark>
      timed_start;  ///< time to train runs from here to timed_stop: until the file has shown both,
  std::optional<RunMark> timed_stop;  ///< the last of each, as mlcommons/logging pairs them
  std::vector<EvaluationPoint>
      evaluations;  ///< in file order; beyond 100,000 only the last one is replaced
  std::optional<std::int64_t> init_start_ms;  ///< earliest
  std::optional<std::int64_t> init_stop_ms;   ///< last
  double evaluation_time_ms = 0;              ///< sum of eval_start … eval_stop inside the run
  std::size_t evaluation_intervals =
      0;  ///< how many such pairs were seen; 0: evaluation time is not logged

  std::optional<LoggedText> benchmark;  ///< submission_benchmark
  std::optional<LoggedText> division;
  std::optional<LoggedText> organization;
  std::optional<LoggedText> platform;
  std::optional<LoggedText> miniature;  ///< key `miniature`: the run is no MLPerf run and says so
  std::optional<LoggedNumber> global_batch_size;         ///< last one
  std::optional<LoggedNumber> throughput_samples_per_s;  ///< last tracked_stats
  std::vector<double> seeds;                             ///< at most 64

  std::vector<Issue> issues;  ///< at most 200; the counters above are exact
};

}  // namespace harness::model
