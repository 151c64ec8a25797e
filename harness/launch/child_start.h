#pragma once

#include <string>
#include <variant>

#include <sys/types.h>

#include "harness/base/process_runner.h"
#include "harness/base/text.h"
#include "harness/launch/owned_descriptor.h"

// Starts one child. The only room that knows Boost.Process, which does the fork, the exec and tells
// an exec that failed.

namespace harness::launch {

/// A child that runs; whoever gets it reaps it.
struct StartedChild {
  pid_t leader = 0;         ///< its process number, and that of its group and of its session
  OwnedDescriptor process;  ///< process descriptor: polls readable once the child has ended
  OwnedDescriptor standard_output;  ///< read end of a pipe, does not block
  OwnedDescriptor standard_error;   ///< as standard_output
};

/// Starts `spec` in a session of its own with `cookie_value` as kCookieVariable in its environment,
/// standard input empty, no signal blocked or ignored, and no descriptor of ours. Otherwise why it
/// could not be started; then no process is left. To call when a ProcessFamily has been made for
/// it.
std::variant<StartedChild, base::Text> start_child(const base::ProcessSpec& spec,
                                                   const std::string& cookie_value);

}  // namespace harness::launch
