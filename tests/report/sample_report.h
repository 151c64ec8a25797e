#pragma once

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "harness/report/html_report.h"

// Reports for the tests of the renderers.

namespace harness::report {

/// Markup, quotes, template braces, escape codes, a bidirectional override, a line break, broken
/// UTF-8.
inline const std::string kHostile =
    "\x1b[31m<script>alert(1)</script>&\"'`|*@all {{css}} "
    "{{{css}}}\u202egnp\n=1+1\xC4\xE3]]>--></style>";

inline model::Finding figure_finding(const std::string& check, double measured,
                                     model::Comparison comparison, double limit) {
  model::Finding finding;
  finding.check = check;
  finding.measured = measured;
  finding.limit = limit;
  finding.comparison = comparison;
  finding.margin = model::Margin{model::holds(measured, comparison, limit),
                                 std::fabs(measured - limit), std::fabs(measured - limit) / limit};
  finding.verdict = finding.margin->is_met ? model::VerdictWord::pass : model::VerdictWord::fail;
  finding.reason =
      finding.margin->is_met ? model::ReasonClass::none : model::ReasonClass::missed_criterion;
  finding.unit = check.ends_with("_s") ? "s" : "";
  finding.text = {"judged", "已评判"};
  finding.evidence = {{"results.json", 4}};
  finding.limit_source = "contract, annex B";
  return finding;
}

/// 12480.3 s against 11520 s, with every part of a report filled.
inline Report failed_report() {
  Report report;
  report.command = "run";
  report.version = "0.1.0";
  report.run_id = "r-20261130-013002-gpt3";
  report.evidence_folder = "/runs/r-20261130-013002-gpt3";
  report.exit_code = 1;
  Subject subject;
  subject.path = report.evidence_folder;
  subject.suite = "gpt3";
  subject.suite_title = {"GPT-3 pre-training", "GPT-3 预训练"};
  subject.suite_choice = {"chosen by the log", "按日志选择"};
  subject.system = "hgx_a100_80gb";
  model::Verdict& verdict = subject.verdict;
  verdict.word = model::VerdictWord::fail;
  verdict.headline = {"960.3 s over", "超出 960.3 s"};
  model::Finding rule;
  rule.stage = model::Stage::validity;
  rule.check = "exactly_one_run_stop";
  rule.text = {"run_stop occurs once", "run_stop 出现一次"};
  rule.is_warning = true;
  verdict.findings = {rule,
                      figure_finding("time_to_train_s", 12480.3, model::Comparison::at_most, 11520),
                      figure_finding("final_loss", 2.145, model::Comparison::at_most, 2.15),
                      figure_finding("scaling_efficiency", 0.87, model::Comparison::at_least, 0.8)};
  verdict.diagnoses = {{"rule",
                        {"GPUDirect is off", "GPUDirect 未启用"},
                        {"load it", "加载模块"},
                        {{"nccl.log", 2117}},
                        "Disabled"}};
  verdict.not_judged = {{"log_perplexity", {"no mllog given", "未提供 mllog"}}};
  verdict.figures = {
      {"time_to_train_s", 12480.3}, {"samples_per_s", {}}, {"benchmark", std::string("gpt3")}};
  verdict.notices = {{"Not verified by MLCommons Association.", "未经 MLCommons 协会验证。"}};
  subject.unread = {"core.1"};
  EvaluationCurve curve{"final_loss", "result_0.txt", {}, 2.15, model::Comparison::at_most};
  for (int i = 0; i < 9; ++i) {
    curve.points.push_back(
        {.elapsed_s = 1500.0 * i, .samples = 64.0 * i, .value = 3.0 - (0.1 * i)});
  }
  curve.points[4].value = std::numeric_limits<double>::quiet_NaN();
  subject.curves = {curve};
  subject.environment = {{"gpu_driver", {"GPU driver", "GPU 驱动"}, "570.172.08"}};
  subject.artifacts = {{"results.json", std::string(64, 'a'), 6'123'456}};
  model::Attempt attempt;
  attempt.state = model::AttemptState::completed;
  attempt.exit_code = 0;
  attempt.started = std::chrono::system_clock::time_point(std::chrono::seconds(1'796'002'202));
  attempt.ended = attempt.started + std::chrono::seconds(12'705);
  attempt.duration_s = 12'705;
  attempt.last_error_lines = "rank 3: slow";
  attempt.dropped_log_bytes = 7;
  subject.attempt = attempt;
  report.subjects = {subject};
  return report;
}

/// The same with kHostile wherever text can come from outside, or from a file that somebody wrote.
inline Report hostile_report() {
  const base::Text text = base::same_in_both(kHostile);
  Report report = failed_report();
  report.version = report.run_id = report.evidence_folder = kHostile;
  Subject& subject = report.subjects.front();
  subject.path = subject.suite = subject.system = kHostile;
  subject.suite_title = subject.suite_choice = subject.verdict.headline = text;
  for (model::Finding& finding : subject.verdict.findings) {
    finding.check = finding.subject = finding.unit = finding.limit_source = kHostile;
    finding.text = text;
    finding.evidence = {{kHostile, 3}};
  }
  subject.verdict.diagnoses = {{kHostile, text, text, {{kHostile, 3}}, kHostile}};
  subject.verdict.not_judged = {{kHostile, text}};
  subject.verdict.figures = {{kHostile, kHostile}, {kHostile, 1.0}};
  subject.verdict.notices = {text};
  subject.unread = {kHostile};
  subject.curves.front().metric = subject.curves.front().artifact = kHostile;
  subject.environment = {{kHostile, text, kHostile}, {kHostile, {}, kHostile}};
  subject.artifacts = {{kHostile, kHostile, 1}};
  subject.attempt->last_error_lines = kHostile;
  return report;
}

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline HtmlTemplates page_templates() {
  const std::string folder = ACCEPT_SOURCE_DIR "/reports/";
  return {file_text(folder + "run.mustache"), file_text(folder + "accept.css")};
}

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

}  // namespace harness::report
