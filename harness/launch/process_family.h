#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "harness/launch/linux_process.h"
#include "harness/launch/owned_descriptor.h"

// One child and everything that descends from it: signals to its group, and an end for all that
// outlives it.
//
// A program may start others that leave its process group and its session and whose parent ends
// ("daemons"). Our process is the reaper of such orphans (PR_SET_CHILD_SUBREAPER), so each of them
// becomes our child, and we tell whose family it is by: its session, or else the cookie that each
// child gets in its environment and hands down. Only children of ours and their descendants are
// ever signalled, so a foreign process never is. Not found while its parent is gone: what left the
// session and also dropped the cookie from its environment.
//
// Children belong to the whole process, so families keep one common record of the leaders that are
// alive: nobody reaps the child of another thread. Code outside this room must not start children
// in sessions of their own.

namespace harness::launch {

/// The environment variable with the cookie; one more part, after a colon, for each accept around
/// this one.
inline constexpr std::string_view kCookieVariable = "ACCEPT_PROCESS_COOKIE";

/// Makes this process fit to run children: it becomes the reaper of orphans, keeps the status of
/// ended children (SIGCHLD not ignored) and has descriptors 0 to 2 open. Repeated calls change
/// nothing.
void become_reaper();

/// Reaps ended orphans of any family; cheap. Live ones and leaders are left alone.
void reap_ended_orphans();

/// Used by one thread. Must exist before its leader is started, so that no other family takes the
/// newborn for an orphan.
class ProcessFamily {
 public:
  ProcessFamily();
  /// Kills and reaps whatever is left, when the leader was started and not yet reaped.
  ~ProcessFamily();
  ProcessFamily(const ProcessFamily&) = delete;
  ProcessFamily& operator=(const ProcessFamily&) = delete;

  /// For kCookieVariable of the leader's environment.
  const std::string& cookie_value() const { return cookie_value_; }

  /// The leader runs, in its own session; `process` is its process descriptor.
  void set_leader(pid_t leader, OwnedDescriptor process);
  /// Polls readable once the leader has ended.
  int leader_descriptor() const { return process_.number(); }

  /// Sends a signal to the leader's process group.
  void signal_group(int signal_number) const;
  /// Sends SIGKILL to the group and to every member of the family that can be found, once.
  void kill_members();
  /// Kills what is left, and what appears meanwhile, until nothing is or `patience` is over: a
  /// process in an uninterruptible system call or of another user cannot be ended. To call when the
  /// leader has ended.
  void end_survivors(std::chrono::milliseconds patience);

  /// The leader's status as waitpid gives it, or nothing when it has not ended; an unended one is
  /// given up: a later family reaps it.
  std::optional<int> reap_leader();

 private:
  /// Kills living members; their process descriptors, as far as they are children of ours.
  std::vector<OwnedDescriptor> kill_living_members();
  bool is_member(pid_t process, const ProcessState& state) const;
  void kill_descendants(pid_t parent, const OwnedDescriptor& parent_process);
  void kill_and_reap_all();

  std::string cookie_;
  std::string cookie_value_;
  pid_t leader_ = 0;  ///< 0: not started, or reaped
  bool is_starting_ = true;
  OwnedDescriptor process_;
  std::set<pid_t> killed_;  ///< a dying process has no environment to tell it by
};

}  // namespace harness::launch
