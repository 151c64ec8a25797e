#include "harness/store/connection.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/store/file_descriptor.h"
#include "harness/store/file_system.h"
#include "harness/store/sqlite_error.h"

namespace harness::store {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Text;

constexpr int kApplicationId = 0x61636374;  // "acct", as in schemas/sql/0001_initial.sql
constexpr mode_t kFileMode = 0660;
constexpr mode_t kFolderMode = 02770;

const Text kTriedOpening{"open the database", "打开数据库"};

[[noreturn]] void fail(const fs::path& path, Text happened) {
  throw Error(
      ErrorKind::environment,
      {.tried = kTriedOpening,
       .on = path.string(),
       .happened = std::move(happened),
       .next = {"check owner and mode of the file and its folder (group 'accept': file 660, "
                "folder 2770), or name another database",
                "请检查文件及其目录的属主和权限（属组 accept：文件 660，目录 2770），或指定"
                "其他数据库"}});
}

void refuse_unsuitable_place(const fs::path& path) {
  if (const std::optional<Text> reason = unsuitable_file_system(path)) {
    throw Error(ErrorKind::environment, {.tried = kTriedOpening,
                                         .on = path.string(),
                                         .happened = *reason,
                                         .next = {"name a database on a local disk (ext4, xfs)",
                                                  "请指定位于本地磁盘（ext4、xfs）上的数据库"}});
  }
}

void make_parent(const fs::path& folder) {
  if (fs::exists(folder)) {
    return;
  }
  base::make_folder(folder.parent_path());
  // Another process may have made it a moment ago: then its mode is set already.
  if (::mkdir(folder.c_str(), kFolderMode) == 0) {
    ::chmod(folder.c_str(), kFolderMode);
  } else if (errno != EEXIST) {
    fail(folder, base::system_error_text(errno));
  }
}

/// Makes an empty file, or looks whether the one that is there can be used. It never opens an
/// existing one: closing it again would give up the locks of another connection of this process.
void make_file(const fs::path& path) {
  const FileDescriptor created(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode));
  if (created.is_open()) {
    ::fchmod(created.number(), kFileMode);
    return;
  }
  if (errno != EEXIST) {
    fail(path, base::system_error_text(errno));
  }
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) {
    fail(path, base::system_error_text(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    fail(path, {"it is not a regular file", "它不是普通文件"});
  }
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0 ||
      ::faccessat(AT_FDCWD, path.parent_path().c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    fail(path, base::system_error_text(errno));
  }
}

void configure(SQLite::Database& database) {
  sqlite3* connection = database.getHandle();
  sqlite3_extended_result_codes(connection, 1);
  // NOLINTNEXTLINE(*-vararg): this is how SQLite is configured
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  database.exec(
      "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON;"
      "PRAGMA recursive_triggers = ON; PRAGMA synchronous = FULL;"
      "PRAGMA journal_size_limit = 67108864");
}

DatabasePointer connect(const std::string& name, int flags, std::chrono::milliseconds timeout) {
  DatabasePointer database(new SQLite::Database(
      name, flags, static_cast<int>(timeout.count())));  // NOLINT(*-owning-memory)
  configure(*database);
  return database;
}

/// "file:" URI of `path` for a file that nobody writes to.
std::string immutable_uri(const fs::path& path) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    const bool is_plain = std::string_view("%?#").find(c) == std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

}  // namespace

void DatabaseDeleter::operator()(SQLite::Database* database) const {
  delete database;
}

FileContent content_of(SQLite::Database& database) {
  if (database.execAndGet("PRAGMA application_id").getInt() == kApplicationId) {
    return FileContent::our_store;
  }
  const bool is_blank = database.execAndGet("PRAGMA application_id").getInt() == 0 &&
                        database.execAndGet("PRAGMA user_version").getInt() == 0 &&
                        database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
  return is_blank ? FileContent::nothing : FileContent::foreign;
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path);
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
  return error ? absolute : folder / absolute.filename();
}

DatabasePointer connect_for_writing(const fs::path& path, std::chrono::milliseconds busy_timeout) {
  refuse_unsuitable_place(path);
  make_parent(path.parent_path());
  make_file(path);
  try {
    return connect(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, busy_timeout);
  } catch (...) {
    rethrow_as_error(kTriedOpening, path, 0);
  }
}

void use_write_ahead_log(SQLite::Database& database, const fs::path& path,
                         std::chrono::milliseconds busy_timeout) {
  const auto deadline = std::chrono::steady_clock::now() + busy_timeout;
  for (;;) {
    // SQLite does not wait here when another process makes the same change at the same time.
    const int result = database.tryExec("PRAGMA journal_mode = WAL");
    if (result != SQLITE_BUSY || std::chrono::steady_clock::now() >= deadline) {
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::string mode = database.execAndGet("PRAGMA journal_mode = WAL").getString();
  if (mode != "wal") {
    fail(path, {fmt::format("write-ahead logging does not work there (journal mode '{}')", mode),
                fmt::format("该处无法使用预写日志（日志模式 '{}'）", mode)});
  }
}

DatabasePointer connect_for_reading(const fs::path& path, std::chrono::milliseconds busy_timeout) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return nullptr;
    }
    fail(path, base::system_error_text(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    fail(path, {"it is not a regular file", "它不是普通文件"});
  }
  refuse_unsuitable_place(path);
  const bool has_log = fs::exists(path.string() + "-wal");
  if (status.st_size == 0 && !has_log) {
    return nullptr;
  }
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) {
    fail(path, base::system_error_text(errno));
  }
  try {
    DatabasePointer database =
        connect(path.string(), SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW, busy_timeout);
    database->execAndGet("SELECT count(*) FROM sqlite_schema");
    return database;
  } catch (const SQLite::Exception& exception) {
    const int code = exception.getErrorCode() & 0xFF;
    // In a folder that we may not write to, the shared index cannot be made. Without a log the file
    // stands for itself, and nobody writes to it now.
    if (has_log || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)) {
      rethrow_as_error(kTriedOpening, path, 0);
    }
  }
  try {
    return connect(immutable_uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, busy_timeout);
  } catch (...) {
    rethrow_as_error(kTriedOpening, path, 0);
  }
}

bool is_store_file(const fs::path& path) {
  constexpr std::size_t kIdOffset = 68;  // SQLite file format, section 1.3
  std::array<char, kIdOffset + 4> header{};
  std::ifstream file(path, std::ios::binary);
  file.read(header.data(), header.size());
  const std::string_view bytes(header.data(), header.size());
  return file.gcount() == static_cast<std::streamsize>(header.size()) &&
         bytes.starts_with("SQLite format 3") && bytes.substr(kIdOffset) == "acct";
}

void make_durable(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open() || ::fchmod(file.number(), kFileMode) != 0 || ::fsync(file.number()) != 0) {
    fail(path, base::system_error_text(errno));
  }
}

}  // namespace harness::store
