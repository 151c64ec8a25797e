#include "harness/parse/results_json.h"

#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/model/metric.h"

namespace harness::parse {
namespace {

using model::Issue;
using model::IssueKind;
using model::Measurement;
using model::ResultsJson;

constexpr std::string_view kContract = R"({
  "performance": {
    "number_of_gpus": 128,
    "time_to_train": 12480.3, // seconds
    "target_time_to_train": 11520,
    "convergence_metric": "loss",
    "final_loss": 2.145,
    "scaling_efficiency": 0.87
  }
})";

/// The contract's example with one member replaced, or with another one in its place when `value`
/// is empty.
std::string with(std::string_view key, std::string_view value) {
  std::string text(kContract);
  const std::size_t begin = text.find('"' + std::string(key) + '"');
  const std::size_t end = text.find('\n', begin);
  const std::string member =
      value.empty() ? "\"another\": 1" : '"' + std::string(key) + "\": " + std::string(value);
  text.replace(begin, end - begin, member + (key == "scaling_efficiency" ? "" : ","));
  return text;
}

ResultsJson read(std::string_view text) {
  return parse_results_json(text, "results.json");
}

std::optional<double> value_of(const ResultsJson& results, std::string_view metric) {
  const auto found = std::ranges::find(results.measurements, metric, &Measurement::metric);
  return found == results.measurements.end() ? std::nullopt : std::optional(found->value);
}

/// The only issue of the contract with `key` changed to `value`; that key must have given no
/// figure.
Issue issue_of(std::string_view key, std::string_view metric, std::string_view value) {
  const ResultsJson results = read(with(key, value));
  EXPECT_FALSE(value_of(results, metric)) << key << " " << value;
  EXPECT_EQ(results.issues.size(), 1U) << key << " " << value;
  return results.issues.empty() ? Issue{} : results.issues.front();
}

bool says(const Issue& issue, std::string_view word) {
  return issue.reason.en.find(word) != std::string::npos;
}

TEST(ResultsJson, ReadsTheContract) {
  const ResultsJson results = read(kContract);

  EXPECT_TRUE(results.issues.empty());
  EXPECT_EQ(value_of(results, "gpu_count"), 128.0);
  EXPECT_EQ(value_of(results, "time_to_train_s"), 12480.3);
  EXPECT_EQ(value_of(results, "target_time_to_train_s"), 11520.0);
  EXPECT_EQ(value_of(results, "final_loss"), 2.145);
  EXPECT_EQ(value_of(results, "scaling_efficiency"), 0.87);
  EXPECT_EQ(results.convergence_metric, "loss");
  EXPECT_FALSE(results.is_miniature);
  for (const Measurement& one : results.measurements) {
    EXPECT_NE(model::find_metric(one.metric), nullptr);
    EXPECT_EQ(one.evidence.kind, model::EvidenceKind::results_json);
    EXPECT_GT(one.source.line, 2U);
  }
}

TEST(ResultsJson, OrderAndFurtherKeysAreFree) {
  const ResultsJson results = read(
      R"({"a": [], "performance": {"world_size": 2, "scaling_efficiency": 0.9, "final_loss": 2, "convergence_metric":
          "loss", "target_time_to_train": 1, "time_to_train": 2, "number_of_gpus": 8, "note": null}})");

  EXPECT_TRUE(results.issues.empty());
  EXPECT_EQ(results.measurements.size(), 5U);
}

TEST(ResultsJson, NothingUnusableBecomesAFigure) {
  for (const auto& [key, metric] : {std::pair{"number_of_gpus", "gpu_count"},
                                    {"time_to_train", "time_to_train_s"},
                                    {"target_time_to_train", "target_time_to_train_s"},
                                    {"final_loss", "final_loss"},
                                    {"scaling_efficiency", "scaling_efficiency"}}) {
    for (const char* value : {"", "null", "\"128\"", "\"N/A\"", "true", "[1]", "{}", "-1", "0"}) {
      const Issue issue = issue_of(key, metric, value);
      const bool is_absent = *value == '\0' || std::string_view(value) == "null";
      EXPECT_EQ(issue.kind, is_absent ? IssueKind::noticed : IssueKind::value_unusable) << value;
      EXPECT_TRUE(says(issue, key)) << issue.reason.en;
      EXPECT_NE(issue.reason.zh.find(key), std::string::npos) << issue.reason.zh;
      EXPECT_GT(issue.source.line, 1U);
    }
  }
}

