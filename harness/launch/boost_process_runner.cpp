#include "harness/launch/boost_process_runner.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/launch/child_start.h"
#include "harness/launch/owned_descriptor.h"
#include "harness/launch/process_family.h"

namespace harness::launch {
namespace {

using base::OutputStream;
using base::ProcessEnd;
using base::Text;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kChunkBytes = std::size_t{64} * 1024;
constexpr std::chrono::milliseconds kPatienceAfterKill{10000};
constexpr std::chrono::milliseconds kSurvivorPatience{2000};
constexpr std::chrono::milliseconds kDrainLimit{1000};
constexpr std::chrono::milliseconds kReapInterval{5000};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Makes a descriptor readable, from whichever thread asks to stop.
struct Wake {
  int event;
  void operator()() const noexcept {
    const std::uint64_t one = 1;
    // It cannot fail: the counter is far from its end.
    [[maybe_unused]] const ssize_t written = ::write(event, &one, sizeof one);
  }
};

/// One child from its start to its end.
class ChildRun {
 public:
  ChildRun(const base::ProcessSpec& spec, const base::OutputObserver& observe, StartedChild child,
           ProcessFamily& family)
      : spec_(spec),
        observe_(observe),
        family_(family),
        standard_output_(std::move(child.standard_output)),
        standard_error_(std::move(child.standard_error)),
        buffer_(kChunkBytes, '\0') {
    family_.set_leader(child.leader, std::move(child.process));
  }

  base::ProcessOutcome to_its_end(const std::stop_token& stop, int stop_event) {
    while (!is_over()) {
      pass_on_what_is_ready(stop_event);
      if (!has_leader_ended_) {
        check_limits(stop);
      }
      if (last_signal_ == SIGTERM && Clock::now() >= kill_at_) {
        last_signal_ = SIGKILL;
        give_up_at_ = Clock::now() + kPatienceAfterKill;
        family_.kill_members();
      }
      if (Clock::now() >= reap_at_) {
        reap_at_ = Clock::now() + kReapInterval;
        reap_ended_orphans();
      }
    }
    family_.end_survivors(kSurvivorPatience);
    drain();
    return outcome(family_.reap_leader());
  }

 private:
  bool is_over() const {
    if (has_leader_ended_) {
      const bool is_family_silent = !standard_output_.is_open() && !standard_error_.is_open();
      return last_signal_ != SIGTERM || is_family_silent;
    }
    return last_signal_ == SIGKILL && Clock::now() >= give_up_at_;
  }

  /// Waits until something happens or a time has come.
  void pass_on_what_is_ready(int stop_event) {
    std::array<pollfd, 4> polled{{{standard_output_.number(), POLLIN, 0},
                                  {standard_error_.number(), POLLIN, 0},
                                  {has_leader_ended_ ? -1 : family_.leader_descriptor(), POLLIN, 0},
                                  {end_ ? -1 : stop_event, POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), wait_ms()) <= 0) {
      return;
    }
    if (polled[0].revents != 0) {
      read_once(OutputStream::standard_output);
    }
    if (polled[1].revents != 0) {
      read_once(OutputStream::standard_error);
    }
    has_leader_ended_ = has_leader_ended_ || polled[2].revents != 0;
  }

  int wait_ms() const {
    Clock::time_point next = reap_at_;
    if (last_signal_ == SIGTERM) {
      next = std::min(next, kill_at_);
    } else if (last_signal_ == SIGKILL) {
      next = std::min(next, give_up_at_);
    } else {
      next = spec_.wall_limit ? std::min(next, start_ + *spec_.wall_limit) : next;
      next = spec_.silence_limit ? std::min(next, last_output_ + *spec_.silence_limit) : next;
    }
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(wait.count(), 0));
  }

  /// One chunk to the observer; false when there is nothing now, or no more. Closes the stream at
  /// its end.
  bool read_once(OutputStream which) {
    OwnedDescriptor& stream =
        which == OutputStream::standard_output ? standard_output_ : standard_error_;
    ssize_t count = 0;
    do {
      count = ::read(stream.number(), buffer_.data(), buffer_.size());
    } while (count == -1 && errno == EINTR);
    if (count > 0) {
      if (observe_) {
        observe_(which, std::string_view(buffer_).substr(0, static_cast<std::size_t>(count)));
      }
      last_output_ = Clock::now();
      return true;
    }
    if (count == 0 || errno != EAGAIN) {
      stream.close();
    }
    return false;
  }

