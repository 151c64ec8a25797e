#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "harness/base/error.h"
#include "harness/store/file_descriptor.h"
#include "harness/store/process_identity.h"

// One run at a time per database and cluster. The lock is flock(2) on a file beside the database,
// so the system frees it when its holder dies, however it dies; the file itself stays.

namespace harness::store {

/// Who holds the lock, as it wrote itself down.
struct LockHolder {
  ProcessIdentity process;  ///< pid 0: it has not written itself down yet
  std::string run_id;
  std::string host;
  std::string since_utc;

  /// "process 1234 on login1, run r-20261201-013000-gpt3, since 2026-12-01T01:30:00Z"
  base::Text description() const;
};

/// Held from try_run_lock until its end. Children do not inherit it.
class RunLock {
 public:
  RunLock(RunLock&&) noexcept = default;
  RunLock& operator=(RunLock&&) noexcept = default;
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock();

  /// Writes another run into the lock (a nightly does several). Errors: environment.
  void name_run(std::string_view run_id, std::string_view since_utc);

 private:
  friend std::variant<RunLock, LockHolder> try_run_lock(const std::filesystem::path& database,
                                                        std::string_view cluster,
                                                        std::string_view run_id,
                                                        std::string_view since_utc);
  RunLock(FileDescriptor file, std::filesystem::path path);

  FileDescriptor file_;
  std::filesystem::path path_;
};

/// The lock, or who holds it. Does not wait. `cluster` may be empty and hold anything.
/// Errors: environment when the lock file cannot be made or written.
std::variant<RunLock, LockHolder> try_run_lock(const std::filesystem::path& database,
                                               std::string_view cluster, std::string_view run_id,
                                               std::string_view since_utc);

/// "accept.db.run-prod-a.lock" beside the database.
std::filesystem::path lock_file(const std::filesystem::path& database, std::string_view cluster);

/// What to throw when a run must not start: busy, naming the holder.
base::Error busy_error(const std::filesystem::path& database, const LockHolder& holder);

}  // namespace harness::store
