#pragma once

#include <filesystem>
#include <string>

#include "harness/base/text.h"
#include "harness/store/sqlite_types.h"

// What SQLite throws, as the program's Error. Inside the room only.

namespace harness::store {

/// errno of the last failed system call of the connection; 0: none, or `database` is null.
int system_error_of(const SQLite::Database* database);

/// True for the errno values of a full disk, a quota and a file size limit.
bool is_no_room(int error_number);

/// Call inside a catch block. A SQLite exception becomes an Error that says who or what is in the
/// way and what to do; anything else goes on unchanged. `error_number`: errno behind it, or 0.
[[noreturn]] void rethrow_as_error(const base::Text& tried, const std::filesystem::path& path,
                                   int error_number);

/// "process 1234 (python3)" for the process that holds the write lock of the database at `path`;
/// empty when it cannot be seen. Source: proc(5), /proc/locks; SQLite's WAL format, section 2.3.1
/// (write lock: byte 120 of the -shm file).
std::string writer_of(const std::filesystem::path& path);

}  // namespace harness::store
