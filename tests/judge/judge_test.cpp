#include "harness/judge/judge.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace harness::judge {
namespace {

using model::Comparison;
using model::Evidence;
using model::EvidenceKind;
using model::VerdictWord;

const Evidence kLog{EvidenceKind::mllog, {}};
const Evidence kResults{EvidenceKind::results_json, {}};

/// The site's limits in the shape of suites/gpt3.json.
model::Suite site_suite() {
  model::Suite suite;
  suite.name = "gpt3";
  suite.mllog = model::MllogBlock{"gpt3", "log_perplexity", 1.0 / 2048, 3};
  suite.outputs.mllog = "result_0.txt";
  suite.criteria = {
      {"time_to_train_s", Comparison::at_most, 11520, {}, {kResults, kLog}, "site", {}},
      {"final_loss", Comparison::at_most, 2.150, {}, {kResults}, "site", {}},
      {"scaling_efficiency", Comparison::at_least, 0.8, {}, {kResults}, "site", {}},
      {"log_perplexity",
       Comparison::at_most,
       2.69,
       model::PlausibleBound{Comparison::greater_than, 2.6},
       {kLog},
       "mlperf",
       {}},
  };
  return suite;
}

RunEvidence results_run(std::optional<double> time_s, std::optional<double> loss,
                        std::optional<double> scaling) {
  RunEvidence run;
  run.name = "results.json";
  run.results = model::ResultsJson{};
  run.results->artifact = "results.json";
  const auto add = [&run](const char* metric, std::optional<double> value) {
    if (value) {
      run.measurements.push_back({metric, *value, kResults, {"results.json", 1}, {}});
    }
  };
  add("time_to_train_s", time_s);
  add("final_loss", loss);
  add("scaling_efficiency", scaling);
  return run;
}

/// A finished, successful run of `duration_s` whose last value is `value`.
RunEvidence log_run(const std::string& name, double duration_s, double value) {
  model::TrainingRun log;
  log.artifact = name;
  log.line_count = log.record_count = 100;
  log.benchmark = model::LoggedText{1, "gpt3"};
  log.run_start_count = log.run_stop_count = 1;
  log.run_starts = {{10, 1000, {}}};
  log.run_stops = {{90, 1000 + static_cast<std::int64_t>(duration_s * 1000), "success"}};
  log.evaluation_count = 1;
  log.evaluations = {{80, 2000, value, 4096}};
  RunEvidence run;
  run.name = name;
  run.training = std::move(log);
  run.measurements = {{"time_to_train_s", duration_s, kLog, {name, 90}, {}},
                      {"log_perplexity", value, kLog, {name, 80}, {}}};
  return run;
}

model::Verdict judge_runs(std::vector<RunEvidence> runs) {
  static const model::Suite suite = site_suite();
  JudgeInput input;
  input.suite = &suite;
  input.runs = std::move(runs);
  return judge(input);
}

const model::Finding* find(const model::Verdict& verdict, const std::string& check) {
  const auto found = std::ranges::find(verdict.findings, check, &model::Finding::check);
  return found == verdict.findings.end() ? nullptr : &*found;
}

TEST(Judge, TheSitesOwnExampleFailsByItsTimeAlone) {
  const model::Verdict verdict = judge_runs({results_run(12480.3, 2.145, 0.87)});
  EXPECT_EQ(verdict.word, VerdictWord::fail);
  const model::Finding* time = find(verdict, "time_to_train_s");
  ASSERT_NE(time, nullptr);
  EXPECT_NEAR(time->margin->absolute, 960.3, 1e-9);
  EXPECT_NEAR(time->margin->ratio.value(), 0.083359375, 1e-12);  // 960.3 / 11520
  EXPECT_EQ(find(verdict, "final_loss")->verdict, VerdictWord::pass);
  EXPECT_EQ(find(verdict, "scaling_efficiency")->verdict, VerdictWord::pass);
  EXPECT_NE(verdict.headline.en.find("960.3 s over (8.3 %)"), std::string::npos)
      << verdict.headline.en;
}

TEST(Judge, SlowScalingNamesTheCommunicationLayer) {
  const model::Verdict verdict = judge_runs({results_run(11000, 2.1, 0.79)});
  EXPECT_EQ(verdict.word, VerdictWord::fail);
  ASSERT_FALSE(verdict.diagnoses.empty());
  EXPECT_NE(verdict.diagnoses[0].cause.en.find("communication layer"), std::string::npos);
}

TEST(Judge, LossAboveItsLimitInTimeNamesTheGradScaler) {
  const model::Verdict verdict = judge_runs({results_run(11000, 2.2, 0.87)});
  EXPECT_EQ(verdict.word, VerdictWord::fail);
  ASSERT_FALSE(verdict.diagnoses.empty());
  EXPECT_NE(verdict.diagnoses[0].cause.en.find("GradScaler growth_factor"), std::string::npos);
}

TEST(Judge, LossAboveItsLimitAndLateSaysNothingOfTheGradScaler) {
  for (const model::Diagnosis& diagnosis : judge_runs({results_run(12000, 2.2, 0.87)}).diagnoses) {
    EXPECT_EQ(diagnosis.cause.en.find("GradScaler"), std::string::npos);
  }
}

TEST(Judge, AllLimitsMetPassesAndNamesWhatWasNotJudged) {
  const model::Verdict verdict = judge_runs({results_run(11000, 2.1, 0.87)});
  EXPECT_EQ(verdict.word, VerdictWord::pass);
  ASSERT_EQ(verdict.not_judged.size(), 1U);
  EXPECT_EQ(verdict.not_judged[0].check, "log_perplexity");
}

TEST(Judge, ValueOnTheLimitIsMet) {
  EXPECT_EQ(judge_runs({results_run(11520, 2.150, 0.8)}).word, VerdictWord::pass);
}

TEST(Judge, MissingFigureIsInconclusiveNeverAPass) {
  const model::Verdict verdict = judge_runs({results_run(11000, std::nullopt, 0.87)});
  EXPECT_EQ(verdict.word, VerdictWord::inconclusive);
  EXPECT_EQ(find(verdict, "final_loss")->reason, model::ReasonClass::evidence_missing);
}

TEST(Judge, NothingGivenIsInconclusive) {
  EXPECT_EQ(judge_runs({}).word, VerdictWord::inconclusive);
  EXPECT_EQ(judge_runs({results_run({}, {}, {})}).word, VerdictWord::inconclusive);
}

TEST(Judge, FinishedLogWithinItsLimitsPasses) {
  EXPECT_EQ(judge_runs({log_run("result_0.txt", 3857.3, 2.689)}).word, VerdictWord::pass);
}

TEST(Judge, SuccessThatMissedItsTargetFails) {
  const model::Verdict verdict = judge_runs({log_run("result_0.txt", 3857.3, 2.71)});
  EXPECT_EQ(verdict.word, VerdictWord::fail);
  EXPECT_EQ(verdict.diagnoses.at(0).rule, "success_below_target");
}

TEST(Judge, ValueOutsideTheOfficialWindowIsInvalid) {
  const model::Verdict verdict = judge_runs({log_run("result_0.txt", 3857.3, 2.6)});
  EXPECT_EQ(find(verdict, "log_perplexity")->reason, model::ReasonClass::invalid_run);
}

TEST(Judge, TimeThatRunsBackwardsIsInvalid) {
  RunEvidence run = log_run("result_0.txt", 10, 2.689);
  run.training->run_stops[0].time_ms = 500;
  const model::Verdict verdict = judge_runs({run});
  EXPECT_EQ(verdict.word, VerdictWord::fail);
  EXPECT_EQ(find(verdict, "time_runs_forward")->reason, model::ReasonClass::invalid_run);
}

TEST(Judge, AnythingButOneStartAndOneStopIsInvalid) {
  for (const auto& [starts, stops] :
       std::vector<std::pair<int, int>>{{0, 1}, {2, 1}, {1, 0}, {1, 2}}) {
    RunEvidence run = log_run("result_0.txt", 3857.3, 2.689);
    run.training->run_starts.resize(static_cast<std::size_t>(starts), {10, 1000, {}});
    run.training->run_stops.resize(static_cast<std::size_t>(stops), {90, 3858300, "success"});
    run.training->run_start_count = run.training->run_starts.size();
    run.training->run_stop_count = run.training->run_stops.size();
    EXPECT_EQ(judge_runs({run}).word, VerdictWord::fail)
        << starts << " starts, " << stops << " stops";
  }
}

TEST(Judge, AbortedRunFailsEvenWhereItsTargetWasReached) {
  RunEvidence run = log_run("result_0.txt", 3857.3, 2.689);
  run.training->run_stops[0].status = "aborted";
  EXPECT_EQ(judge_runs({run}).word, VerdictWord::fail);
}

TEST(Judge, LogOfAnotherBenchmarkIsAnError) {
  RunEvidence run = log_run("result_0.txt", 3857.3, 2.689);
  run.training->benchmark->value = "bert";
  EXPECT_EQ(judge_runs({run}).word, VerdictWord::error);
}

TEST(Judge, MiniatureNeverSatisfiesTheRealThing) {
  RunEvidence run = log_run("result_0.txt", 100, 2.65);
  run.training->miniature = model::LoggedText{2, "miniature, not MLPerf"};
  EXPECT_EQ(judge_runs({run}).word, VerdictWord::error);
  RunEvidence results = results_run(100, 2.0, 0.9);
  results.results->is_miniature = true;
  EXPECT_EQ(judge_runs({results}).word, VerdictWord::error);
}

TEST(Judge, LogAndResultsJsonMustTellOneStory) {
  RunEvidence run = log_run("result_0.txt", 11400, 2.689);
  RunEvidence results = results_run(9000, 2.1, 0.87);
  run.results = results.results;
  std::ranges::copy(results.measurements, std::back_inserter(run.measurements));
  const model::Verdict verdict = judge_runs({run});
  EXPECT_EQ(verdict.word, VerdictWord::fail);
  EXPECT_NE(find(verdict, "evidence_agrees"), nullptr);
}

TEST(Judge, SeveralRunsAreJudgedByTheirOlympicMean) {
  // One of three over the limit: the mean without fastest and slowest is the middle one.
  const model::Verdict verdict =
      judge_runs({log_run("result_0.txt", 11000, 2.689), log_run("result_1.txt", 12000, 2.689),
                  log_run("result_2.txt", 10000, 2.689)});
  EXPECT_EQ(verdict.word, VerdictWord::pass);
  EXPECT_DOUBLE_EQ(find(verdict, "olympic_score")->measured.value(), 11000);
}

TEST(Judge, OneAbortedRunOfThreeIsAllowedAndSeen) {
  RunEvidence aborted = log_run("result_1.txt", 5000, 2.71);
  aborted.training->run_stops[0].status = "aborted";
  const model::Verdict verdict = judge_runs(
      {log_run("result_0.txt", 11000, 2.689), aborted, log_run("result_2.txt", 10000, 2.689)});
  EXPECT_EQ(verdict.word, VerdictWord::pass);
  EXPECT_TRUE(std::ranges::any_of(verdict.findings, &model::Finding::is_warning));
  EXPECT_DOUBLE_EQ(find(verdict, "olympic_score")->measured.value(),
                   11000);  // fastest and aborted dropped
}

TEST(Judge, TwoAbortedRunsGiveNoScoreAndFail) {
  std::vector<RunEvidence> runs;
  for (const char* name : {"result_0.txt", "result_1.txt", "result_2.txt"}) {
    runs.push_back(log_run(name, 5000, 2.689));
  }
  runs[0].training->run_stops[0].status = "aborted";
  runs[1].training->run_stops[0].status = "aborted";
  const model::Verdict verdict = judge_runs(runs);
  EXPECT_EQ(verdict.word, VerdictWord::fail);
  EXPECT_FALSE(find(verdict, "olympic_score")->measured);
}

TEST(Judge, KilledWorkloadIsAnErrorNotAFailedCluster) {
  RunEvidence run = log_run("result_0.txt", 100, 2.9);
  run.training->run_stop_count = 0;
  run.training->run_stops.clear();
  run.measurements.clear();
  static const model::Suite suite = site_suite();
  JudgeInput input;
  input.suite = &suite;
  input.runs = {run};
  input.requirement = Requirement::declared;
  input.attempt = model::Attempt{.state = model::AttemptState::killed, .signal_number = 9};
  const model::Verdict verdict = judge(input);
  EXPECT_EQ(verdict.word, VerdictWord::error);
  EXPECT_EQ(model::exit_code_of(verdict.word), 4);
}

TEST(Judge, ExitCodeZeroWithoutADeclaredFileProvesNothing) {
  static const model::Suite suite = site_suite();
  JudgeInput input;
  input.suite = &suite;
  input.requirement = Requirement::declared;
  input.attempt = model::Attempt{.state = model::AttemptState::completed, .exit_code = 0};
  EXPECT_EQ(judge(input).word, VerdictWord::inconclusive);
}

}  // namespace
}  // namespace harness::judge
