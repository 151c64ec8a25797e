#include "harness/store/store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "harness/store/record_of.h"
#include "tests/store/store_fixture.h"

namespace harness::store {
namespace {

using base::ErrorKind;

std::vector<std::string> ids_of(const std::vector<RunRecord>& runs) {
  std::vector<std::string> ids;
  ids.reserve(runs.size());
  for (const RunRecord& run : runs) {
    ids.push_back(run.run_id);
  }
  return ids;
}

using Ids = std::vector<std::string>;

TEST_F(StoreTest, GivesBackARunAndItsContentsAsTheyWereStored) {
  const RunContents contents = some_contents();
  {
    Store store = open();
    store.begin_run(open_run("r-1"));
    store.finish_run(done_run("r-1"), contents);
  }
  const std::optional<Store> store = Store::open_read_only(database_, kSqlFolder);
  ASSERT_TRUE(store);
  RunRecord expected = done_run("r-1");
  const std::optional<RunRecord> found = store->find_run("r-1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->record_sha256.size(), 64U);
  expected.record_sha256 = found->record_sha256;
  EXPECT_EQ(text_of(*found), text_of(expected));
  EXPECT_EQ(found->verdict_json, expected.verdict_json);
  EXPECT_EQ(text_of(store->attempts_of("r-1")), text_of(contents.attempts));
  EXPECT_EQ(text_of(store->measurements_of("r-1")), text_of(contents.measurements));
  EXPECT_EQ(text_of(store->evaluations_of("r-1")), text_of(contents.evaluations));
  EXPECT_EQ(text_of(store->findings_of("r-1")), text_of(contents.findings));
  EXPECT_EQ(text_of(store->artifacts_of("r-1")), text_of(contents.artifacts));
  EXPECT_EQ(text_of(store->environment_of("r-1")), text_of(contents.environment));
  EXPECT_TRUE(store->check().empty());
}

TEST_F(StoreTest, KeepsTheExactBytesOfTheVerdict) {
  RunRecord run = done_run("r-1");
  run.verdict_json = std::string("{\"a\": 1.50,\r\n \"训练\": \"\\u0000\"}\n\0\n", 35);
  open().add_run(run, {});
  EXPECT_EQ(open().find_run("r-1")->verdict_json, run.verdict_json);
}

TEST_F(StoreTest, SameRunGivesTheSameRecordHash) {
  open().add_run(done_run("r-1"), some_contents());
  const std::string first = open().find_run("r-1")->record_sha256;
  fs::remove(database_);
  Store store = open();
  store.add_run(done_run("r-0"), {});
  store.begin_run(open_run("r-1"));
  store.finish_run(done_run("r-1"), some_contents());
  EXPECT_EQ(store.find_run("r-1")->record_sha256, first);
  EXPECT_NE(store.find_run("r-0")->record_sha256, first);
}

TEST_F(StoreTest, OpenRunsNameTheirOpener) {
  Store store = open();
  store.begin_run(open_run("r-1"));
  store.add_run(done_run("r-2"), {});
  const std::vector<RunRecord> runs = store.open_runs();
  ASSERT_EQ(ids_of(runs), Ids{"r-1"});
  EXPECT_TRUE(is_running(runs[0].opener));
  EXPECT_FALSE(runs[0].verdict);
  EXPECT_TRUE(runs[0].record_sha256.empty());
}

TEST_F(StoreTest, LostRunHasNoVerdict) {
  Store store = open();
  store.begin_run(open_run("r-1"));
  store.mark_lost("r-1", "2026-12-01T00:00:00Z", {"accept was killed", "accept 被终止"});
  const RunRecord run = *store.find_run("r-1");
  EXPECT_EQ(run.state, RunState::lost);
  EXPECT_FALSE(run.verdict);
  EXPECT_EQ(run.headline.en, "accept was killed");
  EXPECT_TRUE(store.open_runs().empty());
  EXPECT_TRUE(store.check().empty());
  const auto again = [&] { store.mark_lost("r-1", "2026-12-01T00:00:00Z", {}); };
  EXPECT_EQ(error_of(again).kind(), ErrorKind::usage);
}

TEST_F(StoreTest, FindsByUniquePrefixOnly) {
  Store store = open();
  for (const char* id : {"r-20261130-a", "r-20261201-a", "r-20261201-ab"}) {
    store.add_run(done_run(id), {});
  }
  EXPECT_EQ(store.find_run("r-20261130")->run_id, "r-20261130-a");
  EXPECT_EQ(store.find_run("r-20261201-a")->run_id, "r-20261201-a") << "an exact id wins";
  EXPECT_FALSE(store.find_run("r-2027"));
  EXPECT_FALSE(store.find_run(""));
  EXPECT_FALSE(store.find_run("r-%"));
  const base::Error error = error_of([&] { store.find_run("r-20261201"); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(error.parts().happened.en.find("r-20261201-ab"), std::string::npos);
}

TEST_F(StoreTest, TakesEachNameOnce) {
  Store store = open();
  store.begin_run(open_run("r-1"));
  EXPECT_EQ(error_of([&] { store.begin_run(open_run("r-1")); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { store.add_run(done_run("r-1"), {}); }).kind(), ErrorKind::usage);
}

TEST_F(StoreTest, FinishesOnlyAnOpenRunThatIsTheSame) {
  Store store = open();
  EXPECT_EQ(error_of([&] { store.finish_run(done_run("r-1"), {}); }).kind(), ErrorKind::usage);
  store.begin_run(open_run("r-1"));
  RunRecord other = done_run("r-1");
  other.started_utc = "2026-11-30T02:00:00Z";
  EXPECT_EQ(error_of([&] { store.finish_run(other, {}); }).kind(), ErrorKind::bug);
  store.finish_run(done_run("r-1"), {});
  EXPECT_EQ(error_of([&] { store.finish_run(done_run("r-1"), {}); }).kind(), ErrorKind::usage);
}

TEST_F(StoreTest, FigureThatIsNotFiniteLeavesTheRunOpenAndWhole) {
  Store store = open();
  store.begin_run(open_run("r-1"));
  RunContents contents = some_contents();
  contents.measurements[3].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { store.finish_run(done_run("r-1"), contents); }).kind(), ErrorKind::bug);
  EXPECT_TRUE(store.measurements_of("r-1").empty());
  store.finish_run(done_run("r-1"), some_contents());
  EXPECT_TRUE(store.check().empty());
}

class ListTest : public StoreTest {
 protected:
  void add(const std::string& id, const std::string& day, void (*change)(RunRecord&),
           const RunContents& contents = some_contents()) {
    RunRecord run = done_run(id);
    run.started_utc = day + "T01:30:00Z";
    run.ended_utc = day + "T05:00:00Z";
    change(run);
    store_.add_run(run, contents);
  }
  static void nothing(RunRecord& /*run*/) {}

  Store store_ = open();
};

TEST_F(ListTest, FiltersAndSortsNewestFirst) {
  add("a", "2026-11-01", nothing);
  add("b", "2026-11-02", [](RunRecord& run) { run.suite = "bert"; });
  add("c", "2026-11-03", [](RunRecord& run) { run.verdict = model::VerdictWord::fail; });
  add("d", "2026-11-04", [](RunRecord& run) { run.is_replay = true; });
  add("e", "2026-11-05", [](RunRecord& run) { run.is_miniature = true; });
  add("f", "2026-11-06", [](RunRecord& run) { run.cluster = "prod-b"; });
  EXPECT_EQ(ids_of(store_.list_runs({})), (Ids{"f", "e", "d", "c", "b", "a"}));
  EXPECT_EQ(ids_of(store_.list_runs({.limit = 2})), (Ids{"f", "e"}));
  EXPECT_EQ(ids_of(store_.list_runs({.suite = "bert"})), Ids{"b"});
  EXPECT_EQ(ids_of(store_.list_runs({.cluster = "prod-b"})), Ids{"f"});
  EXPECT_EQ(ids_of(store_.list_runs({.verdict = model::VerdictWord::fail})), Ids{"c"});
  EXPECT_EQ(ids_of(store_.list_runs({.since_utc = "2026-11-05"})), (Ids{"f", "e"}));
  EXPECT_EQ(ids_of(store_.list_runs({.includes_replays = false, .includes_miniatures = false})),
            (Ids{"f", "c", "b", "a"}));
  EXPECT_TRUE(store_.list_runs({.system = "' OR 1=1 --"}).empty());
}

Ids ids_of(const std::vector<SeriesPoint>& points) {
  Ids ids;
  for (const SeriesPoint& point : points) {
    ids.push_back(point.run_id);
  }
  return ids;
}

TEST_F(ListTest, SeriesNeverMixesWhatIsNotComparable) {
  RunContents invalid = some_contents();
  invalid.findings[0].reason = "invalid_run";
  add("real-1", "2026-11-02", nothing);
  add("real-0", "2026-11-01", nothing);
  add("failed", "2026-11-03", [](RunRecord& run) { run.verdict = model::VerdictWord::fail; });
  add(
      "invalid", "2026-11-04", [](RunRecord& run) { run.verdict = model::VerdictWord::fail; },
      invalid);
  add("error", "2026-11-05", [](RunRecord& run) { run.verdict = model::VerdictWord::error; });
  add("aborted", "2026-11-06", [](RunRecord& run) { run.state = RunState::aborted; });
  add("replay", "2026-11-07", [](RunRecord& run) { run.is_replay = true; });
  add("small", "2026-11-08", [](RunRecord& run) { run.is_miniature = true; });
  SeriesQuery query{.metric = "time_to_train_s", .suite = "gpt3"};
  EXPECT_EQ(ids_of(store_.series(query)), (Ids{"real-0", "real-1", "failed"}));
  query.run_class = RunClass::replay;
  EXPECT_EQ(ids_of(store_.series(query)), Ids{"replay"});
  query.run_class = RunClass::miniature;
  EXPECT_EQ(ids_of(store_.series(query)), Ids{"small"});
  EXPECT_FALSE(store_.find_run("invalid")->is_valid);
}

TEST_F(ListTest, SeriesTellsPartsAndMessageSizesApart) {
  add("a", "2026-11-01", nothing);
  SeriesQuery query{.metric = "bus_bandwidth_gb_per_s", .suite = "gpt3"};
  EXPECT_TRUE(store_.series(query).empty()) << "every figure of it has a message size";
  query.message_size_bytes = 8589934592;
  std::vector<SeriesPoint> points = store_.series(query);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_DOUBLE_EQ(points[0].value, 361.5);
  EXPECT_EQ(points[0].unit, "GB/s");
  query.scope = SeriesScope::each_part;
  points = store_.series(query);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].node, "n07");
}

TEST_F(ListTest, SeriesFilters) {
  add("a", "2026-11-01", nothing);
  add("b", "2026-11-02", [](RunRecord& run) { run.node_count = 16; });
  add("c", "2026-11-03", [](RunRecord& run) { run.image_digest = "sha256:2e"; });
  add("d", "2026-11-04", [](RunRecord& run) { run.configuration = "gpt3/16x8"; });
  const SeriesQuery all{.metric = "time_to_train_s", .suite = "gpt3"};
  SeriesQuery query = all;
  query.node_count = 16;
  EXPECT_EQ(ids_of(store_.series(query)), Ids{"b"});
  query = all;
  query.image_digest = "sha256:2e";
  EXPECT_EQ(ids_of(store_.series(query)), Ids{"c"});
  query = all;
  query.configuration = "gpt3/16x8";
  EXPECT_EQ(ids_of(store_.series(query)), Ids{"d"});
  query = all;
  query.since_utc = "2026-11-03";
  EXPECT_EQ(ids_of(store_.series(query)), (Ids{"c", "d"}));
  query.evidence = "results_json";
  EXPECT_TRUE(store_.series(query).empty());
}

TEST_F(ListTest, PruneDropsDetailAndKeepsTheRest) {
  add("a", "2025-01-01", nothing);
  add("b", "2025-01-02", nothing);
  add("c", "2026-11-01", nothing);
  store_.begin_run(open_run("open"));
  const PruneRule rule{.older_than_utc = "2026-01-01T00:00:00Z", .keep_newest = 1};
  const PruneCounts expected{.runs = 2, .measurements = 4, .evaluations = 4};
  const std::string now = "2026-12-01T00:00:00Z";
  EXPECT_EQ(store_.prune(rule, PruneMode::dry_run, now), expected);
  EXPECT_EQ(store_.measurements_of("a").size(), 4U);
  EXPECT_EQ(store_.prune(rule, PruneMode::apply, now), expected);
  EXPECT_EQ(store_.prune(rule, PruneMode::apply, now), PruneCounts{});
  EXPECT_EQ(store_.measurements_of("a").size(), 2U);
  EXPECT_TRUE(store_.evaluations_of("a").empty());
  EXPECT_EQ(text_of(store_.findings_of("a")), text_of(some_contents().findings));
  EXPECT_EQ(store_.find_run("a")->verdict_json, done_run("a").verdict_json);
  EXPECT_EQ(store_.pruned_utc("a"), now);
  EXPECT_FALSE(store_.pruned_utc("c"));
  EXPECT_EQ(store_.measurements_of("c").size(), 4U);
  EXPECT_EQ(ids_of(store_.series({.metric = "time_to_train_s", .suite = "gpt3"})),
            (Ids{"a", "b", "c"}));
  EXPECT_TRUE(store_.check().empty()) << "the record hash outlives pruned rows";
}

TEST_F(ListTest, PruneKeepsTheNewestOfEachSuite) {
  add("a", "2025-01-01", nothing);
  add("b", "2025-01-02", nothing);
  add("c", "2025-01-03", [](RunRecord& run) { run.suite = "bert"; });
  const PruneRule rule{.older_than_utc = "2026-01-01T00:00:00Z", .keep_newest = 1};
  EXPECT_EQ(store_.prune(rule, PruneMode::dry_run, "2026-12-01T00:00:00Z").runs, 1);
}

// Whoever opens the file with another program meets the triggers.

class AppendOnlyTest : public StoreTest {
 protected:
  AppendOnlyTest() { open().add_run(done_run("r-1"), some_contents()); }

