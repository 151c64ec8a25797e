#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

// A file that grows while a program runs, up to a limit.

namespace harness::base {

class LogFile {
 public:
  /// Makes (or empties) the file. Errors: environment.
  LogFile(std::filesystem::path path, std::uint64_t limit_bytes);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Appends what fits below the limit; the rest is counted. Errors: environment (disk full …).
  void append(std::string_view bytes);
  std::uint64_t dropped_bytes() const { return dropped_bytes_; }
  /// Writes the mark of a cut, if there was one, and syncs. Errors: environment.
  void close();

 private:
  std::filesystem::path path_;
  std::uint64_t room_bytes_;
  std::uint64_t dropped_bytes_ = 0;
  int fd_ = -1;
};

}  // namespace harness::base
