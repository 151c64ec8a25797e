#include "harness/parse/training_metrics.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "harness/model/metric.h"
#include "harness/parse/training_log.h"
#include "tests/parse/mllog_lines.h"

namespace harness::parse {
namespace {

using model::Comparison;
using model::Criterion;
using model::Measurement;
using model::TrainingRun;
using test::evaluation;
using test::record;

const model::MllogBlock kBert{"bert", "mlm_accuracy", 1, 10};

TrainingRun read(std::string_view log) {
  TrainingLogReader reader("a.log");
  reader.feed(log);
  return reader.finish();
}

std::string stop(std::int64_t time_ms, std::string_view status = "success") {
  return record(time_ms, "run_stop", "null", fmt::format(R"(, "status": "{}")", status));
}

std::optional<double> time_of(const std::vector<std::string>& lines) {
  return time_to_train_s(read(base::join(lines, "\n") + "\n"));
}

std::optional<Measurement> measured(const TrainingRun& run, std::string_view metric,
                                    const model::MllogBlock& block) {
  const std::vector<Measurement> all = measure_training(run, block);
  const auto found = std::ranges::find(all, metric, &Measurement::metric);
  return found == all.end() ? std::nullopt : std::optional(*found);
}

TEST(TimeToTrain, PairsTheMarksAsTheReferenceDoes) {
  const std::string first = record(1000, "run_start");
  const std::string second = record(61000, "run_start");

  EXPECT_EQ(time_of({first, stop(101000)}), 100.0);
  EXPECT_EQ(time_of({first, second, stop(101000)}), 40.0);
  EXPECT_EQ(time_of({first, stop(101000), stop(201000)}), 100.0);
  EXPECT_EQ(time_of({first, stop(101000), second, stop(301000)}), 100.0);
  EXPECT_EQ(time_of({stop(101000), first}), 100.0);
  EXPECT_EQ(time_of({stop(101000), stop(111000), first, second}), 110.0);
  EXPECT_EQ(time_of({record(6000, "run_start"), stop(1000)}), -5.0);
}

TEST(TimeToTrain, NeedsBothMarksAndTheirTimes) {
  EXPECT_FALSE(time_of({record(1000, "run_start")}));
  EXPECT_FALSE(time_of({stop(1000)}));
  EXPECT_FALSE(
      time_of({R"(:::MLLOG {"time_ms": null, "key": "run_start", "value": null, "metadata": {}})",
               stop(1)}));
}

TEST(TimeToTrain, ManyRepeatedStartsStillCountFromTheLast) {
  std::vector<std::string> lines;
  lines.reserve(41);
  for (std::int64_t i = 0; i < 40; ++i) {
    lines.push_back(record(i * 1000, "run_start"));
  }
  lines.push_back(stop(50000));

  EXPECT_EQ(time_of(lines), 11.0);
}

TEST(MeasureTraining, EveryFigureHasItsLineMethodAndMetric) {
  const TrainingRun run = read(test::small_training());
  const std::vector<Measurement> all = measure_training(run, kBert);

  EXPECT_EQ(all.size(), 7U);
  for (const Measurement& one : all) {
    EXPECT_NE(model::find_metric(one.metric), nullptr) << one.metric;
    EXPECT_EQ(one.evidence, (model::Evidence{model::EvidenceKind::mllog, {}}));
    EXPECT_EQ(one.source.artifact, "a.log");
    EXPECT_GT(one.source.line, 0U) << one.metric;
    EXPECT_FALSE(one.method.en.empty()) << one.metric;
    EXPECT_FALSE(one.method.zh.empty()) << one.metric;
  }
  EXPECT_DOUBLE_EQ(measured(run, "time_to_train_s", kBert).value().value, 100);
  EXPECT_DOUBLE_EQ(measured(run, "mlm_accuracy", kBert).value().value, 0.7213);
  EXPECT_DOUBLE_EQ(measured(run, "samples_to_converge", kBert).value().value, 2000000);
  EXPECT_DOUBLE_EQ(measured(run, "time_per_sample_s", kBert).value().value, 96.0 / 2000000);
  EXPECT_DOUBLE_EQ(measured(run, "startup_time_s", kBert).value().value, 10);
  EXPECT_DOUBLE_EQ(measured(run, "evaluation_time_s", kBert).value().value, 4);
  EXPECT_DOUBLE_EQ(measured(run, "samples_per_s", kBert).value().value, 20000.5);
}

TEST(MeasureTraining, EpochNumIsConvertedToSamplesOnce) {
  const TrainingRun run = read(
      base::join({record(0, "run_start"), evaluation(1, "2.68", "2048000"), stop(1000)}, "\n"));
  const model::MllogBlock gpt3{"gpt3", "log_perplexity", 1.0 / 2048, 3};

  EXPECT_DOUBLE_EQ(measured(run, "samples_to_converge", gpt3).value().value, 1000);
  EXPECT_DOUBLE_EQ(measured(run, "time_per_sample_s", gpt3).value().value, 0.001);
  EXPECT_FALSE(measured(run, "evaluation_time_s", gpt3));
}

TEST(MeasureTraining, ImpossibleTimesAreNoFigures) {
  const TrainingRun backwards = read(base::join({record(6000, "run_start"), stop(1000)}, "\n"));
  EXPECT_FALSE(measured(backwards, "time_to_train_s", kBert));
  const TrainingRun zero = read(base::join({record(6000, "run_start"), stop(6000)}, "\n"));
  EXPECT_FALSE(measured(zero, "time_to_train_s", kBert));
}

TEST(MeasureTraining, UnusableLastEvaluationGivesNoQuality) {
  const TrainingRun run = read(base::join(
      {record(0, "run_start"), evaluation(1, "0.73", "5"), evaluation(2, "NaN", "6"), stop(9)},
      "\n"));

  EXPECT_FALSE(measured(run, "mlm_accuracy", kBert));
}

TEST(MeasureTraining, AbortedRunDidNotConverge) {
  const TrainingRun run = read(
      base::join({record(0, "run_start"), evaluation(1, "0.73", "5"), stop(9, "aborted")}, "\n"));

  EXPECT_FALSE(measured(run, "samples_to_converge", kBert));
  EXPECT_FALSE(measured(run, "time_per_sample_s", kBert));
  EXPECT_TRUE(measured(run, "mlm_accuracy", kBert));
}

TEST(MeasureTraining, UnknownBenchmarkLeavesOutWhatNeedsIt) {
  const TrainingRun run = read(test::small_training());
  const model::MllogBlock unknown{"", "", 0, {}};

  EXPECT_TRUE(measured(run, "time_to_train_s", unknown));
  EXPECT_FALSE(measured(run, "samples_to_converge", unknown));
  EXPECT_FALSE(measured(run, "", unknown));
}

TEST(MeasureTraining, EmptyLogMeasuresNothing) {
  EXPECT_TRUE(measure_training(read(""), kBert).empty());
}

TEST(TargetReached, AnyEvaluationInsideTheWindowIsEnough) {
  const Criterion bert{
      "mlm_accuracy", Comparison::at_least, 0.72, {{Comparison::less_than, 1.0}}, {}, "", {}};
  const auto reached = [&bert](const std::vector<std::string>& values) {
    std::string log;
    for (const std::string& value : values) {
      log += evaluation(1, value, "1") + "\n";
    }
    return target_reached(read(log), bert);
  };

  EXPECT_TRUE(reached({"0.5", "0.72", "0.71"}));
  EXPECT_TRUE(reached({"NaN", "0.73"}));
  EXPECT_FALSE(reached({"0.71", "1.0"}));
  EXPECT_FALSE(reached({"NaN", "null", "\"0.9\""}));
  EXPECT_FALSE(reached({}));
}

}  // namespace
}  // namespace harness::parse
