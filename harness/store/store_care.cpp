// Store: check, backup, prune.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/store/record_hash.h"
#include "harness/store/row_io.h"
#include "harness/store/store_state.h"

namespace harness::store {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Text;

const Text kTriedBackup{"back up the database to", "备份数据库到"};
const Text kTriedPruning{"prune the database", "清理数据库"};

/// What SQLite itself finds wrong, at most 100 lines.
std::vector<Problem> structural_problems(SQLite::Database& database) {
  std::vector<Problem> problems;
  SQLite::Statement integrity(database, "PRAGMA integrity_check");
  while (integrity.executeStep()) {
    const std::string line = integrity.getColumn(0).getString();
    if (line != "ok") {
      problems.push_back({.run_id = "", .text = base::same_in_both(base::printable(line))});
    }
  }
  SQLite::Statement foreign_keys(database, "PRAGMA foreign_key_check");
  while (foreign_keys.executeStep()) {
    const std::string table = foreign_keys.getColumn(0).getString();
    problems.push_back(
        {.run_id = "",
         .text = {fmt::format("a row of table '{}' belongs to no run", base::printable(table)),
                  fmt::format("表 '{}' 中有一行不属于任何运行", base::printable(table))}});
  }
  return problems;
}

struct StoredSection {
  Section section;
  bool is_pruned = false;
};

std::vector<StoredSection> stored_sections(SQLite::Database& database, std::int64_t run_key) {
  SQLite::Statement statement(database,
                              "SELECT section, row_count, sha256, pruned_utc FROM run_section "
                              "WHERE run_key = ? ORDER BY section");
  bind_value(statement, 1, run_key);
  std::vector<StoredSection> sections;
  while (statement.executeStep()) {
    sections.push_back({.section = {.name = read_value<std::string>(statement, 0),
                                    .row_count = read_value<std::int64_t>(statement, 1),
                                    .sha256 = read_value<std::string>(statement, 2)},
                        .is_pruned = !is_null(statement, 3)});
  }
  return sections;
}

/// How the rows of one ended run differ from what was hashed when it ended.
std::vector<Text> record_problems(SQLite::Database& database, std::int64_t run_key,
                                  const RunRecord& run) {
  std::map<std::string, Section> found;
  for (Section& section : compute_sections(database, run_key)) {
    std::string name = section.name;
    found.emplace(std::move(name), std::move(section));
  }
  std::vector<Text> problems;
  std::vector<Section> hashed;
  for (const StoredSection& stored : stored_sections(database, run_key)) {
    const auto match = found.find(stored.section.name);
    const bool is_as_stored = stored.is_pruned
                                  ? match == found.end()
                                  : match != found.end() && match->second == stored.section;
    if (!is_as_stored) {
      problems.push_back({fmt::format("its rows '{}' were changed", stored.section.name),
                          fmt::format("其 '{}' 数据被改动", stored.section.name)});
    }
    found.erase(stored.section.name);
    hashed.push_back(stored.section);
  }
  for (const auto& [name, section] : found) {
    problems.push_back(
        {fmt::format("rows '{}' were added to it", name), fmt::format("被添加了 '{}' 数据", name)});
  }
  if (record_sha256(run, hashed) != run.record_sha256) {
    problems.push_back({"its record hash does not fit", "其记录哈希不符"});
  }
  return problems;
}

std::vector<Problem> changed_records(SQLite::Database& database) {
  std::vector<Problem> problems;
  SQLite::Statement statement(
      database, fmt::format("SELECT run_key, {} FROM run WHERE state <> 'OPEN' ORDER BY run_key",
                            column_list<RunRecord>()));
  while (statement.executeStep()) {
    const auto run = read_record<RunRecord>(statement, 1);
    for (Text& text : record_problems(database, read_value<std::int64_t>(statement, 0), run)) {
      problems.push_back({.run_id = run.run_id, .text = std::move(text)});
    }
  }
  return problems;
}

std::vector<Problem> schema_problems(SQLite::Database& database,
                                     const std::vector<Migration>& migrations) {
  const int version = schema_version_of(database);
  if (schema_text_of(database) == expected_schema_text(migrations, version)) {
    return {};
  }
  return {{.run_id = "",
           .text = {"its tables or triggers are not those of the program",
                    "其表或触发器与本程序的不一致"}}};
}

/// Takes the temporary copy away again unless it was renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

