#include "harness/store/sqlite_error.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "harness/base/error.h"
#include "harness/store/file_system.h"

namespace harness::store {
namespace {

using base::Error;
using base::ErrorKind;
using base::Text;

struct Explanation {
  ErrorKind kind = ErrorKind::environment;
  Text happened;
  Text next;
};

const Text kKeptVerdict{
    "a verdict that was reached is kept in its evidence folder: store it later with "
    "'accept import FOLDER'",
    "已得出的结论保存在证据目录中：稍后可用 'accept import 目录' 入库"};

Text with_advice(const Text& first) {
  return {first.en + "; " + kKeptVerdict.en, first.zh + "；" + kKeptVerdict.zh};
}

Explanation explain_locked(const std::filesystem::path& path) {
  const std::string holder = writer_of(path);
  return {
      .happened = {holder.empty() ? "the database is locked: another process writes to it"
                                  : fmt::format("the database is locked: {} writes to it", holder),
                   holder.empty() ? "数据库被锁定：另一个进程正在写入"
                                  : fmt::format("数据库被锁定：{} 正在写入", holder)},
      .next = with_advice(
          {"wait until that process is done, or end it", "请等待该进程结束，或将其终止"})};
}

Explanation explain_full(const std::filesystem::path& path, const char* words) {
  return {.happened = {fmt::format("the disk is full ({})", words),
                       fmt::format("磁盘空间已满（{}）", words)},
          .next = with_advice({fmt::format("free some space in '{}'", path.parent_path().string()),
                               fmt::format("请在 '{}' 释放空间", path.parent_path().string())})};
}

Explanation explain_damaged(const char* words) {
  return {.happened = {fmt::format("the database is damaged ({})", words),
                       fmt::format("数据库已损坏（{}）", words)},
          .next = {"run 'accept db check', keep the damaged file, and restore the newest copy made "
                   "by 'accept db backup'",
                   "请运行 'accept db check'，保留损坏的文件，并恢复最近一份 'accept db backup' "
                   "备份"}};
}

Explanation explain_access(int code, int error_number) {
  Text reason = base::system_error_text(error_number);
  if (error_number == 0) {
    reason = code == SQLITE_READONLY ? Text{"it may not be written", "没有写入权限"}
                                     : Text{"it may not be opened", "没有打开权限"};
  }
  return {
      .happened = std::move(reason),
      .next = with_advice({"check owner and mode of the file and its folder (group 'accept': "
                           "file 660, folder 2770)",
                           "请检查文件及其目录的属主和权限（属组 accept：文件 660，目录 2770）"})};
}

Explanation explain_input_output(const std::filesystem::path& path, const char* words,
                                 int error_number) {
  if (is_no_room(error_number)) {
    return explain_full(path, words);
  }
  const Text reason =
      error_number == 0 ? base::same_in_both("?") : base::system_error_text(error_number);
  const std::optional<Text> place = unsuitable_file_system(path);
  return {.happened = {fmt::format("{} ({})", words, reason.en),
                       fmt::format("{}（{}）", words, reason.zh)},
          .next = place
                      ? *place
                      : with_advice({"look into the kernel's log ('dmesg') for that disk; on a "
                                     "network file system (NFS, Lustre) use a local disk",
                                     "请查看该磁盘的内核日志（'dmesg'）；若位于网络文件系统（NFS、"
                                     "Lustre），请改用本地磁盘"})};
}

Explanation explain(const SQLite::Exception& exception, const std::filesystem::path& path,
                    int error_number) {
  constexpr int kPrimaryCode = 0xFF;
  const int code = exception.getErrorCode() & kPrimaryCode;
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return explain_locked(path);
    case SQLITE_FULL:
      return explain_full(path, exception.what());
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // our own SQL is tested: a table or column of it is missing
    case SQLITE_SCHEMA:
      return explain_damaged(exception.what());
    case SQLITE_NOTADB:
      return {.happened = {"the file is not a database", "该文件不是数据库"},
              .next = {"name the right file, or restore a copy made by 'accept db backup'",
                       "请指定正确的文件，或恢复 'accept db backup' 所做的备份"}};
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return explain_access(code, error_number);
    case SQLITE_IOERR:
    case SQLITE_PROTOCOL:
      return explain_input_output(path, exception.what(), error_number);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
    case SQLITE_MISMATCH:
      return {.kind = ErrorKind::bug, .happened = base::same_in_both(exception.what()), .next = {}};
    default:
      return {.happened = base::same_in_both(exception.what()), .next = {}};
  }
}

std::string name_of_process(long pid) {
  std::ifstream file(fmt::format("/proc/{}/comm", pid));
  std::string name;
  std::getline(file, name);
  return fmt::format("process {} ({})", pid, name.empty() ? "?" : base::printable(name));
}

}  // namespace

std::string writer_of(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat((path.string() + "-shm").c_str(), &status) != 0) {
    return "";
  }
  const std::string file =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // "3: POSIX  ADVISORY  WRITE 1234 fe:00:5678 120 120"
    std::istringstream fields(line);
    std::string number;
    std::string family;
    std::string strictness;
    std::string access;
    long pid = 0;
    std::string place;
    std::string first_byte;
    fields >> number >> family >> strictness >> access >> pid >> place >> first_byte;
    if (family == "POSIX" && access == "WRITE" && place == file && first_byte == "120" && pid > 0) {
      return name_of_process(pid);
    }
  }
  return "";
}

int system_error_of(const SQLite::Database* database) {
  return database == nullptr ? 0 : sqlite3_system_errno(database->getHandle());
}

bool is_no_room(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
}

void rethrow_as_error(const Text& tried, const std::filesystem::path& path, int error_number) {
  try {
    throw;
  } catch (const SQLite::Exception& exception) {
    Explanation why = explain(exception, path, error_number);
    throw Error(why.kind, {.tried = tried,
                           .on = path.string(),
                           .happened = std::move(why.happened),
                           .next = std::move(why.next)});
  }
}

}  // namespace harness::store
