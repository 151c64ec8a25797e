// Compares our reading of the MLPerf Training v3.0 logs, and of faulty variants of them, with that
// of the reference (mlcommons/logging). The folder comes from ACCEPT_CORPUS_MLPERF; its
// expected.json holds the reference's figures. Prints every disagreement and the explained
// exceptions, and "agree N of M" last. Exit 1: one is not explained.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/base/files.h"
#include "harness/model/suite.h"
#include "harness/model/training_run.h"
#include "harness/parse/training_log.h"
#include "harness/parse/training_metrics.h"

namespace {

namespace fs = std::filesystem;
using harness::model::Comparison;
using harness::model::Criterion;
using harness::model::TrainingRun;
using nlohmann::json;

constexpr double kTolerance = 1e-9;
constexpr std::size_t kLargestLogBytes = std::size_t{1} << 30U;

/// The five figures that both sides give. Nothing: there is none, which is a reading as well.
struct Reading {
  std::optional<double> time_to_train_s;
  std::optional<double> final_eval_value;
  std::optional<bool> eval_target_reached;
  std::optional<std::size_t> evals;
  std::optional<std::vector<std::optional<std::string>>> run_stop_status;
};

/// Target windows of MLPerf Training v3.0, closed division; written here again so that our suites
/// are not the judge.
const Criterion* window_of(const std::string& benchmark) {
  static const std::map<std::string, Criterion> kWindows{
      {"bert", {"", Comparison::at_least, 0.720, {{Comparison::less_than, 1.0}}, {}, "", {}}},
      {"dlrm_dcnv2", {"", Comparison::at_least, 0.80275, {{Comparison::at_most, 1.0}}, {}, "", {}}},
      {"gpt3", {"", Comparison::at_most, 2.69, {{Comparison::greater_than, 2.6}}, {}, "", {}}},
  };
  const auto found = kWindows.find(benchmark);
  return found == kWindows.end() ? nullptr : &found->second;
}

Reading read_log(std::string_view log) {
  harness::parse::TrainingLogReader reader("log");
  reader.feed(log);
  const TrainingRun run = reader.finish();
  Reading reading;
  reading.time_to_train_s = harness::parse::time_to_train_s(run);
  reading.evals = run.evaluation_count;
  if (!run.evaluations.empty()) {
    reading.final_eval_value = run.evaluations.back().value;
  }
  if (const Criterion* window = run.benchmark ? window_of(run.benchmark->value) : nullptr) {
    reading.eval_target_reached = harness::parse::target_reached(run, *window);
  }
  reading.run_stop_status.emplace();
  for (const auto& mark : run.run_stops) {
    reading.run_stop_status->push_back(mark.status);
  }
  return reading;
}

/// The reference's reading. Values that are no number there (null, a string, "nan") are no value
/// here.
Reading expected_reading(const json& entry) {
  Reading reading;
  const auto number = [&entry](const char* key) {
    const json& value = entry.at(key);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
  };
  reading.time_to_train_s = number("time_to_train_s");
  reading.final_eval_value = number("final_eval_value");
  if (const json& reached = entry.at("eval_target_reached"); reached.is_boolean()) {
    reading.eval_target_reached = reached.get<bool>();
  }
  if (const json& evals = entry.at("evals"); evals.is_number()) {
    reading.evals = evals.get<std::size_t>();
  }
  if (const json& statuses = entry.at("run_stop_status"); statuses.is_array()) {
    reading.run_stop_status.emplace();
    for (const json& status : statuses) {
      reading.run_stop_status->push_back(
          status.is_string() ? std::optional(status.get<std::string>()) : std::nullopt);
    }
  }
  return reading;
}

std::string show(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "none";
}
std::string show(const std::optional<bool>& value) {
  return value ? fmt::format("{}", *value) : "none";
}
std::string show(const std::optional<std::size_t>& value) {
  return value ? fmt::format("{}", *value) : "none";
}
std::string show(const std::optional<std::vector<std::optional<std::string>>>& statuses) {
  std::string text = statuses ? "[" : "none";
  for (const auto& status : statuses.value_or(std::vector<std::optional<std::string>>{})) {
    text += " " + status.value_or("null");
  }
  return statuses ? text + " ]" : text;
}

bool is_same(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::fabs(*a - *b) <= kTolerance : a.has_value() == b.has_value();
}

/// One line per figure on which the two differ, with both values.
std::vector<std::string> differences(const Reading& reference, const Reading& ours) {
  std::vector<std::string> lines;
  const auto compare = [&lines](const char* name, bool same, const auto& a, const auto& b) {
    if (!same) {
      lines.push_back(fmt::format("{}: reference {}, ours {}", name, show(a), show(b)));
    }
  };
  compare("time_to_train_s", is_same(reference.time_to_train_s, ours.time_to_train_s),
          reference.time_to_train_s, ours.time_to_train_s);
  compare("final_eval_value", is_same(reference.final_eval_value, ours.final_eval_value),
          reference.final_eval_value, ours.final_eval_value);
  compare("eval_target_reached", reference.eval_target_reached == ours.eval_target_reached,
          reference.eval_target_reached, ours.eval_target_reached);
  compare("evals", reference.evals == ours.evals, reference.evals, ours.evals);
  compare("run_stop_status", reference.run_stop_status == ours.run_stop_status,
          reference.run_stop_status, ours.run_stop_status);
  return lines;
}

/// `log` as the reference sees it: of several records on one line it keeps the last one only.
std::string last_record_of_each_line(std::string_view log) {
  constexpr std::string_view kToken = ":::MLLOG ";
  std::string kept;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find_first_of("\r\n"), log.size());
    const std::string_view line = log.substr(0, end);
    const std::size_t token = line.rfind(kToken);
    kept += line.substr(token == std::string_view::npos ? 0 : token);
    kept += '\n';
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return kept;
}

