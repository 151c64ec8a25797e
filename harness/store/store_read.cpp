// Store: what is read.

#include <cstdint>
#include <utility>
#include <variant>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/store/row_io.h"
#include "harness/store/store_state.h"

namespace harness::store {
namespace {

using base::Text;

/// The conditions of one query with their values, in the order of their parameters.
class Conditions {
 public:
  using Value = std::variant<std::string, std::int64_t>;

  void add(std::string_view condition) { conditions_.emplace_back(condition); }
  void add(std::string_view condition, Value value) {
    add(condition);
    values_.push_back(std::move(value));
  }
  /// Adds the condition when `value` is not empty.
  void add_text(std::string_view condition, const std::string& value) {
    if (!value.empty()) {
      add(condition, value);
    }
  }
  std::string where() const {
    return conditions_.empty() ? "" : " WHERE " + base::join(conditions_, " AND ");
  }
  void bind(SQLite::Statement& statement) const {
    int index = 1;
    for (const Value& value : values_) {
      std::visit([&](const auto& bound) { bind_value(statement, index, bound); }, value);
      ++index;
    }
  }

 private:
  std::vector<std::string> conditions_;
  std::vector<Value> values_;
};

std::vector<RunRecord> runs_where(SQLite::Database& database, const Conditions& conditions,
                                  std::string_view tail) {
  SQLite::Statement statement(
      database,
      fmt::format("SELECT {} FROM run{}{}", column_list<RunRecord>(), conditions.where(), tail));
  conditions.bind(statement);
  std::vector<RunRecord> runs;
  while (statement.executeStep()) {
    runs.push_back(read_record<RunRecord>(statement, 0));
  }
  return runs;
}

std::string verdict_json_of(SQLite::Database& database, std::int64_t run_key) {
  SQLite::Statement statement(database,
                              "SELECT verdict_json FROM verdict_document WHERE run_key = ?");
  bind_value(statement, 1, run_key);
  return statement.executeStep() ? read_value<std::string>(statement, 0) : "";
}

std::vector<std::string> ids_beginning_with(SQLite::Database& database, std::string_view prefix) {
  constexpr std::size_t kEnoughToName = 5;
  SQLite::Statement statement(
      database,
      fmt::format("SELECT run_id FROM run WHERE run_id >= ? AND run_id < ? ORDER BY run_id "
                  "LIMIT {}",
                  kEnoughToName));
  bind_value(statement, 1, prefix);
  bind_value(statement, 2, std::string(prefix) + "\xF4\x8F\xBF\xBF");  // the last code point
  std::vector<std::string> ids;
  while (statement.executeStep()) {
    ids.push_back(read_value<std::string>(statement, 0));
  }
  return ids;
}

/// The only run whose id begins so; nothing when there is none.
std::optional<std::int64_t> run_key_beginning_with(SQLite::Database& database,
                                                   std::string_view prefix) {
  const std::vector<std::string> ids = ids_beginning_with(database, prefix);
  if (prefix.empty() || ids.empty()) {
    return std::nullopt;
  }
  if (ids.size() > 1) {
    const std::string names = base::join(ids, ", ");
    throw base::Error(base::ErrorKind::usage,
                      {.tried = {"find the run", "查找运行"},
                       .on = std::string(prefix),
                       .happened = {"several begin so: " + names, "有多个以此开头：" + names},
                       .next = {"give more of its name", "请给出更完整的名称"}});
  }
  return run_key_of(database, ids.front());
}

Conditions conditions_of(const RunFilter& filter) {
  Conditions conditions;
  conditions.add_text("suite = ?", filter.suite);
  conditions.add_text("system = ?", filter.system);
  conditions.add_text("cluster = ?", filter.cluster);
  conditions.add_text("started_utc >= ?", filter.since_utc);
  if (filter.verdict) {
    conditions.add("verdict = ?", std::string(model::verdict_name(*filter.verdict)));
  }
  if (!filter.includes_replays) {
    conditions.add("is_replay = 0");
  }
  if (!filter.includes_miniatures) {
    conditions.add("is_miniature = 0");
  }
  return conditions;
}

std::string_view condition_of(RunClass run_class) {
  switch (run_class) {
    case RunClass::real:
      return "r.is_replay = 0 AND r.is_miniature = 0";
    case RunClass::miniature:
      return "r.is_replay = 0 AND r.is_miniature = 1";
    case RunClass::replay:
      return "r.is_replay = 1";
  }
  return "0";
}

std::string_view condition_of(SeriesScope scope) {
  switch (scope) {
    case SeriesScope::whole_run:
      return "m.node IS NULL AND m.gpu_index IS NULL AND m.rank IS NULL";
    case SeriesScope::each_part:
      return "(m.node IS NOT NULL OR m.gpu_index IS NOT NULL OR m.rank IS NOT NULL)";
  }
  return "0";
}

Conditions conditions_of(const SeriesQuery& query) {
  Conditions conditions;
  conditions.add("r.suite = ?", query.suite);
  conditions.add("m.metric = ?", query.metric);
  conditions.add("r.state = 'DONE' AND r.is_valid = 1 AND r.verdict <> 'error'");
  conditions.add(condition_of(query.run_class));
  conditions.add(condition_of(query.scope));
  conditions.add_text("r.system = ?", query.system);
  conditions.add_text("r.cluster = ?", query.cluster);
  conditions.add_text("r.configuration = ?", query.configuration);
  conditions.add_text("r.image_digest = ?", query.image_digest);
  conditions.add_text("m.evidence = ?", query.evidence);
  conditions.add_text("r.started_utc >= ?", query.since_utc);
  if (query.node_count) {
    conditions.add("r.node_count = ?", std::int64_t{*query.node_count});
  }
  if (query.message_size_bytes) {
    conditions.add("m.message_size_bytes = ?", *query.message_size_bytes);
  } else {
    conditions.add("m.message_size_bytes IS NULL");
  }
  return conditions;
}

SeriesPoint point_in(const SQLite::Statement& statement) {
  return {.run_id = read_value<std::string>(statement, 0),
          .started_utc = read_value<std::string>(statement, 1),
          .value = read_value<double>(statement, 2),
          .unit = read_value<std::string>(statement, 3),
          .evidence = read_value<std::string>(statement, 4),
          .node = read_optional<std::string>(statement, 5),
          .gpu_index = read_optional<int>(statement, 6),
          .rank = read_optional<int>(statement, 7),
          .verdict = read_optional<model::VerdictWord>(statement, 8),
          .configuration = read_value<std::string>(statement, 9),
          .node_count = read_optional<int>(statement, 10),
          .image_digest = read_value<std::string>(statement, 11)};
}

const Text kTriedListing{"list the runs in", "列出运行于"};
const Text kTriedReading{"read a run from", "读取运行自"};

}  // namespace

std::optional<std::int64_t> run_key_of(SQLite::Database& database, std::string_view run_id) {
  SQLite::Statement statement(database, "SELECT run_key FROM run WHERE run_id = ?");
  bind_value(statement, 1, run_id);
  return statement.executeStep() ? std::optional(read_value<std::int64_t>(statement, 0))
                                 : std::nullopt;
}

RunRecord run_with_key(SQLite::Database& database, std::int64_t run_key) {
  Conditions conditions;
  conditions.add("run_key = ?", run_key);
  return runs_where(database, conditions, "").at(0);
}

std::vector<RunRecord> Store::open_runs() const {
  return state_->attempt(kTriedListing, [&] {
    Conditions conditions;
    conditions.add("state = 'OPEN'");
    return runs_where(*state_->database, conditions, " ORDER BY run_key");
  });
}

std::optional<RunRecord> Store::find_run(std::string_view id_or_prefix) const {
  return state_->attempt(kTriedReading, [&]() -> std::optional<RunRecord> {
    SQLite::Database& database = *state_->database;
    std::optional<std::int64_t> run_key = run_key_of(database, id_or_prefix);
    if (!run_key) {
      run_key = run_key_beginning_with(database, id_or_prefix);
    }
    if (!run_key) {
      return std::nullopt;
    }
    RunRecord run = run_with_key(database, *run_key);
    run.verdict_json = verdict_json_of(database, *run_key);
    return run;
  });
}

std::vector<RunRecord> Store::list_runs(const RunFilter& filter) const {
  return state_->attempt(kTriedListing, [&] {
    return runs_where(
        *state_->database, conditions_of(filter),
        fmt::format(" ORDER BY started_utc DESC, run_key DESC LIMIT {}", filter.limit));
  });
}

std::vector<SeriesPoint> Store::series(const SeriesQuery& query) const {
  return state_->attempt({"read a trend from", "读取趋势自"}, [&] {
    // CROSS JOIN fixes the order: runs by their index, then the figures that lie together per run.
    const Conditions conditions = conditions_of(query);
    SQLite::Statement statement(
        *state_->database,
        "SELECT r.run_id, r.started_utc, m.value, m.unit, m.evidence, m.node, m.gpu_index, m.rank,"
        " r.verdict, r.configuration, r.node_count, r.image_digest"
        " FROM run AS r CROSS JOIN measurement AS m ON m.run_key = r.run_key" +
            conditions.where() + " ORDER BY r.started_utc, r.run_key, m.ordinal");
    conditions.bind(statement);
    std::vector<SeriesPoint> points;
    while (statement.executeStep()) {
      points.push_back(point_in(statement));
    }
    return points;
  });
}

template <typename Record>
std::vector<Record> Store::children_of(std::string_view run_id, const Text& tried) const {
  return state_->attempt(tried, [&] {
    SQLite::Statement statement(
        *state_->database,
        fmt::format("SELECT {} FROM {} WHERE run_key = (SELECT run_key FROM run WHERE run_id = ?) "
                    "ORDER BY ordinal",
                    column_list<Record>(), Table<Record>::kName));
    bind_value(statement, 1, run_id);
    std::vector<Record> records;
    while (statement.executeStep()) {
      records.push_back(read_record<Record>(statement, 0));
    }
    return records;
  });
}

std::vector<AttemptRecord> Store::attempts_of(std::string_view run_id) const {
  return children_of<AttemptRecord>(run_id, kTriedReading);
}

std::vector<MeasurementRecord> Store::measurements_of(std::string_view run_id) const {
  return children_of<MeasurementRecord>(run_id, kTriedReading);
}

std::vector<EvaluationRecord> Store::evaluations_of(std::string_view run_id) const {
  return children_of<EvaluationRecord>(run_id, kTriedReading);
}

std::vector<FindingRecord> Store::findings_of(std::string_view run_id) const {
  return children_of<FindingRecord>(run_id, kTriedReading);
}

std::vector<ArtifactRecord> Store::artifacts_of(std::string_view run_id) const {
  return children_of<ArtifactRecord>(run_id, kTriedReading);
}

std::vector<EnvironmentEntry> Store::environment_of(std::string_view run_id) const {
  return children_of<EnvironmentEntry>(run_id, kTriedReading);
}

std::optional<std::string> Store::pruned_utc(std::string_view run_id) const {
  return state_->attempt(kTriedReading, [&]() -> std::optional<std::string> {
    SQLite::Statement statement(*state_->database,
                                "SELECT max(pruned_utc) FROM run_section "
                                "WHERE run_key = (SELECT run_key FROM run WHERE run_id = ?)");
    bind_value(statement, 1, run_id);
    return statement.executeStep() ? read_optional<std::string>(statement, 0) : std::nullopt;
  });
}

}  // namespace harness::store
