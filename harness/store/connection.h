#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "harness/store/sqlite_types.h"

// Opens database files as this program needs them. Inside the room only.

namespace harness::store {

struct DatabaseDeleter {
  void operator()(SQLite::Database* database) const;
};
using DatabasePointer = std::unique_ptr<SQLite::Database, DatabaseDeleter>;

/// What the file behind a connection holds.
enum class FileContent { nothing, our_store, foreign };
FileContent content_of(SQLite::Database& database);

/// `path` with all links of its folder resolved, absolute. SQLite then refuses a link at its end.
std::filesystem::path resolved(const std::filesystem::path& path);

/// A connection that may write; makes folder and file when missing. Not yet in WAL mode.
/// Errors: environment, as Store::open.
DatabasePointer connect_for_writing(const std::filesystem::path& path,
                                    std::chrono::milliseconds busy_timeout);

/// Switches the file to write-ahead logging. Throws SQLite exceptions.
/// Errors: environment when it cannot be had there.
void use_write_ahead_log(SQLite::Database& database, const std::filesystem::path& path,
                         std::chrono::milliseconds busy_timeout);

/// A connection that cannot write; null when the file is missing or empty.
/// Errors: environment, as Store::open.
DatabasePointer connect_for_reading(const std::filesystem::path& path,
                                    std::chrono::milliseconds busy_timeout);

/// True when the file begins as a database of ours does; opens it as a plain file.
bool is_store_file(const std::filesystem::path& path);

/// Sets mode 660 and brings the file to the disk. Errors: environment.
void make_durable(const std::filesystem::path& path);

}  // namespace harness::store
