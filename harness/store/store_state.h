#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/connection.h"
#include "harness/store/migrations.h"
#include "harness/store/sqlite_error.h"
#include "harness/store/store.h"

// What an open Store holds. Inside the room only.

namespace harness::store {

enum class Access { read, write };

struct Store::State {
  std::filesystem::path path;
  DatabasePointer database;
  std::vector<Migration> migrations;
  Access access = Access::read;
  int error_number = 0;  ///< errno behind the failure of the last write, before it was rolled back

  /// Runs `action`; its SQLite exceptions leave as Errors that say what was tried.
  template <typename Action>
  auto attempt(const base::Text& tried, const Action& action) {
    error_number = 0;
    try {
      return action();
    } catch (...) {
      rethrow_as_error(tried, path,
                       error_number != 0 ? error_number : system_error_of(database.get()));
    }
  }

  /// Runs `action` in one transaction that is on disk when it returns, or not at all.
  template <typename Action>
  void change(const base::Text& tried, const Action& action) {
    attempt(tried, [&] {
      begin_write();
      try {
        action(*database);
        commit();
      } catch (...) {
        roll_back();
        throw;
      }
    });
  }

 private:
  void begin_write() const;
  void commit() const;
  void roll_back() noexcept;
};

/// Nothing when there is no such run. Throws SQLite exceptions.
std::optional<std::int64_t> run_key_of(SQLite::Database& database, std::string_view run_id);
RunRecord run_with_key(SQLite::Database& database, std::int64_t run_key);

}  // namespace harness::store
