// Store: what is written.

#include <algorithm>
#include <cstdint>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/store/record_hash.h"
#include "harness/store/row_io.h"
#include "harness/store/store_state.h"

namespace harness::store {
namespace {

using base::Error;
using base::ErrorKind;
using base::Text;

Text tried_storing(std::string_view run_id) {
  const std::string name = base::printable(run_id, 200);
  return {fmt::format("store run '{}' in", name), fmt::format("存储运行 '{}' 到", name)};
}

const Text kTaken{"a run of this name is stored already: see 'accept show'",
                  "该名称的运行已存在：见 'accept show'"};

[[noreturn]] void refuse(const Text& tried, const std::filesystem::path& path, Text happened) {
  throw Error(ErrorKind::usage,
              {.tried = tried, .on = path.string(), .happened = std::move(happened), .next = {}});
}

void insert_open_run(SQLite::Database& database, const RunRecord& run) {
  SQLite::Statement statement(
      database, fmt::format("INSERT INTO run ({}) VALUES ({})", column_list<RunRecord>(),
                            parameter_list(column_names<RunRecord>().size())));
  bind_record(statement, 1, run);
  statement.exec();
}

template <typename Record>
void insert_children(SQLite::Database& database, std::int64_t run_key,
                     const std::vector<Record>& records) {
  SQLite::Statement statement(
      database,
      fmt::format("INSERT INTO {} (run_key, ordinal, {}) VALUES (?, ?, {})", Table<Record>::kName,
                  column_list<Record>(), parameter_list(column_names<Record>().size())));
  std::int64_t ordinal = 0;
  for (const Record& record : records) {
    bind_value(statement, 1, run_key);
    bind_value(statement, 2, ordinal);
    bind_record(statement, 3, record);
    statement.exec();
    statement.reset();
    ++ordinal;
  }
}

void insert_verdict(SQLite::Database& database, std::int64_t run_key, const std::string& json) {
  if (json.empty()) {
    return;
  }
  SQLite::Statement statement(database,
                              "INSERT INTO verdict_document (run_key, verdict_json) VALUES (?, ?)");
  bind_value(statement, 1, run_key);
  bind_value(statement, 2, json);
  statement.exec();
}

void insert_contents(SQLite::Database& database, std::int64_t run_key,
                     const RunContents& contents) {
  insert_children(database, run_key, contents.attempts);
  insert_children(database, run_key, contents.measurements);
  insert_children(database, run_key, contents.evaluations);
  insert_children(database, run_key, contents.findings);
  insert_children(database, run_key, contents.artifacts);
  insert_children(database, run_key, contents.environment);
}

void insert_sections(SQLite::Database& database, std::int64_t run_key,
                     const std::vector<Section>& sections) {
  SQLite::Statement statement(
      database,
      "INSERT INTO run_section (run_key, section, row_count, sha256) VALUES (?, ?, ?, ?)");
  for (const Section& section : sections) {
    bind_value(statement, 1, run_key);
    bind_value(statement, 2, section.name);
    bind_value(statement, 3, section.row_count);
    bind_value(statement, 4, section.sha256);
    statement.exec();
    statement.reset();
  }
}

/// Ends the run `run_key`, whose rows were inserted, with its hashes. The last step: from here on
/// the triggers refuse every change.
void close_run(SQLite::Database& database, std::int64_t run_key, RunRecord run) {
  const std::vector<Section> sections = compute_sections(database, run_key);
  insert_sections(database, run_key, sections);
  run.record_sha256 = record_sha256(run, sections);
  const int column_count = static_cast<int>(column_names<RunRecord>().size());
  SQLite::Statement statement(
      database,
      fmt::format("UPDATE run SET ({}) = ({}) WHERE run_key = ?", column_list<RunRecord>(),
                  parameter_list(static_cast<std::size_t>(column_count))));
  bind_record(statement, 1, run);
  bind_value(statement, column_count + 1, run_key);
  statement.exec();
}

RunRecord as_opened(RunRecord run) {
  run.state = RunState::open;
  run.verdict.reset();
  run.exit_code.reset();
  run.ended_utc.reset();
  run.record_sha256.clear();
  return run;
}

RunRecord as_ended(RunRecord run, const RunContents& contents) {
  run.is_valid = std::ranges::none_of(contents.findings, [](const FindingRecord& finding) {
    return finding.reason == model::reason_name(model::ReasonClass::invalid_run);
  });
  return run;
}

/// The rows of an ended run and its end, for the open run `run_key`.
void insert_outcome(SQLite::Database& database, std::int64_t run_key, const RunRecord& run,
                    const RunContents& contents) {
  insert_verdict(database, run_key, run.verdict_json);
  insert_contents(database, run_key, contents);
  close_run(database, run_key, as_ended(run, contents));
}

}  // namespace

void Store::begin_run(const RunRecord& run) {
  const Text tried = tried_storing(run.run_id);
  state_->change(tried, [&](SQLite::Database& database) {
    if (run_key_of(database, run.run_id)) {
      refuse(tried, state_->path, kTaken);
    }
    insert_open_run(database, as_opened(run));
  });
}

void Store::finish_run(const RunRecord& run, const RunContents& contents) {
  const Text tried = tried_storing(run.run_id);
  state_->change(tried, [&](SQLite::Database& database) {
    const auto run_key = run_key_of(database, run.run_id);
    if (!run_key) {
      refuse(tried, state_->path, {"it was never begun there", "该处没有此运行的开始记录"});
    }
    if (run_with_key(database, *run_key).state != RunState::open) {
      refuse(tried, state_->path,
             {"it has ended already and stays as it is", "该运行已结束，不可更改"});
    }
    insert_outcome(database, *run_key, run, contents);
  });
}

void Store::add_run(const RunRecord& run, const RunContents& contents) {
  const Text tried = tried_storing(run.run_id);
  state_->change(tried, [&](SQLite::Database& database) {
    if (run_key_of(database, run.run_id)) {
      refuse(tried, state_->path, kTaken);
    }
    insert_open_run(database, as_opened(run));
    insert_outcome(database, database.getLastInsertRowid(), run, contents);
  });
}

void Store::mark_lost(std::string_view run_id, std::string_view ended_utc, const Text& why) {
  const Text tried = tried_storing(run_id);
  state_->change(tried, [&](SQLite::Database& database) {
    const auto run_key = run_key_of(database, run_id);
    RunRecord run = run_key ? run_with_key(database, *run_key) : RunRecord{};
    if (!run_key || run.state != RunState::open) {
      refuse(tried, state_->path, {"no such run is open", "没有此名称的未结束运行"});
    }
    run.state = RunState::lost;
    run.ended_utc = std::string(ended_utc);
    run.headline = why;
    close_run(database, *run_key, run);
  });
}

}  // namespace harness::store
