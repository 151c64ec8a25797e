#include "harness/parse/results_json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/base/json.h"
#include "harness/base/number.h"
#include "harness/base/text.h"

namespace harness::parse {
namespace {

using base::JsonKind;
using base::JsonNode;
using base::Text;
using model::IssueKind;
using model::ResultsJson;

constexpr std::string_view kPerformance = "performance";
constexpr std::string_view kConvergenceMetric = "convergence_metric";
constexpr std::size_t kQuoteLimitBytes = 60;
constexpr double kSecondsOf90Days = 90.0 * 24 * 3600;  // the longest official run took 8 h
constexpr double kMostGpus = 1e6;
constexpr double kHighestEfficiency = 1.2;  // caches allow a little over 1; 87 is a percentage

/// One key of the contract that carries a number.
struct NumberKey {
  std::string_view key;
  std::string_view metric;
  double highest;  ///< above it the figure is of another unit, or no figure at all
  Text example;    ///< completes "write …"
  Text too_high;   ///< what a figure above `highest` looks like
};

const std::vector<NumberKey>& number_keys() {
  static const Text kSeconds{"the seconds as a number, like 12480.3",
                             "以秒为单位的数值，例如 12480.3"};
  static const Text kMilliseconds{"this looks like milliseconds", "看起来是毫秒"};
  static const std::vector<NumberKey> kKeys{
      {"number_of_gpus",
       "gpu_count",
       kMostGpus,
       {"a whole number, like 128", "整数，例如 128"},
       {"no machine has so many", "没有这么大的机器"}},
      {"time_to_train", "time_to_train_s", kSecondsOf90Days, kSeconds, kMilliseconds},
      {"target_time_to_train", "target_time_to_train_s", kSecondsOf90Days, kSeconds, kMilliseconds},
      {"final_loss", "final_loss", HUGE_VAL, {"a number, like 2.145", "数值，例如 2.145"}, {}},
      {"scaling_efficiency",
       "scaling_efficiency",
       kHighestEfficiency,
       {"a fraction of 1, like 0.87", "以 1 为满分的小数，例如 0.87"},
       {"this looks like percent", "看起来是百分数"}},
  };
  return kKeys;
}

Text advice_of(const NumberKey& key) {
  return {"write " + key.example.en, "请写" + key.example.zh};
}

std::string quoted(std::string_view text) {
  return '"' + base::printable(text, kQuoteLimitBytes) + '"';
}

/// Lower case without separators: "timeToTrain" and "time_to_train" become the same word.
std::string plain_word(std::string_view key) {
  std::string word;
  for (const char c : key) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return word;
}

bool is_contract_key(std::string_view key) {
  return key == kConvergenceMetric ||
         std::ranges::find(number_keys(), key, &NumberKey::key) != number_keys().end();
}

/// The member of `object` that was probably meant to be `wanted`, or nullptr. Keys of the contract
/// are never slips.
const std::pair<std::string, JsonNode>* near_miss(const JsonNode& object, std::string_view wanted) {
  std::vector<std::string> words;
  words.reserve(object.members.size());
  for (const auto& [key, value] : object.members) {
    words.push_back(is_contract_key(key) ? std::string{} : plain_word(key));
  }
  const std::string near = base::nearest(plain_word(wanted), words);
  if (near.empty()) {
    return nullptr;
  }
  const auto index = std::ranges::find(words, near) - words.begin();
  return &object.members[static_cast<std::size_t>(index)];
}

/// Why a value gives no figure, and what to write.
struct Refusal {
  Text why;
  Text advice;
};

Refusal refuse_string(const std::string& content, const Text& write) {
  const std::string text = quoted(content);
  if (base::parse_number(content)) {
    return {{"the string " + text, "是字符串 " + text},
            {"write it as a number, without quotes", "请写成数值，不加引号"}};
  }
  return {
      {"the string " + text + "; a unit is never guessed", "是字符串 " + text + "；单位不会被猜测"},
      write};
}

std::optional<Refusal> refuse_type(const JsonNode& node, const Text& write) {
  switch (node.kind) {
    case JsonKind::integer:
    case JsonKind::number:
      return std::nullopt;
    case JsonKind::null:
      return Refusal{{"null: it was not measured", "为 null：未测量"}, write};
    case JsonKind::string:
      return refuse_string(node.string, write);
    case JsonKind::boolean:
    case JsonKind::array:
    case JsonKind::object:
      break;
  }
  const Text kind = base::kind_text(node.kind);
  return Refusal{{kind.en + ", not a number", "是" + kind.zh + "，不是数值"}, write};
}

std::optional<Refusal> refuse_number(const NumberKey& key, double value, bool is_miniature) {
  const std::string number = base::format_number(value);
  const Text write = advice_of(key);
  const bool is_count = key.metric == "gpu_count";
  if (value < 0) {
    return Refusal{{number + ": below 0", number + "：小于 0"}, write};
  }
  if (value <= 0 && !(is_count && is_miniature)) {  // a miniature run trains on the CPU
    return Refusal{{"0: nothing was measured", "为 0：未测量"}, write};
  }
  if (value > key.highest) {
    return Refusal{{number + ": " + key.too_high.en, number + "：" + key.too_high.zh}, write};
  }
  if (is_count && value > std::floor(value)) {
    return Refusal{{number + ": not a whole number", number + "：不是整数"}, write};
  }
  return std::nullopt;
}

/// Reads one document; every key of the contract ends as a figure or as an issue.
class ContractReader {
 public:
  explicit ContractReader(const std::string& artifact) { result_.artifact = artifact; }

