#include "harness/report/page_subject.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/report/figure_text.h"
#include "harness/report/page_evidence.h"
#include "harness/report/page_stages.h"

namespace harness::report {
namespace {

using base::Language;
using model::Finding;
using model::VerdictWord;

constexpr std::size_t kMostCards = 6;
constexpr std::size_t kMostNamed = 50;

std::string name_of(const Subject& subject, Language language) {
  if (subject.suite.empty()) {
    return base::printable(subject.path, 200);
  }
  const std::string title = page_text(subject.suite_title, language);
  const std::string suite = base::printable(subject.suite);
  return title.empty() ? suite : suite + say("comma", language) + title;
}

std::string crumb_of(const Report& report, const Subject& subject, Language language) {
  const std::string run = report.run_id.empty()
                              ? base::printable(subject.path)
                              : say("run", language) + " " + base::printable(report.run_id);
  return subject.system.empty() ? run
                                : fmt::format("{} {} / {}", say("system", language),
                                              base::printable(subject.system), run);
}

/// The path for a command that can be pasted; empty when it would need quoting, or when the command
/// was just run.
std::string shell_safe_path(const Report& report, const Subject& subject) {
  constexpr std::string_view kSafe =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-";
  const std::string& path = subject.path;
  const bool is_safe =
      !path.empty() && path.front() != '-' && path.find_first_not_of(kSafe) == std::string::npos;
  return is_safe && report.command != "diagnose" ? path : "";
}

void set_head(PageValue& page, const Report& report, const Subject& subject, Language language) {
  const bool is_only = report.subjects.size() == 1;
  page["title_tag"] = is_only ? "h1" : "h2";
  page["section_tag"] = is_only ? "h2" : "h3";
  set_verdict(page, subject.verdict.word, language);
  page["name"] = name_of(subject, language);
  page["crumb"] = crumb_of(report, subject, language);
  page["headline"] = page_text(subject.verdict.headline, language);
  const bool has_started =
      subject.attempt && subject.attempt->state != model::AttemptState::not_started;
  page["when"] = text_or_false(has_started ? utc_text(subject.attempt->started) : "");
  page["suite_choice"] = text_or_false(page_text(subject.suite_choice, language));
  page["notices"] = PageValue::array();
  for (const base::Text& notice : subject.verdict.notices) {
    page["notices"].push_back({{"text", page_text(notice, language)}});
  }
}

void set_cause(PageValue& page, const Report& report, const Subject& subject, Language language) {
  const bool needs_cause = !is_quiet(subject.verdict.word);
  page["causes"] = PageValue::array();
  for (const model::Diagnosis& diagnosis : subject.verdict.diagnoses) {
    page["causes"].push_back(
        {{"cause", page_text(diagnosis.cause, language)},
         {"quoted_line", text_or_false(printable_lines(diagnosis.quoted_line))},
         {"place", text_or_false(evidence_text(diagnosis.evidence, language))},
         {"next", text_or_false(page_text(diagnosis.next, language))}});
  }
  page["has_cause"] = needs_cause;
  page["has_no_cause"] = needs_cause && subject.verdict.diagnoses.empty();
  page["diagnose_path"] = text_or_false(shell_safe_path(report, subject));
}

/// Upright mark in the middle = limit; to the right room, to the left over; full length 25 %, an
/// arrow beyond it.
PageValue bar_of(const Finding& finding) {
  if (!finding.margin || !finding.margin->ratio || !std::isfinite(*finding.margin->ratio)) {
    return false;
  }
  constexpr double kMiddle = 184;
  constexpr double kFullRatio = 0.25;
  constexpr double kShortest = 3;
  const bool is_met = finding.margin->is_met;
  const double share = *finding.margin->ratio / kFullRatio;
  const double length = std::clamp(share * kMiddle, kShortest, kMiddle);
  PageValue bar;
  bar["bar_class"] = is_met ? "room" : "over";
  bar["bar_x"] = fmt::format("{:.1f}", is_met ? kMiddle : kMiddle - length);
  bar["bar_width"] = fmt::format("{:.1f}", length);
  bar["beyond"] =
      share <= 1 ? PageValue(false) : PageValue(is_met ? "M360 0l8 8-8 8z" : "M8 0 0 8l8 8z");
  return bar;
}

const char* margin_class(VerdictWord word) {
  if (word == VerdictWord::fail) {
    return "bad";
  }
  return is_quiet(word) ? "dim" : "unsure";
}

PageValue card_of(const Finding& finding, Language language) {
  PageValue card;
  set_verdict(card, finding.verdict, language);
  set_check(card, finding.check, language);
  card["check_subject"] = text_or_false(base::printable(finding.subject, 200));
  card["value"] = finding.measured ? page_figure(*finding.measured, finding.unit)
                                   : say("not_measured", language);
  card["limit_text"] = limit_text(finding);
  card["margin_text"] = margin_text(finding, language) + duration_aside(finding, language);
  card["margin_class"] = margin_class(finding.verdict);
  card["bar"] = bar_of(finding);
  return card;
}

/// Figures with a limit; those that did not pass first.
std::vector<const Finding*> limited_figures(const model::Verdict& verdict) {
  std::vector<const Finding*> loud;
  std::vector<const Finding*> quiet;
  for (const Finding& finding : verdict.findings) {
    if (has_limit(finding)) {
      (is_quiet(finding.verdict) ? quiet : loud).push_back(&finding);
    }
  }
  loud.insert(loud.end(), quiet.begin(), quiet.end());
  return loud;
}

void set_cards(PageValue& page, const model::Verdict& verdict, Language language) {
  const std::vector<const Finding*> limited = limited_figures(verdict);
  const std::size_t shown = std::min(limited.size(), kMostCards);
  page["cards"] = PageValue::array();
  for (std::size_t i = 0; i < shown; ++i) {
    page["cards"].push_back(card_of(*limited[i], language));
  }
  page["has_cards"] = shown > 0;
  page["more_cards"] = text_or_false(
      limited.size() > shown ? fill("more_figures", language, limited.size() - shown) : "");
}

void set_all_figures(PageValue& page, const model::Verdict& verdict, Language language) {
  page["figures"] = PageValue::array();
  for (const model::Figure& figure : verdict.figures) {
    page["figures"].push_back({{"figure_title", text_or_false(figure_title(figure.name, language))},
                               {"figure_name", base::printable(figure.name)},
                               {"figure_value", figure_value_text(figure, language)}});
  }
  page["figure_count"] = text_or_false(
      verdict.figures.empty() ? "" : fill("all_figures", language, verdict.figures.size()));
}

void set_not_judged(PageValue& page, const Subject& subject, Language language) {
  page["not_judged"] = PageValue::array();
  for (const model::NotJudged& one : subject.verdict.not_judged) {
    PageValue row{{"why", page_text(one.why, language)}};
    set_check(row, one.check, language);
    page["not_judged"].push_back(row);
  }
  page["has_not_judged"] = !subject.verdict.not_judged.empty();
  const std::size_t named = std::min(subject.unread.size(), kMostNamed);
  page["unread"] = PageValue::array();
  for (std::size_t i = 0; i < named; ++i) {
    page["unread"].push_back({{"path", base::printable(subject.unread[i], 200)}});
  }
  page["has_unread"] = named > 0;
  page["unread_more"] = text_or_false(
      subject.unread.size() > named ? fill("and_more", language, subject.unread.size() - named)
                                    : "");
}

}  // namespace

PageValue page_subject(const Report& report, const Subject& subject, std::size_t number,
                       Language language) {
  PageValue page;
  page["number"] = fmt::format("{}", number);
  set_head(page, report, subject, language);
  set_cause(page, report, subject, language);
  set_cards(page, subject.verdict, language);
  set_all_figures(page, subject.verdict, language);
  page["stages"] = page_stages(subject.verdict, language);
  set_not_judged(page, subject, language);
  set_evidence(page, report, subject, language);
  return page;
}

}  // namespace harness::report
