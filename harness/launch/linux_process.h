#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "harness/launch/owned_descriptor.h"

// What Linux tells about one process, in /proc and by process descriptors. Knows nothing of runs or
// limits.

namespace harness::launch {

struct ProcessState {
  bool is_zombie = false;  ///< ended (its first thread at least), not yet reaped
  pid_t parent = 0;
  pid_t session = 0;
};

/// Nothing when there is no such process. Source: proc(5), /proc/pid/stat.
std::optional<ProcessState> read_process_state(pid_t process);

/// True when the environment that the live `process` was started with holds `text`; false as well
/// when it cannot be read (of another user, protected). Takes some milliseconds when there is none.
/// Source: proc(5), /proc/pid/environ.
bool has_in_environment(pid_t process, std::string_view text);

/// Children of `parent`, ended ones included, in no order. Complete while nobody else reaps
/// children of `parent`.
std::vector<pid_t> children_of(pid_t parent);

/// The two ways of children_of. The kernel's own list costs a few reads, but a kernel without
/// CONFIG_PROC_CHILDREN has none (then: nothing); looking at every process always works.
std::optional<std::vector<pid_t>> listed_children(pid_t parent);
std::vector<pid_t> searched_children(pid_t parent);

/// A descriptor that stands for this very process, even after its number went to another; it polls
/// readable once the process has ended. Closed when there is no such process. Source:
/// pidfd_open(2), Linux 5.3.
OwnedDescriptor open_process(pid_t process);

/// Sends a signal, or only asks with 0; false when the process is gone or may not be signalled by
/// us.
bool send_signal(const OwnedDescriptor& process, int signal_number);

}  // namespace harness::launch
