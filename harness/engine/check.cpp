#include "harness/engine/check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json.h"
#include "harness/base/version.h"
#include "harness/engine/gather.h"
#include "harness/engine/report_details.h"
#include "harness/judge/reach.h"

namespace harness::engine {
namespace {

using base::Text;

/// The site's results.json names no benchmark; its contract was written for GPT-3.
constexpr const char* kResultsJsonSuite = "gpt3";

struct SuiteChoice {
  std::optional<model::Suite> suite;
  Text reason;  ///< empty when the user named it
};

std::optional<std::string> benchmark_of(const Gathered& gathered) {
  for (const judge::RunEvidence& run : gathered.runs) {
    if (run.training && run.training->benchmark) {
      return run.training->benchmark->value;
    }
  }
  for (const judge::RunEvidence& run : gathered.runs) {
    if (run.results && run.results->benchmark) {
      return run.results->benchmark;
    }
  }
  return std::nullopt;
}

SuiteChoice choose_by_benchmark(const std::string& benchmark,
                                const std::vector<model::Suite>& suites) {
  const std::string shown = base::printable(benchmark, 60);
  const auto fits = std::ranges::find_if(suites, [&](const model::Suite& suite) {
    return suite.mllog && suite.mllog->benchmark == benchmark;
  });
  if (fits != suites.end()) {
    return {*fits,
            {fmt::format("chosen by the benchmark in the log: {}", shown),
             fmt::format("按日志中的基准选择：{}", shown)}};
  }
  std::vector<std::string> known;
  for (const model::Suite& suite : suites) {
    if (suite.mllog) {
      known.push_back(suite.mllog->benchmark);
    }
  }
  const std::string all = base::join(known, ", ");
  return {std::nullopt,
          {fmt::format("no suite judges benchmark '{}' (known: {})", shown, all),
           fmt::format("没有评判基准 '{}' 的套件（可用：{}）", shown, all)}};
}

SuiteChoice choose_suite(const Gathered& gathered,
                         const std::optional<std::string>& known_benchmark,
                         const std::vector<model::Suite>& suites) {
  std::optional<std::string> benchmark = benchmark_of(gathered);
  if (!benchmark) {
    benchmark = known_benchmark;
  }
  if (benchmark) {
    return choose_by_benchmark(*benchmark, suites);
  }
  const bool has_results =
      std::ranges::any_of(gathered.runs, [](const auto& run) { return run.results.has_value(); });
  if (has_results) {
    const auto site = std::ranges::find(suites, kResultsJsonSuite, &model::Suite::name);
    if (site != suites.end()) {
      return {*site,
              {"assumed: results.json names no benchmark; --suite names another",
               "默认选择：results.json 未注明基准；可用 --suite 指定其他套件"}};
    }
  }
  return {};
}

report::Subject judge_gathered(Gathered gathered, SuiteChoice choice, const model::System* system,
                               const judge::OperatorKnowledge& known) {
  const model::Suite* suite = choice.suite ? &*choice.suite : nullptr;
  measure(gathered.runs, suite);
  judge::JudgeInput input;
  input.suite = suite;
  input.runs = std::move(gathered.runs);
  input.known = known;
  report::Subject subject;
  subject.curves = evaluation_curves(input.runs, suite);
  subject.verdict = judge::judge(input);
  quote_evidence(subject.verdict.diagnoses, {});
  subject.path = gathered.path;
  subject.suite = suite == nullptr ? "" : suite->name;
  subject.suite_title = suite == nullptr ? base::Text{} : suite->title;
  subject.suite_choice = choice.reason;
  subject.system = system == nullptr ? "" : system->name;
  subject.unread = std::move(gathered.unread);
  if (suite != nullptr && system != nullptr) {
    std::ranges::move(judge::limits_out_of_reach(*suite, system),
                      std::back_inserter(subject.verdict.notices));
  }
  return subject;
}

report::Report finish(std::string command, std::vector<report::Subject> subjects) {
  report::Report report;
  report.command = std::move(command);
  report.version = base::kVersion;
  report.subjects = std::move(subjects);
  for (const report::Subject& subject : report.subjects) {
    report.exit_code =
        base::graver_exit_code(report.exit_code, model::exit_code_of(subject.verdict.word));
  }
  return report;
}

}  // namespace

report::Report check(const CheckRequest& request, const SuiteCatalog& catalog) {
  std::optional<model::Suite> named;
  if (request.suite) {
    named = catalog.suite(*request.suite);
  }
  const std::vector<model::Suite> suites = named ? std::vector<model::Suite>{} : catalog.suites();
  std::optional<model::System> system;
  if (request.system) {
    system = catalog.system(*request.system);
  }
  std::vector<report::Subject> subjects;
  for (const std::string& path : request.paths) {
    for (Gathered& gathered : gather(path)) {
      SuiteChoice choice =
          named ? SuiteChoice{named, {}} : choose_suite(gathered, std::nullopt, suites);
      subjects.push_back(
          judge_gathered(std::move(gathered), std::move(choice), system ? &*system : nullptr, {}));
    }
  }
  return finish("check", std::move(subjects));
}

OperatorContext read_context(const std::string& path) {
  constexpr std::size_t kLimitBytes = 1U << 20U;
  const base::JsonNode root = base::parse_json(base::read_file(path, kLimitBytes), path);
  const auto refuse = [&path](std::size_t line, Text happened) {
    throw base::Error(base::ErrorKind::usage, {.tried = {"use the context", "使用上下文文件"},
                                               .on = fmt::format("{}:{}", path, line),
                                               .happened = std::move(happened),
                                               .next = {}});
  };
  if (root.kind != base::JsonKind::object) {
    refuse(root.line, {"an object is expected", "应为 JSON 对象"});
  }
  OperatorContext context;
  for (const auto& [key, node] : root.members) {
    if (key == "exit_code" && node.kind == base::JsonKind::integer) {
      context.known.exit_code = static_cast<int>(std::clamp(node.number, -256.0, 255.0));
    } else if (key == "required_runs" && node.kind == base::JsonKind::integer && node.number >= 1) {
      context.known.required_runs = static_cast<std::size_t>(std::min(node.number, 1e6));
    } else if (key == "benchmark" && node.kind == base::JsonKind::string) {
      context.benchmark = node.string;
    } else if (key == "exit_code" || key == "required_runs" || key == "benchmark") {
      refuse(node.line, {fmt::format("\"{}\" cannot be {}", key, base::kind_text(node.kind).en),
                         fmt::format("\"{}\" 不能是{}", key, base::kind_text(node.kind).zh)});
    } else {
      context.unused.push_back(key);
    }
  }
  return context;
}

report::Report diagnose(const std::string& folder, const OperatorContext& context,
                        const SuiteCatalog& catalog) {
  // All of the folder is one answer: what lies deeper belongs to the same trouble.
  std::vector<Gathered> parts = gather(folder);
  Gathered whole{folder, {}, {}};
  for (Gathered& part : parts) {
    std::ranges::move(part.runs, std::back_inserter(whole.runs));
    std::ranges::move(part.unread, std::back_inserter(whole.unread));
  }
  SuiteChoice choice = choose_suite(whole, context.benchmark, catalog.suites());
  return finish("diagnose",
                {judge_gathered(std::move(whole), std::move(choice), nullptr, context.known)});
}

}  // namespace harness::engine