 private:
  fs::path path_;
};

void refuse_backup(const fs::path& target, Text happened, Text next) {
  throw Error(ErrorKind::usage, {.tried = kTriedBackup,
                                 .on = target.string(),
                                 .happened = std::move(happened),
                                 .next = std::move(next)});
}

void refuse_bad_target(const fs::path& database, const fs::path& target) {
  std::error_code ignored;
  if (fs::equivalent(database, target, ignored)) {
    refuse_backup(target, {"that is the database itself", "这就是数据库本身"},
                  {"name another file", "请指定其他文件"});
  }
  if (fs::exists(target, ignored) && !is_store_file(target)) {
    refuse_backup(target, {"there is a file that is no backup", "该处已有一个不是备份的文件"},
                  {"name another file", "请指定其他文件"});
  }
}

void check_copy(const fs::path& copy) {
  const SQLite::Database database(copy.string(), SQLITE_OPEN_READONLY);
  SQLite::Statement statement(database, "PRAGMA integrity_check");
  statement.executeStep();
  const std::string answer = statement.getColumn(0).getString();
  if (answer != "ok") {
    throw Error(ErrorKind::environment,
                {.tried = kTriedBackup,
                 .on = copy.string(),
                 .happened = {fmt::format("the copy is damaged: {}", base::printable(answer, 200)),
                              fmt::format("副本已损坏：{}", base::printable(answer, 200))},
                 .next = {"run 'accept db check'; an older backup was kept",
                          "请运行 'accept db check'；原有备份已保留"}});
  }
}

std::vector<std::int64_t> prunable_runs(SQLite::Database& database, const PruneRule& rule) {
  SQLite::Statement statement(
      database,
      "SELECT run_key FROM (SELECT run_key, ended_utc, row_number() OVER"
      " (PARTITION BY suite, system, cluster ORDER BY started_utc DESC, run_key DESC) AS age"
      " FROM run WHERE state <> 'OPEN') AS ended "
      "WHERE age > ? AND ended_utc < ? AND EXISTS (SELECT 1 FROM run_section AS s"
      " WHERE s.run_key = ended.run_key AND s.section IN (?, ?) AND s.pruned_utc IS NULL)"
      " ORDER BY run_key");
  bind_value(statement, 1, static_cast<std::int64_t>(rule.keep_newest));
  bind_value(statement, 2, rule.older_than_utc);
  bind_value(statement, 3, kPartMeasurements);
  bind_value(statement, 4, kEvaluations);
  std::vector<std::int64_t> run_keys;
  while (statement.executeStep()) {
    run_keys.push_back(read_value<std::int64_t>(statement, 0));
  }
  return run_keys;
}

/// Runs one statement with the run's key; how many rows it changed.
std::int64_t change(SQLite::Database& database, const char* sql, std::int64_t run_key) {
  SQLite::Statement statement(database, sql);
  bind_value(statement, 1, run_key);
  return statement.exec();
}

std::int64_t count_in(SQLite::Database& database, std::string_view section, std::int64_t run_key) {
  SQLite::Statement statement(database,
                              "SELECT coalesce(sum(row_count), 0) FROM run_section "
                              "WHERE run_key = ? AND section = ? AND pruned_utc IS NULL");
  bind_value(statement, 1, run_key);
  bind_value(statement, 2, section);
  statement.executeStep();
  return read_value<std::int64_t>(statement, 0);
}

void mark_pruned(SQLite::Database& database, std::int64_t run_key, std::string_view now_utc) {
  SQLite::Statement statement(database,
                              "UPDATE run_section SET pruned_utc = ? WHERE run_key = ? "
                              "AND section IN (?, ?) AND pruned_utc IS NULL");
  bind_value(statement, 1, now_utc);
  bind_value(statement, 2, run_key);
  bind_value(statement, 3, kPartMeasurements);
  bind_value(statement, 4, kEvaluations);
  statement.exec();
}

