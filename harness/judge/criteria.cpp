#include "harness/judge/criteria.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/base/number.h"
#include "harness/model/metric.h"

namespace harness::judge {
namespace {

using base::Text;
using model::Comparison;
using model::Criterion;
using model::Evidence;
using model::EvidenceKind;
using model::Finding;
using model::Margin;
using model::Measurement;
using model::ReasonClass;
using model::VerdictWord;

bool is_upper_limit(Comparison comparison) {
  return comparison == Comparison::at_most || comparison == Comparison::less_than;
}

/// "960.3 s over (8.3 %)", "0.07 room (8.8 %)".
Text margin_text(const Margin& margin, Comparison comparison, std::string_view unit) {
  const std::string distance = base::with_unit(margin.absolute, unit);
  const std::string percent =
      margin.ratio ? fmt::format(" ({} %)", base::format_significant(*margin.ratio * 100, 2)) : "";
  if (margin.is_met) {
    return {fmt::format("{} room{}", distance, percent),
            fmt::format("余量 {}{}", distance, percent)};
  }
  return is_upper_limit(comparison) ? Text{fmt::format("{} over{}", distance, percent),
                                           fmt::format("超出 {}{}", distance, percent)}
                                    : Text{fmt::format("{} short{}", distance, percent),
                                           fmt::format("不足 {}{}", distance, percent)};
}

Finding base_finding(const Criterion& criterion, const Evidence& evidence) {
  Finding out;
  out.stage = model::Stage::criteria;
  out.check = criterion.metric;
  out.limit = criterion.limit;
  out.comparison = criterion.comparison;
  out.unit = std::string(model::metric_named(criterion.metric).unit);
  out.evidence_kind = evidence;
  out.limit_source = criterion.source;
  return out;
}

/// The evidence was given, the figure is not in it.
Finding missing_figure(const Criterion& criterion, const Evidence& evidence,
                       const RunEvidence& run) {
  Finding out = base_finding(criterion, evidence);
  const Text title = model::metric_named(criterion.metric).title();
  out.verdict = VerdictWord::inconclusive;
  out.reason = ReasonClass::evidence_missing;
  const std::string artifact =
      evidence.kind == EvidenceKind::mllog ? run.training->artifact : run.results->artifact;
  out.text = {fmt::format("{} not measured: {} has no usable figure for it", title.en, artifact),
              fmt::format("{}未测得：{} 中没有可用的数值", title.zh, artifact)};
  out.evidence = {{artifact, 0}};
  return out;
}

Finding implausible(Finding out, const Criterion& criterion, const Text& title) {
  const std::string bound =
      fmt::format("{} {}", model::comparison_sign(criterion.plausible->comparison),
                  base::with_unit(criterion.plausible->limit, out.unit));
  out.verdict = VerdictWord::fail;
  out.reason = ReasonClass::invalid_run;
  out.margin.reset();
  out.text = {fmt::format("{} {} cannot be real: the official window is {}", title.en,
                          base::with_unit(*out.measured, out.unit), bound),
              fmt::format("{} {} 不可能为真：官方窗口为 {}", title.zh,
                          base::with_unit(*out.measured, out.unit), bound)};
  return out;
}

model::NotJudged not_given(const Criterion& criterion) {
  std::vector<std::string> kinds;
  std::ranges::transform(criterion.evidence, std::back_inserter(kinds), &Evidence::to_string);
  const std::string list = base::join(kinds, ", ");
  return {criterion.metric, {fmt::format("no {} given", list), fmt::format("未提供 {}", list)}};
}

Finding judge_on_evidence(const Criterion& criterion, const Evidence& evidence,
                          const RunEvidence& run) {
  const Measurement* measurement = run.find(criterion.metric, evidence);
  return measurement == nullptr ? missing_figure(criterion, evidence, run)
                                : judge_figure(criterion, *measurement);
}

void add_judgement(const Criterion& criterion, const Evidence& evidence, const RunEvidence& run,
                   bool time_is_scored, CriteriaResult& result) {
  const bool is_log = evidence.kind == EvidenceKind::mllog;
  if (is_log && run.training->run_stop_count == 0) {
    // Validity has said so: what a log without run_stop shows last is not the run's result.
    result.not_judged.push_back({criterion.metric, {"the run did not end", "训练未结束"}});
  } else if (!(is_log && time_is_scored && criterion.metric == "time_to_train_s")) {
    result.findings.push_back(judge_on_evidence(criterion, evidence, run));
  }
}

}  // namespace

Margin margin_of(double measured, Comparison comparison, double limit) {
  Margin margin;
  margin.is_met = model::holds(measured, comparison, limit);
  margin.absolute = std::fabs(measured - limit);
  if (limit != 0.0) {
    margin.ratio = margin.absolute / std::fabs(limit);
  }
  return margin;
}

Finding judge_figure(const Criterion& criterion, const Measurement& measurement) {
  Finding out = base_finding(criterion, measurement.evidence);
  const Text title = model::metric_named(measurement.metric).title();
  out.measured = measurement.value;
  out.margin = margin_of(measurement.value, criterion.comparison, criterion.limit);
  out.evidence = {measurement.source};
  if (criterion.plausible && !model::holds(measurement.value, criterion.plausible->comparison,
                                           criterion.plausible->limit)) {
    return implausible(std::move(out), criterion, title);
  }
  out.verdict = out.margin->is_met ? VerdictWord::pass : VerdictWord::fail;
  out.reason = out.margin->is_met ? ReasonClass::none : ReasonClass::missed_criterion;
  const Text margin = margin_text(*out.margin, criterion.comparison, out.unit);
  const std::string_view sign = model::comparison_sign(criterion.comparison);
  const std::string value = base::with_unit(measurement.value, out.unit);
  const std::string limit = base::with_unit(criterion.limit, out.unit);
  const bool met = out.margin->is_met;
  out.text = {fmt::format("{} {} {} {} {}: {}", title.en, value,
                          met ? "meets" : "misses its target", sign, limit, margin.en),
              fmt::format("{} {} {} {} {}：{}", title.zh, value, met ? "满足" : "未达到目标", sign,
                          limit, margin.zh)};
  return out;
}

CriteriaResult judge_criteria(const model::Suite& suite, const RunEvidence& run,
                              bool time_is_scored) {
  CriteriaResult result;
  for (const Criterion& criterion : suite.criteria) {
    std::vector<Evidence> given;
    std::ranges::copy_if(criterion.evidence, std::back_inserter(given),
                         [&run](const Evidence& evidence) { return run.has(evidence.kind); });
    if (given.empty()) {
      result.not_judged.push_back(not_given(criterion));
    }
    for (const Evidence& evidence : given) {
      add_judgement(criterion, evidence, run, time_is_scored, result);
    }
  }
  return result;
}

}  // namespace harness::judge
