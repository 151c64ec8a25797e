#include "harness/store/record_of.h"

#include "harness/base/utc_time.h"
#include "harness/model/metric.h"

namespace harness::store {

AttemptRecord record_of(const model::Attempt& attempt, model::LauncherKind launcher) {
  AttemptRecord record{.launcher = std::string(model::launcher_name(launcher)),
                       .state = std::string(model::attempt_state_name(attempt.state)),
                       .started_utc = base::to_rfc3339(attempt.started),
                       .ended_utc = base::to_rfc3339(attempt.ended),
                       .duration_s = attempt.duration_s,
                       .dropped_log_bytes = static_cast<std::int64_t>(attempt.dropped_log_bytes),
                       .problem = attempt.problem,
                       .last_error_lines = attempt.last_error_lines};
  if (attempt.exit_code >= 0) {
    record.exit_code = attempt.exit_code;
  }
  if (attempt.signal_number != 0) {
    record.signal_number = attempt.signal_number;
  }
  return record;
}

MeasurementRecord record_of(const model::Measurement& measurement) {
  const model::Metric* metric = model::find_metric(measurement.metric);
  MeasurementRecord record{.metric = measurement.metric,
                           .value = measurement.value,
                           .unit = metric != nullptr ? std::string(metric->unit) : "",
                           .evidence = measurement.evidence.to_string(),
                           .method = measurement.method};
  if (!measurement.source.artifact.empty()) {
    record.artifact = measurement.source.artifact;
  }
  if (measurement.source.line != 0) {
    record.line = static_cast<std::int64_t>(measurement.source.line);
  }
  return record;
}

EvaluationRecord record_of(const model::EvaluationPoint& point, const std::string& artifact) {
  return {.artifact = artifact,
          .line = static_cast<std::int64_t>(point.line),
          .time_ms = point.time_ms,
          .value = point.value,
          .epoch_num = point.epoch_num};
}

FindingRecord record_of(const model::Finding& finding) {
  FindingRecord record{.stage = std::string(model::stage_name(finding.stage)),
                       .check = finding.check,
                       .subject = finding.subject,
                       .verdict = finding.verdict,
                       .is_warning = finding.is_warning,
                       .reason = std::string(model::reason_name(finding.reason)),
                       .measured = finding.measured,
                       .limit = finding.limit,
                       .unit = finding.unit,
                       .text = finding.text,
                       .limit_source = finding.limit_source};
  if (finding.comparison) {
    record.comparison = std::string(model::comparison_token(*finding.comparison));
  }
  if (finding.evidence_kind) {
    record.evidence = finding.evidence_kind->to_string();
  }
  if (!finding.evidence.empty()) {
    record.artifact = finding.evidence.front().artifact;
    record.line = static_cast<std::int64_t>(finding.evidence.front().line);
  }
  return record;
}

}  // namespace harness::store