  ResultsJson read(const JsonNode& document) {
    read_names(document);
    const JsonNode* performance = document.find(kPerformance);
    if (performance == nullptr) {
      report_no_performance(document);
    } else if (performance->kind != JsonKind::object) {
      const Text kind = base::kind_text(performance->kind);
      report(performance->line, {"\"performance\" is " + kind.en + ", not an object of figures",
                                 "\"performance\" 是" + kind.zh + "，不是对象"});
    } else {
      for (const NumberKey& key : number_keys()) {
        read_number(*performance, key);
      }
      read_convergence_metric(*performance);
    }
    return std::move(result_);
  }

 private:
  void report(std::size_t line, Text reason, IssueKind kind = IssueKind::value_unusable) {
    result_.issues.push_back({kind, {result_.artifact, line}, std::move(reason), {}});
  }

  void refuse(std::string_view key, const JsonNode& node, const Refusal& refusal) {
    report(node.line,
           {fmt::format("{} is {}; {}", key, refusal.why.en, refusal.advice.en),
            fmt::format("{} {}；{}", key, refusal.why.zh, refusal.advice.zh)},
           node.kind == JsonKind::null ? IssueKind::noticed : IssueKind::value_unusable);
  }

  /// What the document says about itself; such keys are additions of ours.
  void read_names(const JsonNode& document) {
    const JsonNode* benchmark = document.find("benchmark");
    if (benchmark != nullptr && benchmark->kind == JsonKind::string) {
      result_.benchmark = benchmark->string;
      result_.is_miniature = benchmark->string.starts_with("miniature");
    }
    const JsonNode* note = document.find("note");
    if (note != nullptr && note->kind == JsonKind::string) {
      result_.is_miniature =
          result_.is_miniature || note->string.find("miniature") != std::string::npos;
    }
  }

  void report_no_performance(const JsonNode& document) {
    Text reason{"no object \"performance\" in it, which holds the figures",
                "缺少存放各项数值的对象 \"performance\""};
    std::size_t line = document.line;
    if (const auto* slip = near_miss(document, kPerformance)) {
      const std::string key = quoted(slip->first);
      reason.en += fmt::format("; is {} in line {} meant? Did you mean \"performance\"?", key,
                               slip->second.line);
      reason.zh +=
          fmt::format("；第 {} 行的 {} 是否应为 \"performance\"？", slip->second.line, key);
      line = slip->second.line;
    }
    report(line, std::move(reason));
  }

  void report_missing(const JsonNode& performance, std::string_view key) {
    Text reason{fmt::format("{} is missing", key), fmt::format("缺少 {}", key)};
    std::size_t line = performance.line;
    IssueKind kind = IssueKind::value_unusable;
    if (const auto* slip = near_miss(performance, key)) {
      const std::string found = quoted(slip->first);
      reason.en += fmt::format("; {} in line {} is not read: did you mean \"{}\"?", found,
                               slip->second.line, key);
      reason.zh +=
          fmt::format("；第 {} 行的 {} 未被读取，是否应为 \"{}\"？", slip->second.line, found, key);
      line = slip->second.line;
    } else {
      reason.en += fmt::format(R"(; add "{}" to "performance")", key);
      reason.zh += fmt::format("；请在 \"performance\" 中加入 \"{}\"", key);
      kind =
          IssueKind::noticed;  // absent on purpose, perhaps: a criterion that needs it will say so
    }
    report(line, std::move(reason), kind);
  }

  void read_number(const JsonNode& performance, const NumberKey& key) {
    const JsonNode* node = performance.find(key.key);
    if (node == nullptr) {
      report_missing(performance, key.key);
      return;
    }
    std::optional<Refusal> refusal = refuse_type(*node, advice_of(key));
    if (!refusal) {
      refusal = refuse_number(key, node->number, result_.is_miniature);
    }
    if (refusal) {
      refuse(key.key, *node, *refusal);
      return;
    }
    result_.measurements.push_back({std::string(key.metric),
                                    node->number,
                                    {model::EvidenceKind::results_json, {}},
                                    {result_.artifact, node->line},
                                    {fmt::format("key {} of results.json", key.key),
                                     fmt::format("results.json 的键 {}", key.key)}});
  }

  void read_convergence_metric(const JsonNode& performance) {
    const JsonNode* node = performance.find(kConvergenceMetric);
    if (node == nullptr) {
      report_missing(performance, kConvergenceMetric);
    } else if (node->kind == JsonKind::string && !node->string.empty()) {
      result_.convergence_metric = node->string;
    } else {
      const Text kind = node->kind == JsonKind::string ? Text{"an empty string", "空字符串"}
                                                       : base::kind_text(node->kind);
      refuse(kConvergenceMetric, *node,
             {{kind.en, "是" + kind.zh},
              {"write the metric's name, like \"loss\"", "请写指标名称，例如 \"loss\""}});
    }
  }

  ResultsJson result_;
};

}  // namespace

ResultsJson parse_results_json(std::string_view text, const std::string& artifact) {
  return ContractReader(artifact).read(base::parse_json(text, artifact));
}

}  // namespace harness::parse