PruneCounts prune_run(SQLite::Database& database, std::int64_t run_key, std::string_view now_utc) {
  change(database, "INSERT INTO prune_permit (run_key) VALUES (?)", run_key);
  const PruneCounts counts{
      .runs = 1,
      .measurements = change(database,
                             "DELETE FROM measurement WHERE run_key = ? AND (node IS NOT NULL "
                             "OR gpu_index IS NOT NULL OR rank IS NOT NULL)",
                             run_key),
      .evaluations = change(database, "DELETE FROM evaluation WHERE run_key = ?", run_key)};
  mark_pruned(database, run_key, now_utc);
  change(database, "DELETE FROM prune_permit WHERE run_key = ?", run_key);
  return counts;
}

void add(PruneCounts& sum, const PruneCounts& counts) {
  sum.runs += counts.runs;
  sum.measurements += counts.measurements;
  sum.evaluations += counts.evaluations;
}

PruneCounts count_detail(SQLite::Database& database, const std::vector<std::int64_t>& run_keys) {
  PruneCounts sum;
  for (const std::int64_t run_key : run_keys) {
    add(sum, {.runs = 1,
              .measurements = count_in(database, kPartMeasurements, run_key),
              .evaluations = count_in(database, kEvaluations, run_key)});
  }
  return sum;
}

PruneCounts prune_runs(SQLite::Database& database, std::span<const std::int64_t> run_keys,
                       std::string_view now_utc) {
  PruneCounts sum;
  for (const std::int64_t run_key : run_keys) {
    add(sum, prune_run(database, run_key, now_utc));
  }
  return sum;
}

}  // namespace

std::vector<Problem> Store::check() const {
  SQLite::Database& database = *state_->database;
  std::vector<Problem> problems;
  const std::array<std::function<std::vector<Problem>()>, 3> steps{
      [&] { return structural_problems(database); },
      [&] { return schema_problems(database, state_->migrations); },
      [&] { return changed_records(database); }};
  for (const auto& step : steps) {
    try {
      std::ranges::move(state_->attempt({"check", "检查"}, step), std::back_inserter(problems));
    } catch (const Error& error) {  // what a damaged file makes impossible is a problem, too
      problems.push_back({.run_id = "", .text = error.parts().happened});
    }
  }
  return problems;
}

void Store::backup_to(const fs::path& target) const {
  const fs::path place = resolved(target);
  refuse_bad_target(state_->path, place);
  const fs::path copy = fmt::format("{}.{}.part", place.string(), ::getpid());
  const TemporaryFile temporary(copy);
  std::error_code error;
  fs::remove(copy, error);
  try {
    SQLite::Statement statement(*state_->database, "VACUUM INTO ?");
    bind_value(statement, 1, copy.string());
    statement.exec();
    check_copy(copy);
  } catch (...) {
    rethrow_as_error(kTriedBackup, place, system_error_of(state_->database.get()));
  }
  make_durable(copy);
  fs::rename(copy, place, error);
  if (error) {
    throw Error(ErrorKind::environment, {.tried = kTriedBackup,
                                         .on = place.string(),
                                         .happened = base::system_error_text(error.value()),
                                         .next = {}});
  }
}

PruneCounts Store::prune(const PruneRule& rule, PruneMode mode, std::string_view now_utc) {
  constexpr std::size_t kRunsPerTransaction = 20;  // keeps the log small
  const std::vector<std::int64_t> run_keys =
      state_->attempt(kTriedPruning, [&] { return prunable_runs(*state_->database, rule); });
  if (mode == PruneMode::dry_run) {
    return state_->attempt(kTriedPruning,
                           [&] { return count_detail(*state_->database, run_keys); });
  }
  PruneCounts sum;
  for (std::size_t first = 0; first < run_keys.size(); first += kRunsPerTransaction) {
    const std::size_t count = std::min(kRunsPerTransaction, run_keys.size() - first);
    const std::span batch = std::span(run_keys).subspan(first, count);
    state_->change(kTriedPruning, [&](SQLite::Database& database) {
      add(sum, prune_runs(database, batch, now_utc));
    });
  }
  return sum;
}

}  // namespace harness::store
