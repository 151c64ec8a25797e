#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "harness/base/process_runner.h"
#include "harness/model/attempt.h"

// Starts a job and stays with it to its end. Knows processes, not metrics.

namespace harness::launch {

/// Called in the launching thread with the job's output as it comes.
using OutputObserver = base::OutputObserver;

class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Runs `job` and returns how it ended; stdout.log and stderr.log are kept in `log_folder`, each
  /// up to the job's limit. A job that fails is an Attempt, not an exception. Errors: environment
  /// when a log cannot be written; the job has been ended then.
  virtual model::Attempt launch(const model::Job& job, const std::filesystem::path& log_folder,
                                const OutputObserver& observe, std::stop_token stop) = 0;
};

}  // namespace harness::launch
