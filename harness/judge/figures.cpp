#include "harness/judge/figures.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace harness::judge {
namespace {

using model::EvidenceKind;
using model::Figure;
using FigureValue = decltype(Figure::value);

FigureValue known_or_not(const model::Measurement* measurement) {
  return measurement == nullptr ? FigureValue{} : FigureValue{measurement->value};
}

FigureValue measured(const RunEvidence& run, std::string_view metric, EvidenceKind kind) {
  return known_or_not(run.find(metric, {kind, {}}));
}

const model::Criterion* quality_criterion(const model::Suite* suite) {
  if (suite == nullptr || !suite->mllog) {
    return nullptr;
  }
  const auto found =
      std::ranges::find(suite->criteria, suite->mllog->quality_metric, &model::Criterion::metric);
  return found == suite->criteria.end() ? nullptr : &*found;
}

FigureValue final_evaluation(const model::TrainingRun& run) {
  const bool is_known = !run.evaluations.empty() && run.evaluations.back().value;
  return is_known ? FigureValue{*run.evaluations.back().value} : FigureValue{};
}

FigureValue stop_status(const model::TrainingRun& run) {
  const bool is_known = !run.run_stops.empty() && run.run_stops.front().status;
  return is_known ? FigureValue{base::printable(*run.run_stops.front().status, 60)} : FigureValue{};
}

std::vector<double> evaluation_values(const model::TrainingRun& run) {
  constexpr std::size_t kMostShown = 1000;
  std::vector<double> values;
  for (const model::EvaluationPoint& point : run.evaluations) {
    if (point.value && values.size() < kMostShown) {
      values.push_back(*point.value);
    }
  }
  return values;
}

double as_double(std::size_t count) {
  return static_cast<double>(count);
}

void add_log_figures(const RunEvidence& run, const model::Suite* suite,
                     std::vector<Figure>& figures) {
  const model::TrainingRun& log = *run.training;
  const model::Criterion* quality = quality_criterion(suite);
  figures.push_back({"benchmark", log.benchmark
                                      ? FigureValue{base::printable(log.benchmark->value, 60)}
                                      : FigureValue{}});
  figures.push_back({"time_to_train_s", measured(run, "time_to_train_s", EvidenceKind::mllog)});
  figures.push_back({"final_eval_value", final_evaluation(log)});
  figures.push_back(
      {"quality_target", quality == nullptr ? FigureValue{} : FigureValue{quality->limit}});
  figures.push_back({"run_stop_status", stop_status(log)});
  figures.push_back({"evaluation_count", as_double(log.evaluation_count)});
  figures.push_back({"record_count", as_double(log.record_count)});
  figures.push_back({"malformed_lines", as_double(log.malformed_count)});
  figures.push_back({"old_format_lines", as_double(log.old_format_count)});
  constexpr std::array<const char*, 5> kParts{"samples_to_converge", "time_per_sample_s",
                                              "samples_per_s", "startup_time_s",
                                              "evaluation_time_s"};
  for (const char* part : kParts) {
    figures.push_back({part, measured(run, part, EvidenceKind::mllog)});
  }
  figures.push_back({"evaluation_values", evaluation_values(log)});
}

void add_results_figures(const RunEvidence& run, std::vector<Figure>& figures) {
  if (!run.training) {
    figures.push_back(
        {"time_to_train_s", measured(run, "time_to_train_s", EvidenceKind::results_json)});
  } else {
    figures.push_back({"results_json_time_to_train_s",
                       measured(run, "time_to_train_s", EvidenceKind::results_json)});
  }
  for (const char* name : {"final_loss", "scaling_efficiency", "gpu_count"}) {
    figures.push_back({name, measured(run, name, EvidenceKind::results_json)});
  }
}

void add_score_figures(const JudgeInput& input, const OlympicScore& score,
                       std::vector<Figure>& figures) {
  std::vector<double> times;
  for (const RunEvidence& run : input.runs) {
    if (const auto* time = run.find("time_to_train_s", {EvidenceKind::mllog, {}});
        time != nullptr) {
      times.push_back(time->value);
    }
  }
  figures.push_back({"runs", as_double(score.run_count)});
  figures.push_back({"valid_runs", as_double(score.valid_count)});
  figures.push_back({"olympic_mean_s", score.mean_s ? FigureValue{*score.mean_s} : FigureValue{}});
  figures.push_back({"time_to_train_s_per_run", times});
}

}  // namespace

std::vector<Figure> collect_figures(const JudgeInput& input, const OlympicScore* score) {
  std::vector<Figure> figures;
  if (score != nullptr) {
    add_score_figures(input, *score, figures);
    return figures;
  }
  for (const RunEvidence& run : input.runs) {
    if (run.training) {
      add_log_figures(run, input.suite, figures);
    }
    if (run.results) {
      add_results_figures(run, figures);
    }
  }
  return figures;
}

}  // namespace harness::judge