TEST(ResultsJson, UnitsAreNeverGuessed) {
  EXPECT_TRUE(says(issue_of("time_to_train", "time_to_train_s", "\"12480.3\""), "without quotes"));
  EXPECT_TRUE(says(issue_of("time_to_train", "time_to_train_s", "\"12480.3 s\""), "never guessed"));
  EXPECT_TRUE(
      says(issue_of("time_to_train", "time_to_train_s", "\"3.2 h\""), "seconds as a number"));
}

TEST(ResultsJson, OtherUnitsAreSeenBySize) {
  EXPECT_TRUE(says(issue_of("scaling_efficiency", "scaling_efficiency", "87"), "percent"));
  EXPECT_TRUE(says(issue_of("scaling_efficiency", "scaling_efficiency", "1.21"), "percent"));
  EXPECT_TRUE(says(issue_of("time_to_train", "time_to_train_s", "12480300"), "milliseconds"));
  EXPECT_TRUE(says(issue_of("number_of_gpus", "gpu_count", "128.5"), "whole"));
  EXPECT_EQ(value_of(read(with("scaling_efficiency", "1.05")), "scaling_efficiency"), 1.05);
  EXPECT_EQ(value_of(read(with("time_to_train", "7776000")), "time_to_train_s"), 7776000.0);
}

TEST(ResultsJson, MisspeltKeysAreNamedAndNotUsed) {
  for (const char* slip :
       {"time_to_trian", "timeToTrain", "TimeToTrain", "time-to-train", "time_to_train_s"}) {
    std::string text = with("time_to_train", "12480.3");
    const std::size_t at = text.find("\"time_to_train\"");
    text.replace(at, std::string_view("\"time_to_train\"").size(), '"' + std::string(slip) + '"');
    const ResultsJson results = read(text);
    EXPECT_FALSE(value_of(results, "time_to_train_s")) << slip;
    ASSERT_EQ(results.issues.size(), 1U) << slip;
    EXPECT_TRUE(says(results.issues[0], slip)) << results.issues[0].reason.en;
    EXPECT_TRUE(says(results.issues[0], "did you mean \"time_to_train\"?"));
    EXPECT_EQ(results.issues[0].source.line, 4U);
  }
}

TEST(ResultsJson, FileWithoutPerformanceSaysSo) {
  for (const char* text : {"{}", "[1, 2]", "3", R"({"results": {"time_to_train": 1}})"}) {
    const ResultsJson results = read(text);
    EXPECT_TRUE(results.measurements.empty()) << text;
    ASSERT_EQ(results.issues.size(), 1U) << text;
    EXPECT_TRUE(says(results.issues[0], "\"performance\"")) << text;
  }
  EXPECT_TRUE(says(read(R"({"Performance": {}})").issues.at(0), "\"Performance\""));
  EXPECT_TRUE(says(read(R"({"performance": 5})").issues.at(0), "not an object"));
}

TEST(ResultsJson, ConvergenceMetricIsAString) {
  for (const char* value : {"", "null", "5", "\"\""}) {
    const ResultsJson results = read(with("convergence_metric", value));
    EXPECT_FALSE(results.convergence_metric) << value;
    EXPECT_EQ(results.issues.size(), 1U) << value;
  }
}

TEST(ResultsJson, MiniatureRunsSaySo) {
  EXPECT_TRUE(read(R"({"benchmark": "miniature_gpt", "performance": {}})").is_miniature);
  EXPECT_TRUE(read(R"({"note": "miniature, not MLPerf", "performance": {}})").is_miniature);
  EXPECT_EQ(read(R"({"benchmark": "miniature_gpt", "performance": {}})").benchmark,
            "miniature_gpt");
  EXPECT_EQ(
      value_of(read(R"({"note": "miniature", "performance": {"number_of_gpus": 0}})"), "gpu_count"),
      0.0);
}

TEST(ResultsJson, WhatIsNoJsonIsRefused) {
  for (const char* text :
       {"", "{", "performance: 1", R"({"performance": {"final_loss": NaN}})", "{} {}"}) {
    try {
      read(text);
      ADD_FAILURE() << text;
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::usage) << text;
    }
  }
}

TEST(ResultsJson, ForeignTextIsShownSafely) {
  const Issue issue = issue_of("final_loss", "final_loss", R"("\u001b[31m")");

  EXPECT_EQ(issue.reason.en.find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace harness::parse
