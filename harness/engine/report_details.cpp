#include "harness/engine/report_details.h"

#include <algorithm>
#include <utility>

#include "harness/base/files.h"

namespace harness::engine {
namespace {

report::EvaluationCurve curve_of(const model::TrainingRun& log, const model::Suite* suite) {
  report::EvaluationCurve curve;
  curve.artifact = log.artifact;
  const model::MllogBlock* block = suite != nullptr && suite->mllog ? &*suite->mllog : nullptr;
  if (block != nullptr) {
    curve.metric = block->quality_metric;
    const auto quality =
        std::ranges::find(suite->criteria, curve.metric, &model::Criterion::metric);
    if (quality != suite->criteria.end()) {
      curve.target = quality->limit;
      curve.comparison = quality->comparison;
    }
  }
  const auto start_ms = log.timed_start ? log.timed_start->time_ms : std::nullopt;
  for (const model::EvaluationPoint& evaluation : log.evaluations) {
    report::CurvePoint point;
    point.value = evaluation.value;
    if (start_ms && evaluation.time_ms) {
      point.elapsed_s = static_cast<double>(*evaluation.time_ms - *start_ms) / 1000.0;
    }
    if (block != nullptr && evaluation.epoch_num) {
      point.samples = *evaluation.epoch_num * block->samples_per_epoch_num;
    }
    curve.points.push_back(point);
  }
  return curve;
}

}  // namespace

std::vector<report::EvaluationCurve> evaluation_curves(const std::vector<judge::RunEvidence>& runs,
                                                       const model::Suite* suite) {
  std::vector<report::EvaluationCurve> curves;
  for (const judge::RunEvidence& run : runs) {
    if (run.training && !run.training->evaluations.empty()) {
      curves.push_back(curve_of(*run.training, suite));
    }
  }
  return curves;
}

std::vector<report::ArtifactEntry> kept_files(const std::filesystem::path& folder) {
  std::vector<report::ArtifactEntry> files;
  for (const std::filesystem::path& file : base::files_below(folder)) {
    files.push_back({file.lexically_relative(folder).string(), base::sha256_of_file(file),
                     std::filesystem::file_size(file)});
  }
  return files;
}

report::HtmlTemplates load_templates(const std::filesystem::path& data_folder) {
  constexpr std::size_t kLimitBytes = 1U << 20U;
  return {base::read_file(data_folder / "reports" / "run.mustache", kLimitBytes),
          base::read_file(data_folder / "reports" / "accept.css", kLimitBytes)};
}

}  // namespace harness::engine
