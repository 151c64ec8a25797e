#include "harness/store/migrations.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/number.h"

namespace harness::store {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;

constexpr std::size_t kFileLimitBytes = 1U << 20U;

[[noreturn]] void fail(ErrorKind kind, const fs::path& path, base::Text happened) {
  throw Error(kind, {.tried = {"read the database schema", "读取数据库结构文件"},
                     .on = path.string(),
                     .happened = std::move(happened),
                     .next = {"install accept again: its schemas/sql folder is not complete",
                              "请重新安装 accept：其 schemas/sql 目录不完整"}});
}

/// 12 of "0012_name.sql"; nothing for another name.
std::optional<int> number_of(const fs::path& file) {
  const std::string name = file.filename().string();
  constexpr std::size_t kDigits = 4;
  if (file.extension() != ".sql" || name.size() <= kDigits || name[kDigits] != '_') {
    return std::nullopt;
  }
  const auto number = base::parse_integer(std::string_view(name).substr(0, kDigits));
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

void apply(SQLite::Database& database, const Migration& migration) {
  const std::string sql = base::read_file(migration.file, kFileLimitBytes);
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if (schema_version_of(database) >= migration.number) {
    return;  // another process was faster
  }
  database.exec(sql);
  if (sqlite3_get_autocommit(database.getHandle()) != 0) {
    fail(ErrorKind::bug, migration.file,
         {"it ends the transaction it runs in", "它结束了所在的事务"});
  }
  database.exec(fmt::format("PRAGMA user_version = {}", migration.number));
  transaction.commit();
}

}  // namespace

std::vector<Migration> list_migrations(const fs::path& sql_folder) {
  std::vector<Migration> migrations;
  std::error_code error;
  for (fs::directory_iterator entry(sql_folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (const std::optional<int> number = number_of(entry->path())) {
      migrations.push_back({*number, entry->path()});
    }
  }
  if (error) {
    fail(ErrorKind::environment, sql_folder, base::system_error_text(error.value()));
  }
  std::ranges::sort(migrations, {}, &Migration::number);
  for (std::size_t i = 0; i < migrations.size(); ++i) {
    if (migrations[i].number != static_cast<int>(i) + 1) {
      fail(ErrorKind::environment, migrations[i].file,
           {"its number does not follow the one before", "编号与前一个文件不连续"});
    }
  }
  if (migrations.empty()) {
    fail(ErrorKind::environment, sql_folder,
         {"it holds no migration (NNNN_name.sql)", "其中没有迁移文件（NNNN_名称.sql）"});
  }
  return migrations;
}

int schema_version_of(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt();
}

void migrate(SQLite::Database& database, const std::vector<Migration>& migrations) {
  const int version = schema_version_of(database);
  for (const Migration& migration : migrations) {
    if (migration.number > version) {
      apply(database, migration);
    }
  }
}

std::string schema_text_of(SQLite::Database& database) {
  SQLite::Statement statement(database,
                              "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema "
                              "WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name");
  std::string text;
  while (statement.executeStep()) {
    for (int column = 0; column < statement.getColumnCount(); ++column) {
      text += statement.getColumn(column).getString() + '\n';
    }
  }
  return text;
}

std::string expected_schema_text(const std::vector<Migration>& migrations, int version) {
  SQLite::Database database(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  for (const Migration& migration : migrations) {
    if (migration.number <= version) {
      apply(database, migration);
    }
  }
  return schema_text_of(database);
}

}  // namespace harness::store
