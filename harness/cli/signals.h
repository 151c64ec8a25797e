#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

// Ctrl-C and SIGTERM: the first asks the running job to end and is remembered, the second ends the
// program at once.

namespace harness::cli {

class SignalWatch {
 public:
  /// Blocks SIGINT, SIGTERM and SIGHUP in the calling thread (and all it starts) and waits for them
  /// in one of its own. Make it before any other thread.
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  /// The signal that asked for the end; 0 when there was none.
  int signal_number() const { return signal_.load(); }

 private:
  void wait_for_signals(const std::stop_token& stop);

  std::stop_source source_;
  std::atomic<int> signal_{0};
  std::jthread waiter_;
};

}  // namespace harness::cli