  /// The message with which SQLite refuses `sql`; empty when it does not.
  std::string refusal_of(const std::string& sql) {
    try {
      database().exec(sql);
    } catch (const SQLite::Exception& exception) {
      return exception.what();
    }
    return "";
  }
  SQLite::Database& database() {
    if (!plain_) {
      plain_ = std::make_unique<SQLite::Database>(database_.string(), SQLite::OPEN_READWRITE);
      plain_->exec("PRAGMA foreign_keys = ON");
    }
    return *plain_;
  }

 private:
  std::unique_ptr<SQLite::Database> plain_;
};

TEST_F(AppendOnlyTest, EndedRunsRefuseEveryChange) {
  for (const std::string table : {"attempt", "measurement", "evaluation", "finding", "artifact",
                                  "environment", "verdict_document", "run_section", "run"}) {
    const std::string first = table == "run" ? "verdict" : "run_key";
    EXPECT_NE(refusal_of(fmt::format("UPDATE {} SET {} = 'fail'", table, first)), "") << table;
    EXPECT_NE(refusal_of("DELETE FROM " + table).find("append-only"), std::string::npos) << table;
  }
  EXPECT_NE(refusal_of("INSERT INTO artifact VALUES (1, 9, 'x', 'y', 1)").find("append-only"),
            std::string::npos);
  EXPECT_NE(refusal_of("INSERT OR REPLACE INTO artifact VALUES (1, 0, 'x', 'y', 1)"), "");
  EXPECT_NE(refusal_of("UPDATE run SET verdict = 'fail'").find("append-only"), std::string::npos);
  EXPECT_NE(refusal_of("UPDATE run_section SET pruned_utc = 'x'").find("append-only"),
            std::string::npos);
  EXPECT_NE(refusal_of("INSERT OR REPLACE INTO run SELECT * FROM run"), "");
  EXPECT_TRUE(open().check().empty());
}

TEST_F(AppendOnlyTest, PermitCoversDetailOnlyAndNeverOutlivesItsTransaction) {
  database().exec("BEGIN");
  database().exec("INSERT INTO prune_permit (run_key) VALUES (1)");
  EXPECT_NE(refusal_of("DELETE FROM measurement WHERE node IS NULL"), "");
  EXPECT_NE(refusal_of("DELETE FROM finding"), "");
  EXPECT_NE(refusal_of("COMMIT").find("FOREIGN KEY"), std::string::npos);
  database().exec("ROLLBACK");
}

TEST_F(AppendOnlyTest, CheckReportsAnEditBehindTheTriggers) {
  database().exec("DROP TRIGGER measurement_update");
  database().exec("UPDATE measurement SET value = 1 WHERE node IS NULL");
  const std::vector<Problem> problems = open().check();
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_NE(problems[0].text.en.find("triggers"), std::string::npos);
  EXPECT_EQ(problems[1].run_id, "r-1");
  EXPECT_NE(problems[1].text.en.find("run_measurement"), std::string::npos);
}

TEST_F(AppendOnlyTest, CheckReportsAnEditedVerdict) {
  database().exec("DROP TRIGGER run_update");
  database().exec("UPDATE run SET verdict = 'waived'");
  const std::vector<Problem> problems = open().check();
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_NE(problems[1].text.en.find("record hash"), std::string::npos);
}

// Rows made from what a judgement is made of.

TEST(RecordOf, CarriesUnitEvidenceAndSource) {
  const MeasurementRecord record =
      record_of(model::Measurement{.metric = "time_to_train_s",
                                   .value = 1.5,
                                   .evidence = {.kind = model::EvidenceKind::mllog},
                                   .source = {.artifact = "result_0.txt", .line = 7}});
  EXPECT_EQ(record.unit, "s");
  EXPECT_EQ(record.evidence, "mllog");
  EXPECT_EQ(record.artifact, "result_0.txt");
  EXPECT_EQ(record.line, 7);
  const FindingRecord finding = record_of(
      model::Finding{.check = "exactly_one_run_stop", .reason = model::ReasonClass::invalid_run});
  EXPECT_EQ(finding.reason, "invalid_run");
  EXPECT_FALSE(finding.measured);
  const AttemptRecord attempt =
      record_of(model::Attempt{.state = model::AttemptState::killed, .signal_number = 9},
                model::LauncherKind::process);
  EXPECT_EQ(attempt.state, model::attempt_state_name(model::AttemptState::killed));
  EXPECT_FALSE(attempt.exit_code);
  EXPECT_EQ(attempt.signal_number, 9);
}

}  // namespace
}  // namespace harness::store
