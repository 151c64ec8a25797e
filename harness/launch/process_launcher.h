#pragma once

#include "harness/base/clock.h"
#include "harness/launch/launcher.h"

// Runs a job as a process of this machine.

namespace harness::launch {

class ProcessLauncher final : public Launcher {
 public:
  /// Both outlive the launcher.
  ProcessLauncher(base::ProcessRunner& runner, const base::Clock& clock)
      : runner_(runner), clock_(clock) {}

  model::Attempt launch(const model::Job& job, const std::filesystem::path& log_folder,
                        const OutputObserver& observe, std::stop_token stop) override;

 private:
  base::ProcessRunner& runner_;
  const base::Clock& clock_;
};

}  // namespace harness::launch
