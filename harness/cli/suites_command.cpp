#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/base/number.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "harness/engine/data_folder.h"
#include "harness/engine/suite_catalog.h"
#include "harness/judge/reach.h"
#include "harness/model/metric.h"

namespace harness::cli {
namespace {

using base::Language;
using Json = nlohmann::ordered_json;

std::string to_text(const Json& json) {
  return json.dump(2, ' ', false, nlohmann::detail::error_handler_t::replace) + "\n";
}

std::string criterion_text(const model::Criterion& criterion) {
  const model::Metric& metric = model::metric_named(criterion.metric);
  return fmt::format("{} {} {}", criterion.metric, model::comparison_sign(criterion.comparison),
                     base::with_unit(criterion.limit, metric.unit));
}

std::string evidence_text(const model::Criterion& criterion) {
  std::vector<std::string> kinds;
  std::ranges::transform(criterion.evidence, std::back_inserter(kinds),
                         &model::Evidence::to_string);
  return base::join(kinds, ", ");
}

int list_suites(const engine::SuiteCatalog& catalog, const OutputOptions& output) {
  const Language language = language_of(output);
  const std::vector<model::Suite> suites = catalog.suites();
  if (output.format == OutputFormat::json) {
    Json out{{"schema_version", 1}, {"suites", Json::array()}};
    for (const model::Suite& suite : suites) {
      out["suites"].push_back({{"name", suite.name},
                               {"title", {{"en", suite.title.en}, {"zh", suite.title.zh}}},
                               {"miniature", suite.is_miniature},
                               {"criteria", suite.criteria.size()},
                               {"path", suite.path}});
    }
    print(to_text(out));
    return 0;
  }
  std::string text;
  for (const model::Suite& suite : suites) {
    text += fmt::format("{}  {}\n", base::pad_right(suite.name, 12), suite.title.in(language));
  }
  print(text);
  return 0;
}

std::string criteria_lines(const model::Suite& suite, Language language) {
  const bool zh = language == Language::zh;
  std::string text;
  for (const model::Criterion& criterion : suite.criteria) {
    text += fmt::format("  {}  {} {}\n", base::pad_right(criterion_text(criterion), 34),
                        zh ? "证据" : "on", evidence_text(criterion));
    text += fmt::format("      {} {}\n", zh ? "来源" : "source", criterion.source);
    text += criterion.note.empty() ? "" : "      " + criterion.note.in(language) + "\n";
  }
  return text;
}

int show_suite(const model::Suite& suite, const OutputOptions& output) {
  if (output.format == OutputFormat::json) {
    print(suite.text.ends_with('\n') ? suite.text : suite.text + "\n");
    return 0;
  }
  const Language language = language_of(output);
  const bool zh = language == Language::zh;
  std::string text = fmt::format("{}  {}\n", suite.name, suite.title.in(language));
  text += suite.summary.empty() ? "" : "  " + suite.summary.in(language) + "\n";
  text += fmt::format("  {} {}\n  sha256 {}\n\n", zh ? "文件" : "file", base::printable(suite.path),
                      suite.digest);
  text += criteria_lines(suite, language);
  if (suite.launch) {
    text += fmt::format("\n  {} {}, {} {}\n", zh ? "启动方式" : "started by",
                        model::launcher_name(suite.launch->launcher), zh ? "时限" : "wall limit",
                        base::with_unit(suite.launch->wall_limit_s, "s"));
  }
  print(report::fit_to_terminal(text, style_of(output, 1)));
  return 0;
}

/// The suite decoded, so it is well-formed; what is left to say is whether its limits can be met at
/// all.
int check_suite(const model::Suite& suite, const std::optional<model::System>& system,
                const OutputOptions& output) {
  const Language language = language_of(output);
  const std::vector<base::Text> warnings =
      judge::limits_out_of_reach(suite, system ? &*system : nullptr);
  if (output.format == OutputFormat::json) {
    Json out{{"schema_version", 1}, {"suite", suite.name}, {"path", suite.path},
             {"verdict", "pass"},   {"exit_code", 0},      {"warnings", Json::array()}};
    for (const base::Text& warning : warnings) {
      out["warnings"].push_back({{"en", warning.en}, {"zh", warning.zh}});
    }
    print(to_text(out));
    return 0;
  }
  const bool zh = language == Language::zh;
  const report::TerminalStyle style = style_of(output, 1);
  std::string text = fmt::format(
      "{}  {}: {}\n", report::verdict_mark(model::VerdictWord::pass, style),
      base::printable(suite.path),
      fmt::format(fmt::runtime(zh ? "套件有效，{} 项指标" : "suite is valid, {} criteria"),
                  suite.criteria.size()));
  for (const base::Text& warning : warnings) {
    text += fmt::format("!  {}  {}\n", zh ? "警告" : "warning", warning.in(language));
  }
  print(report::fit_to_terminal(text, style));
  return 0;
}

}  // namespace

int suites_command(const SuitesOptions& options, const OutputOptions& output) {
  const engine::SuiteCatalog catalog(engine::find_data_folder());
  if (options.action == "list") {
    return list_suites(catalog, output);
  }
  const model::Suite suite = catalog.suite(options.name);
  if (options.action == "show") {
    return show_suite(suite, output);
  }
  std::optional<model::System> system;
  if (const auto& name = options.system ? options.system : suite.system; name) {
    system = catalog.system(*name);
  }
  return check_suite(suite, system, output);
}

}  // namespace harness::cli
