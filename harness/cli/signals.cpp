#include "harness/cli/signals.h"

#include <csignal>
#include <ctime>

#include <unistd.h>

namespace harness::cli {
namespace {

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

SignalWatch::SignalWatch() {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::jthread([this](const std::stop_token& stop) { wait_for_signals(stop); });
}

SignalWatch::~SignalWatch() = default;

void SignalWatch::wait_for_signals(const std::stop_token& stop) {
  const sigset_t waited = watched_signals();
  while (!stop.stop_requested()) {
    const timespec tick{0, 200'000'000};
    const int signal = sigtimedwait(&waited, nullptr, &tick);
    if (signal <= 0) {
      continue;
    }
    if (signal_.exchange(signal) != 0) {
      _exit(128 + signal);  // asked twice: at once
    }
    source_.request_stop();
  }
}

}  // namespace harness::cli
