#include "harness/judge/judge_run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/base/number.h"
#include "harness/judge/criteria.h"
#include "harness/judge/finding.h"
#include "harness/judge/validity.h"

namespace harness::judge {
namespace {

using model::EvidenceKind;
using model::Finding;
using model::ReasonClass;
using model::Stage;
using model::VerdictWord;

/// results.json and the log of one run must tell one story; 1 % and 1 s allow for where a program
/// starts its clock.
std::optional<Finding> compare_evidence(const RunEvidence& run) {
  const auto* log = run.find("time_to_train_s", {EvidenceKind::mllog, {}});
  const auto* results = run.find("time_to_train_s", {EvidenceKind::results_json, {}});
  if (log == nullptr || results == nullptr) {
    return std::nullopt;
  }
  const double gap_s = std::fabs(log->value - results->value);
  if (gap_s <= std::max(1.0, 0.01 * log->value)) {
    return std::nullopt;
  }
  const std::string a = base::with_unit(results->value, "s");
  const std::string b = base::with_unit(log->value, "s");
  Finding out = make_finding(
      Stage::validity, "evidence_agrees", VerdictWord::fail, ReasonClass::invalid_run,
      {fmt::format("results.json says {} and the log says {} for the time to train", a, b),
       fmt::format("训练时间不一致：results.json 为 {}，日志为 {}", a, b)});
  out.evidence = {results->source, log->source};
  return out;
}

/// What results.json says in a way that cannot be used, in sight even where no criterion needs it.
std::vector<Finding> results_notes(const RunEvidence& run) {
  std::vector<Finding> notes;
  if (run.results) {
    for (const model::Issue& issue : run.results->issues) {
      Finding note = make_finding(Stage::evidence, "results_json_value", VerdictWord::pass,
                                  ReasonClass::none, issue.reason);
      note.is_warning = issue.kind == model::IssueKind::value_unusable;
      note.evidence = {issue.source};
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

std::vector<Finding> unreadable_findings(const RunEvidence& run) {
  std::vector<Finding> findings;
  for (const model::Issue& issue : run.unreadable) {
    findings.push_back(make_finding(Stage::evidence, "readable_artifact", VerdictWord::error,
                                    ReasonClass::unreadable_input, issue.reason));
    findings.back().evidence = {issue.source};
  }
  return findings;
}

/// A miniature may be judged by a miniature's suite only. Source: harness/README.md, "Truth
/// rules", 6.
std::optional<Finding> check_real_thing(const JudgeInput& input, const RunEvidence& run) {
  const bool is_miniature =
      (run.training && run.training->miniature) || (run.results && run.results->is_miniature);
  if (!is_miniature || input.suite == nullptr || input.suite->is_miniature) {
    return std::nullopt;
  }
  return make_finding(
      Stage::evidence, "real_thing", VerdictWord::error, ReasonClass::unreadable_input,
      {fmt::format("these are results of a miniature training; suite {} judges the real thing only",
                   input.suite->name),
       fmt::format("这是微型训练的结果；套件 {} 只评判真实训练", input.suite->name)});
}

}  // namespace

RunJudgement judge_run(const JudgeInput& input, const RunEvidence& run, bool time_is_scored) {
  RunJudgement judged;
  judged.findings = unreadable_findings(run);
  if (auto miniature = check_real_thing(input, run)) {
    judged.findings.push_back(std::move(*miniature));
    return judged;
  }
  if (run.training) {
    std::ranges::move(check_validity(*run.training, input.suite),
                      std::back_inserter(judged.findings));
    if (judged.findings.back().check ==
        "readable_log") {  // nothing readable: no criterion can be judged on it
      return judged;
    }
  }
  if (auto gap = compare_evidence(run)) {
    judged.findings.push_back(std::move(*gap));
  }
  for (Finding& note : results_notes(run)) {
    judged.findings.push_back(std::move(note));
  }
  if (input.suite != nullptr) {
    CriteriaResult criteria = judge_criteria(*input.suite, run, time_is_scored);
    std::ranges::move(criteria.findings, std::back_inserter(judged.findings));
    judged.not_judged = std::move(criteria.not_judged);
  }
  return judged;
}

}  // namespace harness::judge
