#include "harness/store/store.h"

#include <cerrno>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/store/store_state.h"

namespace harness::store {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Text;

const Text kTriedOpening{"open the database", "打开数据库"};

[[noreturn]] void refuse(const fs::path& path, Text happened, Text next) {
  throw Error(ErrorKind::usage, {.tried = kTriedOpening,
                                 .on = path.string(),
                                 .happened = std::move(happened),
                                 .next = std::move(next)});
}

void refuse_foreign(SQLite::Database& database, const fs::path& path) {
  if (content_of(database) == FileContent::foreign) {
    refuse(path, {"it is a SQLite database of another program", "它是其他程序的 SQLite 数据库"},
           {"name the database of accept, or a new file", "请指定 accept 的数据库或一个新文件"});
  }
}

void refuse_newer(int version, int known, const fs::path& path) {
  if (version > known) {
    refuse(path,
           {fmt::format("its schema is number {}, this accept knows up to {}", version, known),
            fmt::format("其结构版本为 {}，本 accept 只支持到 {}", version, known)},
           {"upgrade accept to the version that wrote it last; nothing was changed",
            "请将 accept 升级到最后写入它的版本；未作任何修改"});
  }
}

}  // namespace

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Store::~Store() {
  if (state_ != nullptr && state_->access == Access::write) {
    // Tidies the log away when nobody reads it; whoever reads it now keeps it.
    state_->database->tryExec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  }
}

// BEGIN IMMEDIATE: a reader that turns writer in the middle would fail without waiting.
void Store::State::begin_write() const {
  database->exec("BEGIN IMMEDIATE");
}

void Store::State::commit() const {
  database->exec("COMMIT");
}

void Store::State::roll_back() noexcept {
  // SQLite keeps no errno of a failed commit; what is set since the beginning is of that write.
  const int last_error = errno;
  error_number = system_error_of(database.get());
  if (error_number == 0 && is_no_room(last_error)) {
    error_number = last_error;
  }
  // Fails when SQLite has rolled back itself, as on a full disk: then there is nothing to do.
  database->tryExec("ROLLBACK");
}

Store Store::open(const fs::path& database, const fs::path& sql_folder, StoreOptions options) {
  auto state = std::make_unique<State>();
  state->path = resolved(database);
  state->migrations = list_migrations(sql_folder);
  state->access = Access::write;
  state->database = connect_for_writing(state->path, options.busy_timeout);
  SQLite::Database& connection = *state->database;
  state->attempt(kTriedOpening, [&] {
    refuse_foreign(connection, state->path);
    const int known = state->migrations.back().number;
    refuse_newer(schema_version_of(connection), known, state->path);
    use_write_ahead_log(connection, state->path, options.busy_timeout);
    migrate(connection, state->migrations);
    refuse_newer(schema_version_of(connection), known, state->path);
  });
  return Store(std::move(state));
}

std::optional<Store> Store::open_read_only(const fs::path& database, const fs::path& sql_folder,
                                           StoreOptions options) {
  auto state = std::make_unique<State>();
  state->path = resolved(database);
  state->migrations = list_migrations(sql_folder);
  state->database = connect_for_reading(state->path, options.busy_timeout);
  if (state->database == nullptr) {
    return std::nullopt;
  }
  SQLite::Database& connection = *state->database;
  const bool is_empty = state->attempt(kTriedOpening, [&] {
    refuse_foreign(connection, state->path);
    const int version = schema_version_of(connection);
    const int known = state->migrations.back().number;
    refuse_newer(version, known, state->path);
    if (version > 0 && version < known) {
      refuse(state->path,
             {fmt::format("its schema is number {}, this accept reads {}", version, known),
              fmt::format("其结构版本为 {}，本 accept 读取版本 {}", version, known)},
             {"open it once for writing, which migrates it: any 'accept run' or 'accept import'",
              "请先以写入方式打开一次以完成迁移：任一 'accept run' 或 'accept import'"});
    }
    return version == 0;
  });
  return is_empty ? std::nullopt : std::optional(Store(std::move(state)));
}

int Store::schema_version() const {
  return state_->attempt({"read the database", "读取数据库"},
                         [&] { return schema_version_of(*state_->database); });
}

}  // namespace harness::store
