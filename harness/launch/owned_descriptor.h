#pragma once

#include <utility>

#include <unistd.h>

// One open file descriptor of the operating system, closed when its owner goes.

namespace harness::launch {

class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  /// Takes over what a system call returned; a negative number means that there is none.
  explicit OwnedDescriptor(int number) : number_(number < 0 ? kNone : number) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept
      : number_(std::exchange(other.number_, kNone)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, kNone);
    }
    return *this;
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { close(); }

  bool is_open() const { return number_ != kNone; }
  /// The number for system calls; -1 when nothing is open, which poll() skips.
  int number() const { return number_; }
  void close() {
    if (is_open()) {
      ::close(std::exchange(number_, kNone));
    }
  }

 private:
  static constexpr int kNone = -1;
  int number_ = kNone;
};

}  // namespace harness::launch
