#pragma once

#include <chrono>

// Time behind an interface, so that deadlines and time stamps can be tested without waiting.

namespace harness::base {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Wall clock, for time stamps only: it may step.
  virtual std::chrono::system_clock::time_point utc_now() const = 0;
  /// Monotonic clock, for durations and deadlines.
  virtual std::chrono::steady_clock::time_point steady_now() const = 0;
};

class SystemClock final : public Clock {
 public:
  std::chrono::system_clock::time_point utc_now() const override {
    return std::chrono::system_clock::now();
  }
  std::chrono::steady_clock::time_point steady_now() const override {
    return std::chrono::steady_clock::now();
  }
};

}  // namespace harness::base
