#include "harness/launch/process_family.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <random>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace harness::launch {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a killed leader may take to end when a family is dropped halfway.
constexpr std::chrono::milliseconds kLeaderPatience{10000};
constexpr std::chrono::milliseconds kSurvivorPatience{2000};
/// A new orphan has no descriptor to poll yet: look again after this long at the latest.
constexpr std::chrono::milliseconds kLookAgain{50};

/// Who is who among the children of this process. Held while a list of children is made and worked
/// off, so that a listed number cannot be reaped, and then given to another process, by another
/// thread.
struct ChildRecord {
  std::mutex mutex;
  std::set<pid_t> leaders;
  int starting_count = 0;  ///< families whose leader may be born but is not among `leaders` yet
};

ChildRecord& child_record() {
  static ChildRecord record;
  return record;
}

bool reap(pid_t process) {
  return ::waitpid(process, nullptr, WNOHANG) == process;
}

/// An ended child of ours that is no leader and did not come from our own session: some family's
/// orphan.
bool is_ended_orphan(const ChildRecord& record, const ProcessState& state) {
  return state.is_zombie && record.starting_count == 0 && state.session != ::getsid(0);
}

/// Children of ours that are nobody's leader.
std::vector<pid_t> adopted_children(const ChildRecord& record) {
  std::vector<pid_t> children = children_of(::getpid());
  std::erase_if(children, [&](pid_t child) { return record.leaders.contains(child); });
  return children;
}

/// Waits until one of `processes` has ended, at most until `deadline`.
void wait_for_end(const std::vector<OwnedDescriptor>& processes, Clock::time_point deadline) {
  std::vector<pollfd> polled;
  polled.reserve(processes.size());
  for (const OwnedDescriptor& process : processes) {
    polled.push_back({.fd = process.number(), .events = POLLIN, .revents = 0});
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  ::poll(polled.data(), polled.size(),
         static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0)));
}

std::string new_cookie() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

void become_reaper() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
  struct sigaction child_ended = {};
  if (::sigaction(SIGCHLD, nullptr, &child_ended) == 0 && child_ended.sa_handler == SIG_IGN) {
    ::signal(SIGCHLD, SIG_DFL);
  }
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(standard, F_GETFD) == -1 && errno == EBADF) {
      ::open("/dev/null", O_RDWR);  // the lowest free number, that is: this one
    }
  }
}

void reap_ended_orphans() {
  ChildRecord& record = child_record();
  const std::lock_guard lock(record.mutex);
  for (const pid_t child : adopted_children(record)) {
    const std::optional<ProcessState> state = read_process_state(child);
    if (state && is_ended_orphan(record, *state)) {
      reap(child);
    }
  }
}

ProcessFamily::ProcessFamily() : cookie_(new_cookie()), cookie_value_(cookie_) {
  if (const char* outer = std::getenv(std::string(kCookieVariable).c_str())) {
    cookie_value_ = fmt::format("{}:{}", outer, cookie_);
  }
  ChildRecord& record = child_record();
  const std::lock_guard lock(record.mutex);
  ++record.starting_count;
}

ProcessFamily::~ProcessFamily() {
  if (is_starting_) {
    const std::lock_guard lock(child_record().mutex);
    --child_record().starting_count;
  }
  if (leader_ != 0) {
    try {
      kill_and_reap_all();
    } catch (...) {  // out of memory or of descriptors, and on the way out of another failure
      ::kill(-leader_, SIGKILL);
    }
  }
}

void ProcessFamily::set_leader(pid_t leader, OwnedDescriptor process) {
  ChildRecord& record = child_record();
  const std::lock_guard lock(record.mutex);
  record.leaders.insert(leader);
  --record.starting_count;
  is_starting_ = false;
  leader_ = leader;
  process_ = std::move(process);
}

void ProcessFamily::signal_group(int signal_number) const {
  // The leader is not reaped, so its number can be nobody else's.
  if (leader_ != 0) {
    ::kill(-leader_, signal_number);
  }
}

void ProcessFamily::kill_members() {
  kill_living_members();
}

void ProcessFamily::end_survivors(std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  while (true) {
    const std::vector<OwnedDescriptor> living = kill_living_members();
    if (living.empty() || Clock::now() >= deadline) {
      return;
    }
    wait_for_end(living, std::min(deadline, Clock::now() + kLookAgain));
  }
}

std::optional<int> ProcessFamily::reap_leader() {
  ChildRecord& record = child_record();
  const std::lock_guard lock(record.mutex);
  int status = 0;
  const bool is_reaped = ::waitpid(leader_, &status, WNOHANG) == leader_;
  record.leaders.erase(leader_);
  leader_ = 0;
  process_.close();
  return is_reaped ? std::optional(status) : std::nullopt;
}

std::vector<OwnedDescriptor> ProcessFamily::kill_living_members() {
  ChildRecord& record = child_record();
  const std::lock_guard lock(record.mutex);
  // Stopped first, so that no script goes on with its next line because its present command was
  // killed, and killed last, because descent can be seen only while the parents live.
  signal_group(SIGSTOP);
  kill_descendants(leader_, process_);
  std::vector<OwnedDescriptor> living;
  for (const pid_t child : adopted_children(record)) {
    const std::optional<ProcessState> state = read_process_state(child);
    if (!state) {
      continue;
    }
    const bool is_ours = is_member(child, *state);
    const bool may_reap = state->is_zombie && (is_ours || is_ended_orphan(record, *state));
    if ((may_reap && reap(child)) || !is_ours) {
      continue;
    }
    OwnedDescriptor process = open_process(child);
    ::kill(child, SIGSTOP);
    kill_descendants(child, process);
    ::kill(child, SIGKILL);
    killed_.insert(child);
    living.push_back(std::move(process));
  }
  signal_group(SIGKILL);
  return living;
}

bool ProcessFamily::is_member(pid_t process, const ProcessState& state) const {
  return state.session == leader_ || killed_.contains(process) ||
         (!state.is_zombie && has_in_environment(process, cookie_));
}

void ProcessFamily::kill_descendants(pid_t parent, const OwnedDescriptor& parent_process) {
  for (const pid_t child : children_of(parent)) {
    // Opened first: when the parent and the child are then still there, what was read in between
    // was about them.
    const OwnedDescriptor process = open_process(child);
    const std::optional<ProcessState> state = read_process_state(child);
    if (!state || state->parent != parent || !send_signal(parent_process, 0)) {
      continue;
    }
    send_signal(process, SIGSTOP);
    kill_descendants(child, process);
    if (send_signal(process, SIGKILL)) {
      killed_.insert(child);
    }
  }
}

void ProcessFamily::kill_and_reap_all() {
  kill_members();
  pollfd leader{.fd = process_.number(), .events = POLLIN, .revents = 0};
  while (::poll(&leader, 1, static_cast<int>(kLeaderPatience.count())) == -1 && errno == EINTR) {
  }
  end_survivors(kSurvivorPatience);
  reap_leader();
}

}  // namespace harness::launch