  /// The first reason to end the child stands.
  void check_limits(const std::stop_token& stop) {
    if (end_) {
      return;
    }
    const Clock::time_point now = Clock::now();
    if (stop.stop_requested()) {
      end_ = ProcessEnd::cancelled;
    } else if (spec_.wall_limit && now >= start_ + *spec_.wall_limit) {
      end_ = ProcessEnd::wall_limit;
    } else if (spec_.silence_limit && now >= last_output_ + *spec_.silence_limit) {
      end_ = ProcessEnd::silence_limit;
    }
    if (end_) {
      last_signal_ = SIGTERM;
      kill_at_ = now + spec_.termination_grace;
      family_.signal_group(SIGTERM);
    }
  }

  /// What the pipes hold. Writers are dead by now but for those that no one may or can kill, hence
  /// a limit.
  void drain() {
    const Clock::time_point limit = Clock::now() + kDrainLimit;
    for (const OutputStream which : {OutputStream::standard_output, OutputStream::standard_error}) {
      while (Clock::now() < limit && read_once(which)) {
      }
    }
  }

  base::ProcessOutcome outcome(std::optional<int> status) const {
    base::ProcessOutcome result;
    result.duration_s = seconds_since(start_);
    if (end_) {
      result.end = *end_;
      result.signal_number = last_signal_;
      return result;
    }
    if (!status) {
      throw base::Error(
          base::ErrorKind::bug,
          {.tried = {"learn how a child process ended", "获取子进程的结束状态"},
           .on = spec_.argv.front(),
           .happened = {"other code of this process reaped it", "本进程的其他代码已将其回收"},
           .next = {}});
    }
    // Not by a portable exit code: there, an exit with 9 and an end by SIGKILL are the same.
    if (WIFSIGNALED(*status)) {
      result.end = ProcessEnd::signalled;
      result.signal_number = WTERMSIG(*status);
    } else {
      result.end = ProcessEnd::exited;
      result.exit_code = WEXITSTATUS(*status);
    }
    return result;
  }

  const base::ProcessSpec& spec_;
  const base::OutputObserver& observe_;
  ProcessFamily& family_;
  OwnedDescriptor standard_output_;
  OwnedDescriptor standard_error_;
  std::string buffer_;

  Clock::time_point start_ = Clock::now();
  Clock::time_point last_output_ = start_;
  Clock::time_point reap_at_ = start_ + kReapInterval;
  bool has_leader_ended_ = false;
  std::optional<ProcessEnd> end_;  ///< set when we end the child
  int last_signal_ = 0;            ///< 0, SIGTERM or SIGKILL: how far ending it has come
  Clock::time_point kill_at_;      ///< after SIGTERM
  Clock::time_point give_up_at_;   ///< after SIGKILL
};

}  // namespace

BoostProcessRunner::BoostProcessRunner() {
  become_reaper();
}

base::ProcessOutcome BoostProcessRunner::run(const base::ProcessSpec& spec,
                                             const base::OutputObserver& observe,
                                             std::stop_token stop) {
  base::ProcessOutcome not_started;
  if (stop.stop_requested()) {
    not_started.end = ProcessEnd::cancelled;
    return not_started;
  }
  const OwnedDescriptor stop_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_event.is_open()) {
    not_started.start_problem = base::system_error_text(errno);
    return not_started;
  }
  ProcessFamily family;
  std::variant<StartedChild, Text> started = start_child(spec, family.cookie_value());
  if (const Text* problem = std::get_if<Text>(&started)) {
    not_started.start_problem = *problem;
    return not_started;
  }
  ChildRun run(spec, observe, std::get<StartedChild>(std::move(started)), family);
  const std::stop_callback wake(stop, Wake{stop_event.number()});
  return run.to_its_end(stop, stop_event.number());
}

}  // namespace harness::launch
