#include "harness/store/run_lock.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/base/sha256.h"
#include "harness/base/text.h"

namespace harness::store {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Text;

[[noreturn]] void fail(const fs::path& path, int error_number) {
  throw Error(ErrorKind::environment,
              {.tried = {"take the run lock", "获取运行锁"},
               .on = path.string(),
               .happened = base::system_error_text(error_number),
               .next = {"check owner and mode of the database's folder (group 'accept', 2770)",
                        "请检查数据库目录的属主和权限（属组 accept，2770）"}});
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

/// One "key value" per line.
std::string content_of(const LockHolder& holder) {
  return fmt::format("pid {}\nboot_id {}\nstart_ticks {}\nhost {}\nrun_id {}\nsince_utc {}\n",
                     holder.process.pid, holder.process.boot_id, holder.process.start_ticks,
                     base::printable(holder.host), base::printable(holder.run_id),
                     base::printable(holder.since_utc));
}

/// What stands in the lock file; pid 0 when it is empty or no lock of ours.
LockHolder read_holder(const FileDescriptor& file) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::pread(file.number(), buffer.data(), buffer.size(), 0);
  const std::string content(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  std::map<std::string, std::string> values;
  for (const std::string& line : base::split(content, '\n')) {
    const std::size_t space = line.find(' ');
    if (space != std::string::npos) {
      values[line.substr(0, space)] = base::printable(line.substr(space + 1));
    }
  }
  return {.process = {.pid = base::parse_integer(values["pid"]).value_or(0),
                      .boot_id = values["boot_id"],
                      .start_ticks = base::parse_integer(values["start_ticks"]).value_or(0)},
          .run_id = values["run_id"],
          .host = values["host"],
          .since_utc = values["since_utc"]};
}

void write_holder(const FileDescriptor& file, const fs::path& path, const LockHolder& holder) {
  const std::string content = content_of(holder);
  if (::ftruncate(file.number(), 0) != 0 || ::pwrite(file.number(), content.data(), content.size(),
                                                     0) != static_cast<ssize_t>(content.size())) {
    fail(path, errno);
  }
}

LockHolder this_holder(std::string_view run_id, std::string_view since_utc) {
  return {.process = this_process(),
          .run_id = std::string(run_id),
          .host = host_name(),
          .since_utc = std::string(since_utc)};
}

FileDescriptor open_lock_file(const fs::path& path) {
  constexpr mode_t kFileMode = 0660;
  constexpr int kFlags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
  FileDescriptor created(::open(path.c_str(), kFlags | O_CREAT | O_EXCL, kFileMode));
  if (created.is_open()) {
    ::fchmod(created.number(), kFileMode);
    return created;
  }
  if (errno != EEXIST) {
    fail(path, errno);
  }
  FileDescriptor existing(::open(path.c_str(), kFlags));
  if (!existing.is_open()) {
    fail(path, errno);
  }
  return existing;
}

}  // namespace

Text LockHolder::description() const {
  if (process.pid == 0) {
    return {"another process that has not named itself yet", "另一个尚未登记的进程"};
  }
  return {
      fmt::format("process {} on {}, run {}, since {}", process.pid, host, run_id, since_utc),
      fmt::format("主机 {} 上的进程 {}，运行 {}，开始于 {}", host, process.pid, run_id, since_utc)};
}

RunLock::RunLock(FileDescriptor file, fs::path path)
    : file_(std::move(file)), path_(std::move(path)) {}

RunLock::~RunLock() {
  // Emptied first: whoever fails to get the lock must not read the name of one who has let go.
  if (file_.is_open() && ::ftruncate(file_.number(), 0) != 0) {
    return;  // closing the file frees the lock all the same
  }
}

void RunLock::name_run(std::string_view run_id, std::string_view since_utc) {
  write_holder(file_, path_, this_holder(run_id, since_utc));
}

std::variant<RunLock, LockHolder> try_run_lock(const fs::path& database, std::string_view cluster,
                                               std::string_view run_id,
                                               std::string_view since_utc) {
  const fs::path path = lock_file(database, cluster);
  FileDescriptor file = open_lock_file(path);
  constexpr int kTries = 50;  // half a second for a holder that is just writing itself down
  LockHolder holder;
  for (int i = 0; i < kTries; ++i) {
    if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0) {
      RunLock lock(std::move(file), path);
      lock.name_run(run_id, since_utc);
      return lock;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) {
      fail(path, errno);
    }
    holder = read_holder(file);
    if (is_running(holder.process)) {
      return holder;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  // Still held, but what stands there is of a process that cannot be seen: dead, or in another
  // container.
  return holder;
}

fs::path lock_file(const fs::path& database, std::string_view cluster) {
  constexpr std::size_t kLongestName = 80;
  const bool is_plain =
      cluster.size() <= kLongestName && std::ranges::all_of(cluster, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
      });
  const std::string name =
      is_plain ? std::string(cluster) : "x" + base::sha256_hex(cluster).substr(0, 16);
  return database.string() + ".run-" + name + ".lock";
}

Error busy_error(const fs::path& database, const LockHolder& holder) {
  const Text who = holder.description();
  return {ErrorKind::busy,
          {.tried = {"start a run on this cluster, database", "在该集群上开始运行，数据库"},
           .on = database.string(),
           .happened = {"another run holds the lock: " + who.en, "另一个运行持有锁：" + who.zh},
           .next = {"wait for it to end; it frees the lock however it ends",
                    "请等待其结束；无论如何结束，锁都会自动释放"}}};
}

}  // namespace harness::store
