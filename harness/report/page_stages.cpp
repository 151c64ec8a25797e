#include "harness/report/page_stages.h"

#include <algorithm>
#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/report/figure_text.h"

namespace harness::report {
namespace {

using base::Language;
using model::Finding;
using model::Stage;
using model::VerdictWord;
using Findings = std::vector<const Finding*>;

constexpr std::size_t kMostQuietRows = 100;
constexpr std::size_t kMostRows = 1000;

VerdictWord gravest_of(const Findings& findings) {
  VerdictWord word = VerdictWord::pass;
  for (const Finding* finding : findings) {
    word = model::graver(word, finding->verdict);
  }
  return word;
}

std::string count_text(const Findings& findings, VerdictWord word, Language language) {
  const VerdictWord counted = word == VerdictWord::fail ? VerdictWord::fail : VerdictWord::pass;
  const auto count = std::ranges::count(findings, counted, &Finding::verdict);
  const auto warned = std::ranges::count_if(findings, &Finding::is_warning);
  const std::string text = fill(word == VerdictWord::fail ? "count_failed" : "count_passed",
                                language, count, findings.size());
  return warned == 0 ? text : text + fill("count_warned", language, warned);
}

PageValue row_of(const Finding& finding, Language language) {
  PageValue row;
  set_verdict(row, finding.verdict, language);
  set_check(row, finding.check, language);
  row["check_subject"] = text_or_false(base::printable(finding.subject, 200));
  row["row_class"] = is_quiet(finding.verdict) ? "quiet" : model::verdict_name(finding.verdict);
  row["is_warning"] = finding.is_warning;
  row["is_figure"] = has_limit(finding);
  row["measured"] = finding.measured ? page_figure(*finding.measured, finding.unit) : "–";
  row["limit_text"] = limit_text(finding);
  row["margin_text"] = margin_text(finding, language);
  row["margin_class"] = finding.verdict == VerdictWord::fail ? "bad" : "";
  row["sentence"] = page_text(finding.text, language);
  row["limit_source"] =
      finding.limit_source.empty()
          ? PageValue(false)
          : PageValue(fill("limit_from", language, base::printable(finding.limit_source)));
  row["place"] = evidence_text(finding.evidence, language);
  return row;
}

void set_rows(PageValue& part, const Findings& findings, Language language) {
  std::size_t quiet = 0;
  std::size_t hidden = 0;
  part["rows"] = PageValue::array();
  for (const Finding* finding : findings) {
    const bool is_quiet_row = is_quiet(finding->verdict) && !finding->is_warning;
    if (part["rows"].size() == kMostRows || (is_quiet_row && quiet == kMostQuietRows)) {
      ++hidden;
      continue;
    }
    quiet += is_quiet_row ? 1 : 0;
    part["rows"].push_back(row_of(*finding, language));
  }
  part["rows_hidden"] = text_or_false(hidden == 0 ? "" : fill("rows_hidden", language, hidden));
}

PageValue stage_of(Stage stage, const Findings& findings, std::size_t number, Language language) {
  const VerdictWord word = gravest_of(findings);
  PageValue part;
  set_verdict(part, word, language);
  part["is_loud"] = !is_quiet(word);
  part["is_open"] = !is_quiet(word) || std::ranges::any_of(findings, &Finding::is_warning);
  part["has_figures"] =
      std::ranges::any_of(findings, [](const Finding* f) { return has_limit(*f); });
  part["stage_title"] = fmt::format("{} {}", number, model::stage_title(stage).in(language));
  part["count"] = count_text(findings, word, language);
  part["about"] = say("about_" + std::string(model::stage_name(stage)), language);
  set_rows(part, findings, language);
  return part;
}

Findings findings_of(const model::Verdict& verdict, Stage stage) {
  Findings findings;
  for (const Finding& finding : verdict.findings) {
    if (finding.stage == stage) {
      findings.push_back(&finding);
    }
  }
  return findings;
}

}  // namespace

PageValue page_stages(const model::Verdict& verdict, Language language) {
  constexpr std::array kStages{Stage::launch, Stage::evidence, Stage::validity, Stage::criteria,
                               Stage::score};
  PageValue parts = PageValue::array();
  for (const Stage stage : kStages) {
    const Findings findings = findings_of(verdict, stage);
    if (!findings.empty()) {
      parts.push_back(stage_of(stage, findings, parts.size() + 1, language));
    }
  }
  return parts;
}

}  // namespace harness::report
