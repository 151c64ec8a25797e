#include "harness/report/html_report.h"

#include <set>
#include <vector>

#include <kainjow/mustache.hpp>
#include <nlohmann/json.hpp>

#include "harness/base/error.h"
#include "harness/report/figure_text.h"
#include "harness/report/page_subject.h"
#include "harness/report/page_values.h"

namespace harness::report {
namespace {

using base::Language;
using kainjow::mustache::data;
using model::VerdictWord;

data to_mustache(const PageValue& value) {
  if (value.is_string()) {
    return {value.get_ref<const std::string&>()};
  }
  if (value.is_array()) {
    data list(data::type::list);
    for (const PageValue& element : value) {
      list.push_back(to_mustache(element));
    }
    return list;
  }
  if (value.is_object()) {
    data object;
    for (const auto& [key, member] : value.items()) {
      object.set(key, to_mustache(member));
    }
    return object;
  }
  return {value.is_boolean() && value.get<bool>()};
}

PageValue labels_in(Language language) {
  PageValue labels;
  for (const Label& label : all_labels()) {
    labels[std::string(label.key)] = say(label.key, language);
  }
  return labels;
}

PageValue overview_row(const Subject& subject, std::size_t number, Language language) {
  PageValue row;
  set_verdict(row, subject.verdict.word, language);
  row["overview_number"] = fmt::format("{}", number);
  row["overview_path"] = base::printable(subject.path, 200);
  row["overview_suite"] = subject.suite.empty() ? "–" : base::printable(subject.suite);
  row["overview_headline"] = page_text(subject.verdict.headline, language);
  return row;
}

void add_overview_rows(PageValue& rows, const Report& report, VerdictWord word, Language language) {
  for (std::size_t i = 0; i < report.subjects.size(); ++i) {
    if (report.subjects[i].verdict.word == word) {
      rows.push_back(overview_row(report.subjects[i], i + 1, language));
    }
  }
}

/// Several subjects, the gravest first.
PageValue overview_of(const Report& report, Language language) {
  PageValue rows = PageValue::array();
  for (const VerdictWord word : {VerdictWord::fail, VerdictWord::error, VerdictWord::inconclusive,
                                 VerdictWord::waived, VerdictWord::pass}) {
    add_overview_rows(rows, report, word, language);
  }
  return rows;
}

/// Begins with the object and its verdict: that is what a tab or a bookmark shows.
std::string page_title(const Report& report, Language language) {
  std::string object = fill("judged", language, report.subjects.size());
  if (report.subjects.size() == 1) {
    const Subject& subject = report.subjects.front();
    const std::string& place = subject.suite.empty() ? subject.path : subject.suite;
    object = report.run_id.empty() ? place : report.run_id;
  }
  return fmt::format("{}: {}", base::printable(object, 80),
                     model::verdict_title(report.word()).in(language));
}

/// Each notice once.
PageValue notices_of(const Report& report, Language language) {
  std::vector<std::string> said;
  for (const Subject& subject : report.subjects) {
    for (const base::Text& notice : subject.verdict.notices) {
      said.push_back(page_text(notice, language));
    }
  }
  PageValue notices = PageValue::array();
  std::set<std::string> seen;
  for (const std::string& notice : said) {
    if (seen.insert(notice).second) {
      notices.push_back({{"notice", notice}});
    }
  }
  return notices;
}

PageValue page_of(const Report& report, Language language) {
  PageValue page;
  page["lang"] = language == Language::zh ? "zh-CN" : "en";
  page["l"] = labels_in(language);
  page["page_title"] = page_title(report, language);
  page["report_word"] = model::verdict_name(report.word());
  page["report_word_title"] = model::verdict_title(report.word()).in(language);
  page["is_several"] = report.subjects.size() != 1;
  page["judged_count"] = fill("judged", language, report.subjects.size());
  page["exit_code_text"] = fill("exit_code", language, report.exit_code);
  page["made_by"] = fill("made_by", language, base::printable(report.version));
  page["overview"] = overview_of(report, language);
  page["footer_notices"] = notices_of(report, language);
  page["subjects"] = PageValue::array();
  for (const Subject& subject : report.subjects) {
    page["subjects"].push_back(
        page_subject(report, subject, page["subjects"].size() + 1, language));
  }
  return page;
}

}  // namespace

std::string render_html(const Report& report, Language language, const HtmlTemplates& templates) {
  kainjow::mustache::mustache page(templates.page);
  PageValue values = page_of(report, language);
  values["css"] = templates.css;
  const data root = to_mustache(values);
  kainjow::mustache::context<std::string> context;
  context.push(&root);
  std::string html = page.is_valid() ? page.render(context) : "";
  if (!page.is_valid()) {
    throw base::Error(base::ErrorKind::environment,
                      {.tried = {"write the HTML report", "生成 HTML 报告"},
                       .on = "run.mustache",
                       .happened = base::same_in_both(base::printable(page.error_message(), 200)),
                       .next = {"restore the file from the installation", "请从安装包恢复该文件"}});
  }
  return html;
}

}  // namespace harness::report
