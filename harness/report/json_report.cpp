#include "harness/report/json_report.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "harness/base/utc_time.h"

namespace harness::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

Json to_json(const base::Text& text) {
  return Json{{"en", text.en}, {"zh", text.zh}};
}

/// nlohmann writes NaN as null in silence; here a figure that is not finite is unknown on purpose.
Json number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json to_json(const model::SourceRef& source) {
  Json out{{"artifact", base::printable(source.artifact)}};
  out["line"] = source.line == 0 ? Json(nullptr) : Json(source.line);
  return out;
}

Json to_json(const std::vector<model::SourceRef>& sources) {
  Json out = Json::array();
  for (const model::SourceRef& source : sources) {
    out.push_back(to_json(source));
  }
  return out;
}

Json to_json(const model::Finding& finding) {
  Json out{{"stage", model::stage_name(finding.stage)},
           {"check", finding.check},
           {"subject", base::printable(finding.subject)},
           {"verdict", model::verdict_name(finding.verdict)},
           {"warning", finding.is_warning},
           {"reason", model::reason_name(finding.reason)},
           {"text", to_json(finding.text)}};
  if (finding.limit || finding.measured) {
    out["measured"] = number_or_null(finding.measured);
    out["unit"] = finding.unit;
  }
  if (finding.limit) {
    out["comparison"] =
        finding.comparison ? Json(model::comparison_token(*finding.comparison)) : Json(nullptr);
    out["limit"] = number_or_null(finding.limit);
    out["limit_source"] = finding.limit_source;
  }
  if (finding.margin) {
    out["margin"] = Json{{"met", finding.margin->is_met},
                         {"absolute", number_or_null(finding.margin->absolute)},
                         {"ratio", number_or_null(finding.margin->ratio)}};
  }
  if (finding.evidence_kind) {
    out["evidence_kind"] = finding.evidence_kind->to_string();
  }
  out["evidence"] = to_json(finding.evidence);
  return out;
}

Json to_json(const model::Diagnosis& diagnosis) {
  return Json{{"rule", diagnosis.rule},
              {"cause", to_json(diagnosis.cause)},
              {"next", to_json(diagnosis.next)},
              {"evidence", to_json(diagnosis.evidence)},
              {"quoted_line", diagnosis.quoted_line}};
}

Json value_of(const model::Figure& figure) {
  if (const auto* number = std::get_if<double>(&figure.value)) {
    const bool is_count =
        std::isfinite(*number) && *number == std::trunc(*number) && std::fabs(*number) < 1e15;
    return is_count ? Json(static_cast<std::int64_t>(*number)) : number_or_null(*number);
  }
  if (const auto* text = std::get_if<std::string>(&figure.value)) {
    return Json(*text);
  }
  if (const auto* list = std::get_if<std::vector<double>>(&figure.value)) {
    return Json(*list);
  }
  return Json(nullptr);
}

Json figures_of(const model::Verdict& verdict) {
  Json out = Json::object();
  for (const model::Figure& figure : verdict.figures) {
    out[figure.name] = value_of(figure);
  }
  return out;
}

Json list_of_texts(const std::vector<base::Text>& texts) {
  Json out = Json::array();
  for (const base::Text& text : texts) {
    out.push_back(to_json(text));
  }
  return out;
}

Json to_json(const model::Attempt& attempt) {
  Json out{{"state", model::attempt_state_name(attempt.state)},
           {"started_utc", base::to_rfc3339(attempt.started)},
           {"ended_utc", base::to_rfc3339(attempt.ended)},
           {"duration_s", number_or_null(attempt.duration_s)}};
  const bool has_code = attempt.state == model::AttemptState::completed ||
                        attempt.state == model::AttemptState::failed;
  out["exit_code"] = has_code ? Json(attempt.exit_code) : Json(nullptr);
  out["signal"] = attempt.signal_number == 0 ? Json(nullptr) : Json(attempt.signal_number);
  out["dropped_log_bytes"] = attempt.dropped_log_bytes;
  return out;
}

Json to_json(const Subject& subject) {
  const model::Verdict& verdict = subject.verdict;
  Json out{{"path", base::printable(subject.path)},
           {"suite", subject.suite.empty() ? Json(nullptr) : Json(subject.suite)},
           {"system", subject.system.empty() ? Json(nullptr) : Json(subject.system)},
           {"verdict", model::verdict_name(verdict.word)},
           {"headline", to_json(verdict.headline)}};
  if (!subject.suite_choice.empty()) {
    out["suite_choice"] = to_json(subject.suite_choice);
  }
  if (subject.attempt) {
    out["attempt"] = to_json(*subject.attempt);
  }
  out["figures"] = figures_of(verdict);
  out["findings"] = Json::array();
  for (const model::Finding& finding : verdict.findings) {
    out["findings"].push_back(to_json(finding));
  }
  out["diagnosis"] = Json::array();
  for (const model::Diagnosis& diagnosis : verdict.diagnoses) {
    out["diagnosis"].push_back(to_json(diagnosis));
  }
  out["not_judged"] = Json::array();
  for (const model::NotJudged& one : verdict.not_judged) {
    out["not_judged"].push_back(Json{{"check", one.check}, {"why", to_json(one.why)}});
  }
  out["unread"] = Json::array();
  for (const std::string& path : subject.unread) {
    out["unread"].push_back(base::printable(path));
  }
  out["notices"] = list_of_texts(verdict.notices);
  return out;
}

}  // namespace

std::string render_json(const Report& report) {
  Json out{{"schema_version", kSchemaVersion},
           {"command", report.command},
           {"accept_version", report.version},
           {"verdict", model::verdict_name(report.word())},
           {"exit_code", report.exit_code}};
  if (!report.run_id.empty()) {
    out["run_id"] = report.run_id;
    out["evidence_folder"] = base::printable(report.evidence_folder);
  }
  const bool is_single = report.subjects.size() == 1;
  if (is_single && report.subjects.front().attempt) {
    out["state"] = model::attempt_state_name(report.subjects.front().attempt->state);
  }
  if (is_single) {
    out["suite"] =
        report.subjects.front().suite.empty() ? Json(nullptr) : Json(report.subjects.front().suite);
  }
  // The shortest way to the answer: one subject's figures, and every diagnosis, stand at the top as
  // well.
  out["diagnosis"] = Json::array();
  for (const Subject& subject : report.subjects) {
    for (const model::Diagnosis& diagnosis : subject.verdict.diagnoses) {
      out["diagnosis"].push_back(to_json(diagnosis));
    }
  }
  out["figures"] = is_single ? figures_of(report.subjects.front().verdict) : Json::object();
  out["subjects"] = Json::array();
  for (const Subject& subject : report.subjects) {
    out["subjects"].push_back(to_json(subject));
  }
  return out.dump(2, ' ', false, nlohmann::detail::error_handler_t::replace) + "\n";
}

}  // namespace harness::report
