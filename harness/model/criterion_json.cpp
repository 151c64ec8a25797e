#include "harness/model/criterion_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "harness/base/number.h"
#include "harness/model/metric.h"

namespace harness::model {
namespace {

constexpr std::array<std::string_view, 4> kResultsJsonMetrics{"time_to_train_s", "final_loss",
                                                              "scaling_efficiency", "gpu_count"};
constexpr std::array<std::string_view, 1> kSweepMetrics{"scaling_efficiency"};
constexpr std::array<std::string_view, 7> kMllogMetrics{
    "time_to_train_s", "time_per_sample_s", "samples_to_converge", "samples_per_s",
    "startup_time_s",  "evaluation_time_s", "olympic_mean_s"};
constexpr std::string_view kToolPrefix = "tool:";

constexpr std::array kComparisons{Comparison::at_most, Comparison::at_least, Comparison::less_than,
                                  Comparison::greater_than, Comparison::equal};

bool is_upper_limit(Comparison comparison) {
  return comparison == Comparison::at_most || comparison == Comparison::less_than;
}

Comparison read_comparison(const JsonReader& reader) {
  std::vector<std::string> tokens;
  tokens.reserve(kComparisons.size());
  for (const Comparison comparison : kComparisons) {
    tokens.emplace_back(comparison_token(comparison));
  }
  const std::string token = reader.read_word(tokens);
  return *std::ranges::find(kComparisons, token, comparison_token);
}

Evidence read_evidence(const JsonReader& reader) {
  const std::string word = reader.read_string();
  if (word.starts_with(kToolPrefix)) {
    std::string tool = word.substr(kToolPrefix.size());
    if (!is_name(tool)) {
      reader.refuse({"the name behind \"tool:\" is no name", "\"tool:\" 后面的名称不合法"},
                    {"write for example \"tool:nccl-tests\": a-z, 0-9, _ and -",
                     "例如写 \"tool:nccl-tests\"：只用 a-z、0-9、_ 和 -"});
    }
    return {.kind = EvidenceKind::tool, .tool = std::move(tool)};
  }
  const std::string kind = reader.read_word({"results_json", "mllog", "sweep", "tool:NAME"});
  if (kind == "results_json") {
    return {.kind = EvidenceKind::results_json, .tool = {}};
  }
  return {.kind = kind == "sweep" ? EvidenceKind::sweep : EvidenceKind::mllog, .tool = {}};
}

/// What `evidence` of this suite can carry; for a tool: every metric.
std::vector<std::string> carried_metrics(const Evidence& evidence,
                                         const std::optional<MllogBlock>& mllog) {
  std::vector<std::string> carried;
  switch (evidence.kind) {
    case EvidenceKind::results_json:
      carried.assign(kResultsJsonMetrics.begin(), kResultsJsonMetrics.end());
      break;
    case EvidenceKind::sweep:
      carried.assign(kSweepMetrics.begin(), kSweepMetrics.end());
      break;
    case EvidenceKind::mllog:
      if (mllog) {
        carried.push_back(mllog->quality_metric);
        carried.insert(carried.end(), kMllogMetrics.begin(), kMllogMetrics.end());
      }
      break;
    case EvidenceKind::tool:
      for (const Metric& metric : all_metrics()) {
        carried.emplace_back(metric.name);
      }
      break;
  }
  return carried;
}

void expect_carried(const JsonReader& reader, const Evidence& evidence, const std::string& metric,
                    const std::optional<MllogBlock>& mllog) {
  if (evidence.kind == EvidenceKind::mllog && !mllog) {
    reader.refuse({"mllog evidence, but the suite has no \"mllog\" block",
                   "要求 mllog 证据，但套件没有 \"mllog\" 段"},
                  {"add \"mllog\" with benchmark and quality_metric",
                   "请补上 \"mllog\" 段（benchmark 和 quality_metric）"});
  }
  const std::vector<std::string> carried = carried_metrics(evidence, mllog);
  if (std::ranges::find(carried, metric) == carried.end()) {
    const std::string kind = evidence.to_string();
    const std::string all = base::join(carried, ", ");
    reader.refuse(
        {fmt::format("{} carries no {}", kind, metric), fmt::format("{} 中没有 {}", kind, metric)},
        {fmt::format("{} carries {}", kind, all), fmt::format("{} 提供：{}", kind, all)});
  }
}

std::vector<Evidence> read_evidence_list(const JsonReader& list, const std::string& metric,
                                         const std::optional<MllogBlock>& mllog) {
  std::vector<Evidence> out;
  for (const JsonReader& item : list.some_items()) {
    const Evidence evidence = read_evidence(item);
    if (std::ranges::find(out, evidence) != out.end()) {
      item.refuse({fmt::format("{} is listed twice", evidence.to_string()),
                   fmt::format("{} 重复", evidence.to_string())},
                  {"remove one of them", "请删除其中之一"});
    }
    expect_carried(item, evidence, metric, mllog);
    out.push_back(evidence);
  }
  return out;
}

/// A bound on the far side of the limit: for "<= 2.69" the smallest value that can be real.
PlausibleBound read_plausible(const JsonReader& reader, const Criterion& criterion) {
  reader.expect_keys({"comparison", "limit"});
  const PlausibleBound bound{.comparison = read_comparison(reader.member("comparison")),
                             .limit = reader.member("limit").read_number()};
  const bool is_upper = is_upper_limit(criterion.comparison);
  const bool is_opposite = criterion.comparison != Comparison::equal &&
                           bound.comparison != Comparison::equal &&
                           is_upper_limit(bound.comparison) != is_upper;
  const bool leaves_room = is_upper ? bound.limit < criterion.limit : bound.limit > criterion.limit;
  if (!is_opposite || !leaves_room) {
    const std::string limit = fmt::format("{} {}", comparison_token(criterion.comparison),
                                          base::format_number(criterion.limit));
    reader.refuse({fmt::format("the bound leaves no room beside {}", limit),
                   fmt::format("该界限与 {} 之间没有余地", limit)},
                  {"bound the far side: for a limit <= 2.69 write for example > 2.6",
                   "请限定另一侧：例如限值为 <= 2.69 时写 > 2.6"});
  }
  return bound;
}

Criterion read_criterion(const JsonReader& reader, const std::optional<MllogBlock>& mllog) {
  reader.expect_keys({"metric", "comparison", "limit", "plausible", "evidence", "source", "note"});
  Criterion criterion;
  criterion.metric = read_metric(reader.member("metric"));
  criterion.comparison = read_comparison(reader.member("comparison"));
  criterion.limit = reader.member("limit").read_number();
  if (const auto plausible = reader.find("plausible")) {
    criterion.plausible = read_plausible(*plausible, criterion);
  }
  criterion.evidence = read_evidence_list(reader.member("evidence"), criterion.metric, mllog);
  criterion.source = reader.member("source").read_label();
  if (const auto note = reader.find("note")) {
    criterion.note = note->read_text();
  }
  return criterion;
}

bool is_same_question(const Criterion& a, const Criterion& b) {
  return a.metric == b.metric && a.comparison == b.comparison &&
         std::ranges::any_of(a.evidence, [&b](const Evidence& evidence) {
           return std::ranges::find(b.evidence, evidence) != b.evidence.end();
         });
}

}  // namespace

bool is_derived_from_mllog(std::string_view metric) {
  return std::ranges::find(kMllogMetrics, metric) != kMllogMetrics.end();
}

std::string read_metric(const JsonReader& reader) {
  std::vector<std::string> names;
  for (const Metric& metric : all_metrics()) {
    names.emplace_back(metric.name);
  }
  return reader.read_word(names);
}

std::vector<Criterion> read_criteria(const JsonReader& list,
                                     const std::optional<MllogBlock>& mllog) {
  std::vector<Criterion> out;
  for (const JsonReader& item : list.some_items()) {
    Criterion criterion = read_criterion(item, mllog);
    const auto twin = std::ranges::find_if(
        out, [&criterion](const Criterion& other) { return is_same_question(criterion, other); });
    if (twin != out.end()) {
      const std::string place = fmt::format("{}[{}]", list.place(), twin - out.begin());
      item.refuse({fmt::format("{} already judges this metric, comparison and evidence", place),
                   fmt::format("{} 已经判定同一指标、比较方式和证据", place)},
                  {"keep one of the two", "请只保留其中之一"});
    }
    out.push_back(std::move(criterion));
  }
  return out;
}

}  // namespace harness::model
