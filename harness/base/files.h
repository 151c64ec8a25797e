#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text.h"

// Files: bounded reading (gzip or plain), atomic writing, listing. Every failure is an Error that
// names the path.

namespace harness::base {

/// Reads a plain or gzip file front to back in constant memory. The kind is told by content, not by
/// name.
class InputFile {
 public:
  /// Errors: usage when the path is missing, a directory or not a regular file; environment when it
  /// cannot be read.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Fills the front of `buffer` and returns how many bytes; 0 at the end of the content or where
  /// `damage()` begins.
  std::size_t read(std::span<char> buffer);

  /// What ended the content early: a cut or corrupt gzip stream, or one that unpacks to more than
  /// 600 times its size (after 64 MiB: a decompression bomb). Nothing when the file was read to its
  /// end.
  const std::optional<Text>& damage() const { return damage_; }

 private:
  struct State;
  std::size_t read_gzip(std::span<char> buffer);
  bool refill_gzip();

  std::filesystem::path path_;
  std::unique_ptr<State> state_;
  std::optional<Text> damage_;
};

/// The whole (unpacked) content. Errors: as InputFile; usage when it is longer than `limit_bytes`
/// or damaged.
std::string read_file(const std::filesystem::path& path, std::size_t limit_bytes);

/// Writes `content` beside `path`, syncs it and renames it into place: readers see the old file or
/// the new one. Errors: environment (disk full, read-only, no folder …).
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Makes `path` a folder (parents too). Errors: environment; usage when it exists as something
/// else.
void make_folder(const std::filesystem::path& path);

/// Regular files at any depth below `folder`, sorted by path; symbolic links are not followed.
/// Errors: usage when it cannot be listed or holds more than `limit` files.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               std::size_t limit = 100000);

/// SHA-256 of the bytes on disk, in hexadecimal digits.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace harness::base
