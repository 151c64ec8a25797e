#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/store/sqlite_types.h"

// The numbered SQL files that make and change the schema. Inside the room only.

namespace harness::store {

struct Migration {
  int number = 0;  ///< from 1; the schema version it leads to
  std::filesystem::path file;
};

/// All of `sql_folder`, by number. Errors: environment when there is none or a number is missing or
/// double (a broken installation).
std::vector<Migration> list_migrations(const std::filesystem::path& sql_folder);

int schema_version_of(SQLite::Database& database);

/// Brings the schema from its version to the last one. Each step is one transaction that also sets
/// the version, so that a kill leaves it before or after a step. Throws SQLite exceptions.
/// Errors: bug when a file ends its transaction.
void migrate(SQLite::Database& database, const std::vector<Migration>& migrations);

/// The text of all tables, indexes and triggers, in a fixed order.
std::string schema_text_of(SQLite::Database& database);
/// As schema_text_of for an unharmed database of `version`.
std::string expected_schema_text(const std::vector<Migration>& migrations, int version);

}  // namespace harness::store