/// Why the two may differ here, told by the entry and the log itself; empty when nothing explains
/// it.
std::string explanation(const json& entry, const Reading& reference, std::string_view log) {
  if (entry.at("compliance") == "crash" && !reference.evals) {
    return "the reference crashed on this log and gives no figure";
  }
  const std::string shortened = last_record_of_each_line(log);
  if (differences(reference, read_log(shortened)).empty()) {
    return "the reference loses all but the last record of a line; without the lost ones our "
           "figures are its";
  }
  return {};
}

struct Tally {
  std::size_t agreed = 0;
  std::size_t all = 0;
  std::size_t unexplained = 0;
  std::map<std::string, std::vector<std::string>> exceptions;  ///< places by reason
};

void compare_entry(const fs::path& corpus, const std::string& name, const json& entry,
                   Tally& tally) {
  ++tally.all;
  const std::string log =
      harness::base::read_file(corpus / entry.value("stored_as", name), kLargestLogBytes);
  const Reading reference = expected_reading(entry);
  const std::vector<std::string> lines = differences(reference, read_log(log));
  if (lines.empty()) {
    ++tally.agreed;
    return;
  }
  const std::string reason = explanation(entry, reference, log);
  fmt::print("{} {}\n", reason.empty() ? "DISAGREE" : "explained", name);
  for (const std::string& line : lines) {
    fmt::print("    {}\n", line);
  }
  if (reason.empty()) {
    ++tally.unexplained;
  } else {
    tally.exceptions[reason].push_back(name);
  }
}

int compare_corpus(const fs::path& corpus) {
  const json expected =
      json::parse(harness::base::read_file(corpus / "expected.json", kLargestLogBytes));
  Tally tally;
  for (const char* section : {"files", "variant_files"}) {
    for (const auto& [name, entry] : expected.at(section).items()) {
      compare_entry(corpus, name, entry, tally);
    }
  }
  for (const auto& [reason, places] : tally.exceptions) {
    fmt::print("exception: {}: {} log(s)\n", reason, places.size());
  }
  fmt::print("unexplained {}\nagree {} of {}\n", tally.unexplained, tally.agreed, tally.all);
  return tally.unexplained == 0 && tally.all > 0 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    const char* from_environment = std::getenv("ACCEPT_CORPUS_MLPERF");
    const fs::path corpus =
        from_environment != nullptr
            ? fs::path(from_environment)
            : fs::path(ACCEPT_SOURCE_DIR).parent_path() / "shared/data/mlperf-v3.0";
    if (!fs::exists(corpus / "expected.json")) {
      fmt::print("skipped: no corpus\n");
      return 0;
    }
    return compare_corpus(corpus);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
