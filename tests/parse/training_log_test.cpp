#include "harness/parse/training_log.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/parse/mllog_lines.h"

namespace harness::parse {
namespace {

using model::IssueKind;
using model::TrainingRun;
using test::evaluation;
using test::record;

TrainingRun read(std::string_view log) {
  TrainingLogReader reader("a.log");
  reader.feed(log);
  return reader.finish();
}

std::string lines(const std::vector<std::string>& all) {
  return base::join(all, "\n") + "\n";
}

TEST(TrainingLog, FoldsAWholeTraining) {
  const TrainingRun run = read(test::small_training());

  EXPECT_EQ(run.artifact, "a.log");
  EXPECT_EQ(run.line_count, 19U);
  EXPECT_EQ(run.record_count, 18U);
  EXPECT_EQ(run.malformed_count, 0U);
  EXPECT_EQ(run.run_start_count, 1U);
  EXPECT_EQ(run.run_stop_count, 1U);
  EXPECT_EQ(run.run_stops.at(0).status, "success");
  EXPECT_EQ(run.evaluation_count, 2U);
  EXPECT_EQ(run.evaluations.at(1).value, 0.7213);
  EXPECT_EQ(run.evaluations.at(1).epoch_num, 2000000.0);
  EXPECT_EQ(run.evaluations.at(1).line, 16U);
  EXPECT_EQ(run.init_start_ms, 1500);
  EXPECT_EQ(run.init_stop_ms, 11000);
  EXPECT_DOUBLE_EQ(run.evaluation_time_ms, 4000);
  EXPECT_EQ(run.evaluation_intervals, 2U);
  EXPECT_EQ(run.benchmark.value().value, "bert");
  EXPECT_EQ(run.benchmark.value().line, 2U);
  EXPECT_EQ(run.division.value().value, "closed");
  EXPECT_EQ(run.organization.value().value, "Example");
  EXPECT_EQ(run.platform.value().value, "2 nodes");
  EXPECT_DOUBLE_EQ(run.global_batch_size.value().value, 768);
  EXPECT_DOUBLE_EQ(run.throughput_samples_per_s.value().value, 20000.5);
  EXPECT_EQ(run.seeds, std::vector<double>{25405});
  EXPECT_FALSE(run.miniature);
  EXPECT_TRUE(run.issues.empty());
}

TEST(TrainingLog, FollowsALogThatGrows) {
  const std::string log = test::small_training();
  TrainingLogReader reader("stdout.log");
  reader.feed(std::string_view(log).substr(0, log.find("run_start")));
  EXPECT_EQ(reader.so_far().run_start_count, 0U);  // its line has not ended
  reader.feed(std::string_view(log).substr(log.find("run_start")));

  EXPECT_EQ(reader.so_far().run_start_count, 1U);
  EXPECT_EQ(reader.so_far().record_count, 18U);
  EXPECT_EQ(reader.finish().evaluation_count, 2U);
}

TEST(TrainingLog, EvaluationWithoutANumberIsKeptEmptyWithAnIssue) {
  for (const char* value : {"NaN", "Infinity", "null", "\"0.72\"", "{\"a\": 1}", "true"}) {
    const TrainingRun run = read(evaluation(1, value, "1") + "\n");
    ASSERT_EQ(run.evaluations.size(), 1U) << value;
    EXPECT_FALSE(run.evaluations[0].value) << value;
    ASSERT_EQ(run.issues.size(), 1U) << value;
    EXPECT_EQ(run.issues[0].kind, IssueKind::value_unusable);
    EXPECT_EQ(run.issues[0].source.line, 1U);
  }
}

TEST(TrainingLog, ClockStepsAreCountedAndTheFirstIsShown) {
  const TrainingRun run = read(lines(
      {record(1000, "a"), record(900, "b"), record(900, "c"), record(500, "d"), record(600, "e")}));

  EXPECT_EQ(run.clock_step_count, 2U);
  ASSERT_EQ(run.issues.size(), 1U);
  EXPECT_EQ(run.issues[0].kind, IssueKind::clock_step);
  EXPECT_EQ(run.issues[0].source.line, 2U);
}

TEST(TrainingLog, FirstSubmissionTextAndLastBatchSizeCount) {
  const TrainingRun run = read(
      lines({record(1, "submission_benchmark", "\"bert\""),
             record(1, "submission_benchmark", "\"gpt3\""), record(1, "global_batch_size", "768"),
             record(1, "global_batch_size", "1024"), record(1, "global_batch_size", "\"many\"")}));

  EXPECT_EQ(run.benchmark.value().value, "bert");
  EXPECT_DOUBLE_EQ(run.global_batch_size.value().value, 1024);
  EXPECT_EQ(run.issues.size(), 1U);
}

TEST(TrainingLog, EvaluationTimeCountsPairsInsideTheRunOnly) {
  const TrainingRun run =
      read(lines({record(10, "eval_start"), record(20, "eval_stop"), record(30, "run_start"),
                  record(40, "eval_stop"), record(50, "eval_start"), record(55, "eval_start"),
                  record(60, "eval_stop"), record(70, "eval_start"), record(65, "eval_stop"),
                  record(80, "eval_start"), record(90, "run_stop"), record(95, "eval_stop")}));

  EXPECT_DOUBLE_EQ(run.evaluation_time_ms, 5);
  EXPECT_EQ(run.evaluation_intervals, 1U);
}

TEST(TrainingLog, MiniatureRunsSaySo) {
  EXPECT_EQ(
      read(record(1, "miniature", "\"miniature, not MLPerf\"") + "\n").miniature.value().value,
      "miniature, not MLPerf");
  EXPECT_TRUE(read(record(1, "miniature", "true") + "\n").miniature);
  EXPECT_FALSE(read(record(1, "miniature", "false") + "\n").miniature);
}

TEST(TrainingLog, TextsAreMadePrintable) {
  const TrainingRun run = read(record(1, "submission_org", "\"M\xFCller \\u001b[31m\"") + "\n");

  EXPECT_TRUE(base::is_valid_utf8(run.organization.value().value));
  EXPECT_EQ(run.organization.value().value.find('\x1B'), std::string::npos);
}

TEST(TrainingLog, QuotedValuesAreShortAndValid) {
  const TrainingRun run = read(evaluation(1, '"' + std::string(5000, '\xFC') + '"', "1") + "\n");

  ASSERT_EQ(run.issues.size(), 1U);
  EXPECT_LE(run.issues[0].text.size(), 160U);
  EXPECT_TRUE(base::is_valid_utf8(run.issues[0].text));
  EXPECT_LE(run.issues[0].reason.en.size(), 400U);
}

TEST(TrainingLog, MemoryIsBounded) {
  TrainingLogReader reader("a.log");
  const std::string block =
      lines({evaluation(2, "0.5", "1"), evaluation(1, "null", "2"), record(1, "seed", "3"),
             record(1, "run_start"), ":::MLLOG broken", ":::MLLOG {", record(1, "run_stop")});
  for (int i = 0; i < 60000; ++i) {
    reader.feed(block);
  }
  reader.feed(evaluation(9, "0.75", "7") + "\n");
  const TrainingRun run = reader.finish();

  EXPECT_EQ(run.evaluation_count, 120001U);
  EXPECT_EQ(run.evaluations.size(), 100000U);
  EXPECT_EQ(run.evaluations.back().value, 0.75);
  EXPECT_EQ(run.run_starts.size(), 16U);
  EXPECT_EQ(run.run_start_count, 60000U);
  EXPECT_EQ(run.seeds.size(), 64U);
  EXPECT_EQ(run.malformed_count, 120000U);
  EXPECT_LE(run.issues.size(), 200U);
  EXPECT_TRUE(std::ranges::any_of(
      run.issues, [](const auto& i) { return i.kind == IssueKind::malformed_record; }));
  EXPECT_TRUE(std::ranges::any_of(
      run.issues, [](const auto& i) { return i.kind == IssueKind::value_unusable; }));
}

}  // namespace
}  // namespace harness::parse
