#include "harness/judge/judge.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/base/number.h"
#include "harness/base/utc_time.h"
#include "harness/judge/criteria.h"
#include "harness/judge/diagnosis.h"
#include "harness/judge/figures.h"
#include "harness/judge/finding.h"
#include "harness/judge/judge_run.h"
#include "harness/judge/score.h"

namespace harness::judge {
namespace {

using base::Text;
using model::AttemptState;
using model::EvidenceKind;
using model::Finding;
using model::ReasonClass;
using model::Stage;
using model::Verdict;
using model::VerdictWord;

/// How the program ended. A program that ran to its own end with another exit code than 0 is judged
/// by what it wrote; the code alone proves nothing either way.
Finding judge_attempt(const model::Attempt& attempt) {
  const std::string duration = base::to_duration_text(attempt.duration_s);
  const auto failed = [](Text text) {
    return make_finding(Stage::launch, "attempt", VerdictWord::error, ReasonClass::launch_failed,
                        std::move(text));
  };
  switch (attempt.state) {
    case AttemptState::completed:
      return make_finding(Stage::launch, "attempt", VerdictWord::pass, ReasonClass::none,
                          {fmt::format("ended by itself with exit code 0 after {}", duration),
                           fmt::format("{}后自行结束，退出码 0", duration)});
    case AttemptState::failed:
      return failed({fmt::format("the workload ended with exit code {} after {}", attempt.exit_code,
                                 duration),
                     fmt::format("工作负载在 {}后以退出码 {} 结束", duration, attempt.exit_code)});
    case AttemptState::killed:
      return failed(
          {fmt::format("the workload was killed by signal {} after {}", attempt.signal_number,
                       duration),
           fmt::format("工作负载在 {}后被信号 {} 终止", duration, attempt.signal_number)});
    case AttemptState::not_started:
      return failed({"the workload could not be started: " + attempt.problem.en,
                     "无法启动工作负载：" + attempt.problem.zh});
    case AttemptState::wall_limit:
      return failed({fmt::format("ended by accept after {}: over its wall limit", duration),
                     fmt::format("运行 {}，超过时限，被 accept 终止", duration)});
    case AttemptState::silence_limit:
      return failed({fmt::format("ended by accept after {}: silent for too long", duration),
                     fmt::format("运行 {}，长时间无输出，被 accept 终止", duration)});
    case AttemptState::aborted: {
      Finding out = failed({fmt::format("ended by the user after {}", duration),
                            fmt::format("运行 {}后被用户终止", duration)});
      out.reason = ReasonClass::aborted;
      return out;
    }
  }
  return failed(base::same_in_both("?"));
}

/// A program that ended with exit code 1 and an "aborted" log has told us a fact about the system,
/// not a launch error.
bool explains_its_exit_code(const JudgeInput& input) {
  return input.attempt->state == AttemptState::failed && !input.runs.empty() &&
         input.runs.front().training && input.runs.front().training->run_stop_count == 1 &&
         input.runs.front().training->run_stops.front().status == "aborted";
}

std::vector<Finding> missing_outputs(const JudgeInput& input) {
  std::vector<Finding> findings;
  const auto require = [&](EvidenceKind kind, const std::optional<std::string>& file) {
    const bool has =
        std::ranges::any_of(input.runs, [kind](const RunEvidence& run) { return run.has(kind); });
    if (file && !has) {
      findings.push_back(
          make_finding(Stage::evidence, "declared_outputs", VerdictWord::inconclusive,
                       ReasonClass::evidence_missing,
                       {fmt::format("the workload left no {}, which the suite declares", *file),
                        fmt::format("工作负载没有留下套件所声明的 {}", *file)}));
    }
  };
  require(EvidenceKind::mllog, input.suite->outputs.mllog);
  require(EvidenceKind::results_json, input.suite->outputs.results_json);
  return findings;
}

void name_subject(std::vector<Finding>& findings, const std::string& subject) {
  for (Finding& one : findings) {
    one.subject = subject;
  }
}

VerdictWord gravest(const std::vector<Finding>& findings) {
  VerdictWord word = VerdictWord::pass;
  for (const Finding& one : findings) {
    word = model::graver(word, one.verdict);
  }
  return word;
}

/// The program was ended from outside, so what its log lacks is a consequence and says nothing of
/// the system.
void attribute_to_launch(std::vector<Finding>& findings) {
  for (Finding& one : findings) {
    if (one.stage != Stage::criteria && one.verdict == VerdictWord::fail) {
      one.verdict = VerdictWord::error;
      one.reason = ReasonClass::launch_failed;
    }
  }
}

bool launch_broke_run(const Verdict& verdict, const RunEvidence& run) {
  const bool launch_failed = !verdict.findings.empty() &&
                             verdict.findings.front().stage == Stage::launch &&
                             verdict.findings.front().verdict == VerdictWord::error;
  return launch_failed && run.training && run.training->run_stop_count == 0;
}

/// One failed run of a scored set is allowed: what was wrong with it stays in sight as a warning.
void allow_failed_run(std::vector<Finding>& findings) {
  for (Finding& one : findings) {
    if (one.verdict != VerdictWord::pass) {
      one.verdict = VerdictWord::pass;
      one.is_warning = true;
    }
  }
}

Finding score_finding(const OlympicScore& score) {
  if (!score.mean_s) {
    const bool several_failed = score.run_count - score.valid_count > 1;
    return several_failed ? make_finding(Stage::score, "olympic_score", VerdictWord::fail,
                                         ReasonClass::invalid_run, score.why_none)
                          : make_finding(Stage::score, "olympic_score", VerdictWord::inconclusive,
                                         ReasonClass::evidence_missing, score.why_none);
  }
  const std::string mean = base::with_unit(*score.mean_s, "s");
  Finding out = make_finding(
      Stage::score, "olympic_score", VerdictWord::pass, ReasonClass::none,
      {fmt::format("{} of {} runs valid, mean of {} without fastest and slowest: {} ({} min)",
                   score.valid_count, score.run_count, score.averaged_count, mean,
                   base::format_significant(*score.mean_s / 60, 5)),
       fmt::format("{} 次运行中 {} 次有效，去掉最快和最慢后 {} 次的平均：{}（{} 分钟）",
                   score.run_count, score.valid_count, score.averaged_count, mean,
                   base::format_significant(*score.mean_s / 60, 5))});
  out.measured = score.mean_s;
  out.unit = "s";
  return out;
}

std::optional<Finding> run_count_finding(const JudgeInput& input, const OlympicScore& score) {
  std::optional<std::size_t> required = input.known.required_runs;
  if (!required && input.suite != nullptr && input.suite->mllog) {
    required = input.suite->mllog->official_run_count;
  }
  if (!required || *required == score.run_count) {
    return std::nullopt;
  }
  return make_finding(
      Stage::score, "run_count", VerdictWord::inconclusive, ReasonClass::evidence_missing,
      {fmt::format("{} runs given, a score takes exactly {}", score.run_count, *required),
       fmt::format("提供了 {} 次运行，计分需要恰好 {} 次", score.run_count, *required)});
}

/// The time criterion on the score in place of each run's time.
std::vector<Finding> scored_time_findings(const JudgeInput& input, const OlympicScore& score) {
  std::vector<Finding> findings;
  if (input.suite == nullptr || !score.mean_s) {
    return findings;
  }
  for (const model::Criterion& criterion : input.suite->criteria) {
    const bool on_log = std::ranges::any_of(
        criterion.evidence,
        [](const model::Evidence& evidence) { return evidence.kind == EvidenceKind::mllog; });
    if (on_log && (criterion.metric == "time_to_train_s" || criterion.metric == "olympic_mean_s")) {
      const model::Measurement mean{
          "olympic_mean_s", *score.mean_s, {EvidenceKind::mllog, {}}, {}, {}};
      Finding out = judge_figure(criterion, mean);
      out.evidence.clear();
      findings.push_back(std::move(out));
    }
  }
  return findings;
}

/// Several logs: each is judged, then the score over all.
OlympicScore judge_scored_runs(const JudgeInput& input, Verdict& verdict) {
  std::vector<RunJudgement> judged;
  std::vector<TimedRun> timed;
  for (const RunEvidence& run : input.runs) {
    judged.push_back(judge_run(input, run, run.training.has_value()));
    name_subject(judged.back().findings, run.name);
    if (run.training) {
      const auto* time = run.find("time_to_train_s", {EvidenceKind::mllog, {}});
      const bool is_valid = gravest(judged.back().findings) == VerdictWord::pass && time != nullptr;
      timed.push_back({run.name, is_valid ? std::optional(time->value) : std::nullopt});
    }
  }
  const OlympicScore score = olympic_score(timed);
  for (RunJudgement& one : judged) {
    if (score.mean_s && score.valid_count < score.run_count && !one.findings.empty() &&
        one.findings.front().subject == score.slowest) {
      allow_failed_run(one.findings);
    }
    std::ranges::move(one.findings, std::back_inserter(verdict.findings));
  }
  verdict.not_judged = judged.empty() ? std::vector<model::NotJudged>{} : judged.front().not_judged;
  verdict.findings.push_back(score_finding(score));
  if (auto count = run_count_finding(input, score)) {
    verdict.findings.push_back(std::move(*count));
  }
  std::ranges::move(scored_time_findings(input, score), std::back_inserter(verdict.findings));
  return score;
}

Finding nothing_judged() {
  return make_finding(Stage::evidence, "anything_judged", VerdictWord::inconclusive,
                      ReasonClass::evidence_missing,
                      {"nothing was measured that a criterion could be held against",
                       "没有任何测得的数值可与验收指标对照"});
}

Text passed_headline(const Verdict& verdict) {
  const auto judged = std::ranges::count_if(verdict.findings, [](const Finding& f) {
    return f.stage == Stage::criteria || f.stage == Stage::score;
  });
  const auto warned = std::ranges::count_if(verdict.findings, &Finding::is_warning);
  const std::string warned_en =
      warned > 0 ? fmt::format(", {} warning{}", warned, warned == 1 ? "" : "s") : "";
  const std::string warned_zh = warned > 0 ? fmt::format("，{} 条警告", warned) : "";
  return {fmt::format("{} {} met{}", judged, judged == 1 ? "criterion" : "criteria", warned_en),
          fmt::format("{} 项指标全部满足{}", judged, warned_zh)};
}

/// The sentence behind the word: the score's when there is one, else the first of the findings that
/// decide.
Text headline_of(const Verdict& verdict) {
  if (verdict.word == VerdictWord::pass) {
    return passed_headline(verdict);
  }
  const auto decides = [&verdict](const Finding& f) { return f.verdict == verdict.word; };
  auto decisive = std::ranges::find_if(
      verdict.findings, [&](const Finding& f) { return decides(f) && f.stage == Stage::score; });
  if (decisive == verdict.findings.end()) {
    decisive = std::ranges::find_if(verdict.findings, decides);
  }
  const auto more = std::ranges::count_if(verdict.findings, decides) - 1;
  const std::string subject = decisive->subject.empty() ? "" : decisive->subject + ": ";
  return {fmt::format("{}{}{}", subject, decisive->text.en,
                      more > 0 ? fmt::format(" (and {} more)", more) : ""),
          fmt::format("{}{}{}", subject, decisive->text.zh,
                      more > 0 ? fmt::format("（另有 {} 项）", more) : "")};
}

std::vector<Text> notices_of(const model::Suite* suite) {
  std::vector<Text> notices;
  if (suite != nullptr && suite->is_miniature) {
    notices.push_back(
        {"Miniature training, not MLPerf: it shows that this machine trains, it accepts nothing.",
         "微型训练，并非 MLPerf：仅证明本机能够训练，不构成验收。"});
  }
  if (suite != nullptr && suite->is_mlperf) {
    notices.push_back({"Not verified by MLCommons Association.", "未经 MLCommons 协会验证。"});
  }
  return notices;
}

void judge_launch(const JudgeInput& input, Verdict& verdict) {
  if (input.attempt) {
    Finding launched = judge_attempt(*input.attempt);
    if (explains_its_exit_code(input)) {
      launched.verdict = VerdictWord::pass;
      launched.reason = ReasonClass::none;
      launched.is_warning = true;
    }
    verdict.findings.push_back(std::move(launched));
  }
  if (input.requirement == Requirement::declared && input.suite != nullptr) {
    std::ranges::move(missing_outputs(input), std::back_inserter(verdict.findings));
  }
}

/// At most one log: every run stands for itself.
void judge_single_runs(const JudgeInput& input, Verdict& verdict) {
  for (const RunEvidence& run : input.runs) {
    RunJudgement judged = judge_run(input, run, false);
    if (launch_broke_run(verdict, run)) {
      attribute_to_launch(judged.findings);
    }
    name_subject(judged.findings, input.runs.size() > 1 ? run.name : "");
    std::ranges::move(judged.findings, std::back_inserter(verdict.findings));
    verdict.not_judged = std::move(judged.not_judged);
  }
}

bool has_criterion(const Verdict& verdict) {
  return std::ranges::any_of(verdict.findings, [](const Finding& f) {
    return f.stage == Stage::criteria || f.stage == Stage::score;
  });
}

}  // namespace

Verdict judge(const JudgeInput& input) {
  Verdict verdict;
  judge_launch(input, verdict);
  const auto logs = std::ranges::count_if(
      input.runs, [](const RunEvidence& r) { return r.training.has_value(); });
  if (logs > 1) {
    const OlympicScore score = judge_scored_runs(input, verdict);
    verdict.figures = collect_figures(input, &score);
  } else {
    judge_single_runs(input, verdict);
    verdict.figures = collect_figures(input, nullptr);
  }
  if (!has_criterion(verdict) && gravest(verdict.findings) == VerdictWord::pass) {
    verdict.findings.push_back(nothing_judged());
  }
  verdict.word = gravest(verdict.findings);
  verdict.headline = headline_of(verdict);
  verdict.diagnoses = diagnose(input, verdict.findings);
  verdict.notices = notices_of(input.suite);
  return verdict;
}

}  // namespace harness::judge
