#include "harness/parse/training_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "harness/base/text.h"

namespace harness::parse {
namespace {

using base::Text;
using model::EvaluationPoint;
using model::Measurement;
using model::TrainingRun;

double seconds_between(std::int64_t begin_ms, std::int64_t end_ms) {
  return static_cast<double>(end_ms - begin_ms) / 1000.0;
}

/// Collects figures; one that is not finite is dropped.
class Figures {
 public:
  explicit Figures(const TrainingRun& run) : run_(run) {}

  void add(std::string_view metric, std::optional<double> value, std::size_t line, Text method) {
    if (value && std::isfinite(*value)) {
      list_.push_back({std::string(metric),
                       *value,
                       {model::EvidenceKind::mllog, {}},
                       {run_.artifact, line},
                       std::move(method)});
    }
  }

  std::vector<Measurement> take() { return std::move(list_); }

 private:
  const TrainingRun& run_;
  std::vector<Measurement> list_;
};

std::optional<double> positive(std::optional<double> value) {
  return value && *value > 0 ? value : std::nullopt;
}

std::size_t line_of(const std::optional<model::RunMark>& mark) {
  return mark ? mark->line : 0;
}

bool says_success(const TrainingRun& run) {
  return run.timed_stop && run.timed_stop->status == "success";
}

std::optional<double> samples_to_converge(const TrainingRun& run, const model::MllogBlock& block) {
  if (!says_success(run) || run.evaluations.empty()) {
    return std::nullopt;
  }
  const std::optional<double>& epoch_num = run.evaluations.back().epoch_num;
  return epoch_num ? positive(*epoch_num * block.samples_per_epoch_num) : std::nullopt;
}

std::optional<double> startup_time_s(const TrainingRun& run) {
  if (!run.init_start_ms || !run.timed_start || !run.timed_start->time_ms) {
    return std::nullopt;
  }
  const double seconds = seconds_between(*run.init_start_ms, *run.timed_start->time_ms);
  return seconds >= 0 ? std::optional(seconds) : std::nullopt;
}

void add_quality(Figures& figures, const TrainingRun& run, const model::MllogBlock& block) {
  if (block.quality_metric.empty() || run.evaluations.empty()) {
    return;
  }
  const EvaluationPoint& last = run.evaluations.back();
  figures.add(block.quality_metric, last.value, last.line,
              {fmt::format("eval_accuracy, the last of {} evaluations", run.evaluation_count),
               fmt::format("eval_accuracy，{} 次评估中的最后一次", run.evaluation_count)});
}

void add_times(Figures& figures, const TrainingRun& run, std::optional<double> trained_s) {
  const std::size_t start_line = line_of(run.timed_start);
  const std::size_t stop_line = line_of(run.timed_stop);
  figures.add(
      "time_to_train_s", trained_s, stop_line,
      {fmt::format("from run_start (line {}) to run_stop (line {})", start_line, stop_line),
       fmt::format("从 run_start（第 {} 行）到 run_stop（第 {} 行）", start_line, stop_line)});
  figures.add("startup_time_s", startup_time_s(run), start_line,
              {"from the earliest init_start to run_start", "从最早的 init_start 到 run_start"});
  if (run.evaluation_intervals > 0) {
    figures.add(
        "evaluation_time_s", run.evaluation_time_ms / 1000.0, stop_line,
        {fmt::format("sum of {} intervals eval_start to eval_stop inside the run",
                     run.evaluation_intervals),
         fmt::format("训练期间 {} 段 eval_start 到 eval_stop 之和", run.evaluation_intervals)});
  }
}

void add_sample_figures(Figures& figures, const TrainingRun& run, const model::MllogBlock& block,
                        std::optional<double> trained_s) {
  const std::optional<double> samples = samples_to_converge(run, block);
  if (!samples) {
    return;
  }
  const std::size_t line = run.evaluations.back().line;
  figures.add(
      "samples_to_converge", samples, line,
      {"epoch_num of the last evaluation, as samples", "最后一次评估的 epoch_num，折算为样本数"});
  if (trained_s) {
    const bool has_evaluation_time = run.evaluation_intervals > 0;
    figures.add(
        "time_per_sample_s", positive((*trained_s - (run.evaluation_time_ms / 1000.0)) / *samples),
        line_of(run.timed_stop),
        has_evaluation_time
            ? Text{"(time to train - evaluation time) / samples to converge",
                   "（训练时间 − 评估时间）/ 收敛样本数"}
            : Text{
                  "time to train / samples to converge; evaluations are not logged apart and count",
                  "训练时间 / 收敛样本数；日志未单独记录评估时间，已包含在内"});
  }
}

}  // namespace

std::optional<double> time_to_train_s(const TrainingRun& run) {
  const bool has_both = run.timed_start && run.timed_stop;
  if (!has_both || !run.timed_start->time_ms || !run.timed_stop->time_ms) {
    return std::nullopt;
  }
  return seconds_between(*run.timed_start->time_ms, *run.timed_stop->time_ms);
}

std::vector<Measurement> measure_training(const TrainingRun& run, const model::MllogBlock& block) {
  const std::optional<double> trained_s = positive(time_to_train_s(run));
  Figures figures(run);
  add_times(figures, run, trained_s);
  add_quality(figures, run, block);
  add_sample_figures(figures, run, block, trained_s);
  if (run.throughput_samples_per_s) {
    figures.add("samples_per_s", positive(run.throughput_samples_per_s->value),
                run.throughput_samples_per_s->line,
                {"throughput of the last tracked_stats record",
                 "最后一条 tracked_stats 记录的 throughput"});
  }
  return figures.take();
}

bool target_reached(const TrainingRun& run, const model::Criterion& criterion) {
  return std::ranges::any_of(run.evaluations, [&criterion](const EvaluationPoint& point) {
    return point.value && model::holds(*point.value, criterion.comparison, criterion.limit) &&
           (!criterion.plausible || model::holds(*point.value, criterion.plausible->comparison,
                                                 criterion.plausible->limit));
  });
}

}  // namespace harness::parse
