#pragma once

#include <stop_token>

#include "harness/base/process_runner.h"

// The real ProcessRunner: children of the operating system, with Linux process descriptors.

namespace harness::launch {

/// Beyond the contract of ProcessRunner:
/// - The child's environment holds one variable more, ACCEPT_PROCESS_COOKIE: see process_family.h.
/// With it also
///   descendants that left the child's session are found, killed and reaped before run() returns.
/// - argv[0] reaches the child as it is given. A relative path, and a relative entry of PATH, count
/// from the child's
///   working directory; a name without PATH in the environment is a failed start.
/// - After SIGTERM the grace lasts while anything holds stdout or stderr open, the child itself or
/// another of its
///   family. A child that ends by itself gives the rest of its family no time: what is left is
///   killed at once.
/// - Output that was written before the end is delivered; what holds the pipes open any longer is
/// not waited for.
/// - A child that cannot be killed (hung in a driver) is given up 10 s after SIGKILL.
/// - An exception from the observer kills and reaps the child and its family and reaches the caller
/// of run(). Errors of run(): bug, when other code of this process reaped the child. Threads: run()
/// may be called in several at once, on one runner or many.
class BoostProcessRunner final : public base::ProcessRunner {
 public:
  /// Changes this process: it becomes the reaper of orphans of its children, SIGCHLD is not
  /// ignored, and descriptors 0 to 2 are open. To make before threads are started.
  BoostProcessRunner();

  base::ProcessOutcome run(const base::ProcessSpec& spec, const base::OutputObserver& observe,
                           std::stop_token stop) override;
};

}  // namespace harness::launch
