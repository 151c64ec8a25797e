#pragma once

#include <utility>

#include <unistd.h>

// One open file descriptor, closed when its owner goes. Inside the room only.

namespace harness::store {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Takes over what open(2) returned; a negative number means that there is none.
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (is_open()) {
      ::close(number_);
    }
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

}  // namespace harness::store
