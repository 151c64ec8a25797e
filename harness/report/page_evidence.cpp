#include "harness/report/page_evidence.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/base/utc_time.h"
#include "harness/report/curve_reading.h"
#include "harness/report/figure_text.h"
#include "harness/report/svg_chart.h"

namespace harness::report {
namespace {

using base::Language;
using model::Finding;
using model::VerdictWord;

constexpr std::size_t kMostTableRows = 60;
constexpr std::size_t kMostCurves = 10;

/// The last point looks as the criteria it decides; where none was judged, as the run that broke.
ChartContext chart_context(const Subject& subject, const EvaluationCurve& curve) {
  ChartContext context;
  for (const Finding& finding : subject.verdict.findings) {
    const bool is_time = finding.check == "time_to_train_s";
    const bool names_log = std::ranges::find(finding.evidence, curve.artifact,
                                             &model::SourceRef::artifact) != finding.evidence.end();
    if (finding.stage == model::Stage::criteria && (is_time || finding.check == curve.metric) &&
        (names_log || subject.curves.size() == 1)) {
      context.word = model::graver(context.word.value_or(VerdictWord::pass), finding.verdict);
      context.time_limit_s = is_time ? finding.limit : context.time_limit_s;
    }
  }
  if (!context.word && !is_quiet(subject.verdict.word)) {
    context.word = subject.verdict.word;
  }
  return context;
}

PageValue point_row(const CurvePoint& point, std::size_t number) {
  const auto figure = [](const std::optional<double>& value) {
    return value ? page_figure(*value, "") : "–";
  };
  PageValue row;
  row["point_number"] = fmt::format("{}", number);
  row["point_time"] = figure(point.elapsed_s);
  row["point_samples"] = figure(point.samples);
  row["point_value"] = figure(is_usable(point) ? point.value : std::nullopt);
  return row;
}

PageValue curve_part(const Subject& subject, const EvaluationCurve& curve, Language language) {
  const ChartContext context = chart_context(subject, curve);
  const std::string artifact = base::printable(curve.artifact, 200);
  const std::size_t count = curve.points.size();
  const std::size_t first = count > kMostTableRows ? count - kMostTableRows : 0;
  PageValue part;
  part["curve_title"] = say(curve.target ? "evaluation" : "evaluation_only", language);
  part["wide_svg"] = render_evaluation_chart(curve, context, ChartWidth::wide, language);
  part["slim_svg"] = render_evaluation_chart(curve, context, ChartWidth::slim, language);
  const auto reading = read_curve(curve, context.time_limit_s);
  part["has_chart"] = reading.has_value();
  part["caption"] = reading ? chart_sentence(*reading, language)
                            : fill("no_usable_value", language, count, artifact);
  part["table_caption"] = first == 0
                              ? fill("evaluations_of", language, count, artifact)
                              : fill("last_evaluations", language, kMostTableRows, count, artifact);
  part["value_title"] = curve_title(curve.metric, language);
  part["points"] = PageValue::array();
  for (std::size_t i = first; i < count; ++i) {
    part["points"].push_back(point_row(curve.points[i], i + 1));
  }
  return part;
}

void set_curves(PageValue& page, const Subject& subject, Language language) {
  page["curves"] = PageValue::array();
  for (const EvaluationCurve& curve : subject.curves) {
    if (!curve.points.empty() && page["curves"].size() < kMostCurves) {
      page["curves"].push_back(curve_part(subject, curve, language));
    }
  }
  page["has_curves"] = !page["curves"].empty();
}

void set_environment(PageValue& page, const Subject& subject, Language language) {
  page["environment"] = PageValue::array();
  for (const EnvironmentEntry& entry : subject.environment) {
    const std::string title =
        entry.title.empty() ? base::printable(entry.key) : page_text(entry.title, language);
    page["environment"].push_back({{"part", title}, {"part_value", printable_lines(entry.value)}});
  }
  page["has_environment"] = !subject.environment.empty();
}

std::string exit_text(const model::Attempt& attempt, Language language) {
  if (attempt.state == model::AttemptState::completed ||
      attempt.state == model::AttemptState::failed) {
    return fill("exit_is", language, attempt.exit_code);
  }
  return attempt.signal_number == 0 ? "–" : fill("signal_is", language, attempt.signal_number);
}

PageValue attempt_row(const model::Attempt& attempt, std::size_t number, Language language) {
  const bool has_started = attempt.state != model::AttemptState::not_started;
  PageValue row;
  row["attempt_number"] = fmt::format("{}", number);
  row["state"] = say("state_" + std::string(model::attempt_state_name(attempt.state)), language);
  row["started"] = has_started ? utc_text(attempt.started) : "–";
  row["ended"] = has_started ? utc_text(attempt.ended) : "–";
  row["duration"] = has_started ? base::to_duration_text(attempt.duration_s) : "–";
  row["exit"] = exit_text(attempt, language);
  return row;
}

void set_attempts(PageValue& page, const Subject& subject, Language language) {
  std::vector<model::Attempt> attempts = subject.earlier_attempts;
  std::string errors;
  std::uint64_t dropped_bytes = 0;
  if (subject.attempt) {
    attempts.push_back(*subject.attempt);
    errors = printable_lines(subject.attempt->last_error_lines);
    dropped_bytes = subject.attempt->dropped_log_bytes;
  }
  page["attempts"] = PageValue::array();
  for (const model::Attempt& attempt : attempts) {
    page["attempts"].push_back(attempt_row(attempt, page["attempts"].size() + 1, language));
  }
  page["has_attempts"] = !attempts.empty();
  page["stderr"] = text_or_false(errors);
  page["dropped"] =
      text_or_false(dropped_bytes == 0 ? "" : fill("dropped", language, dropped_bytes));
}

void set_artifacts(PageValue& page, const Subject& subject, Language language) {
  page["files"] = PageValue::array();
  for (const ArtifactEntry& artifact : subject.artifacts) {
    page["files"].push_back({{"file_path", base::printable(artifact.path, 400)},
                             {"file_size", size_text(artifact.size_bytes)},
                             {"file_sha256", base::printable(artifact.sha256, 64)}});
  }
  page["file_count"] = text_or_false(
      subject.artifacts.empty() ? "" : fill("files", language, subject.artifacts.size()));
}

}  // namespace

void set_evidence(PageValue& page, const Report& report, const Subject& subject,
                  Language language) {
  set_curves(page, subject, language);
  set_environment(page, subject, language);
  page["has_columns"] = page["has_curves"].get<bool>() || page["has_environment"].get<bool>();
  set_attempts(page, subject, language);
  set_artifacts(page, subject, language);
  page["folder"] = text_or_false(base::printable(report.evidence_folder));
  page["has_run"] = page["has_attempts"].get<bool>() || !report.evidence_folder.empty() ||
                    !subject.artifacts.empty();
}

}  // namespace harness::report
