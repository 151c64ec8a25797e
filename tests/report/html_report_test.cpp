#include "harness/report/html_report.h"

#include <regex>

#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/report/labels.h"
#include "tests/report/sample_report.h"

namespace harness::report {
namespace {

using base::Language;

std::string page_of(const Report& report, Language language = Language::en) {
  return render_html(report, language, page_templates());
}

/// What a reader sees: no style sheet, no tags, spaces folded.
std::string words_of(std::string html) {
  html = html.substr(html.find("<body>"));
  html = std::regex_replace(html, std::regex("<[^>]*>"), " ");
  return std::regex_replace(html, std::regex("[ \n]+"), " ");
}

TEST(HtmlReport, SaysVerdictCauseFiguresAndNextStep) {
  const std::string words = words_of(page_of(failed_report()));
  for (const char* part : {"FAIL gpt3, GPT-3 pre-training",
                           "960.3 s over",
                           "Likely cause GPUDirect is off",
                           "Evidence Disabled",
                           "nccl.log:2117",
                           "Next load it",
                           "12480.3\u00a0s",
                           "≤ 11520\u00a0s",
                           "960.3\u00a0s over, +8.3\u00a0%",
                           "3 h 28 min 00 s instead of 3 h 12 min 00 s",
                           "0.07 room",
                           "1 of 3 failed",
                           "warnings: 1",
                           "contract, annex B",
                           "Not judged",
                           "no mllog given",
                           "core.1",
                           "GPU driver 570.172.08",
                           "completed",
                           "2026-11-30 01:30:02 UTC",
                           "3 h 31 min 45 s",
                           "code 0",
                           "6.1\u00a0MB",
                           "Files with SHA-256: 1",
                           "Not verified by MLCommons Association.",
                           "exit code 1",
                           "samples_per_s",
                           "unknown",
                           "2.15"}) {
    EXPECT_NE(words.find(part), std::string::npos) << part << "\n" << words;
  }
}

TEST(HtmlReport, StageThatFailedIsOpenAndOneThatPassedIsFolded) {
  Report report = failed_report();
  report.subjects.front().verdict.findings.front().is_warning = false;
  const std::string html = page_of(report);
  EXPECT_EQ(count_of(html, "<details class=\"stage fail\" open>"), 1U);
  EXPECT_EQ(count_of(html, "<details class=\"stage pass\">"), 1U);
}

TEST(HtmlReport, IsOneFileThatFetchesAndRunsNothing) {
  const std::string html = page_of(failed_report());
  EXPECT_NE(html.find("default-src 'none'; style-src 'unsafe-inline'"), std::string::npos);
  for (const char* part : {"<script", "<link", "<img", "<iframe", "src=", "style=", "url(",
                           "@import", "http:", "https:", "{{", "}}"}) {
    EXPECT_EQ(html.find(part), std::string::npos) << part;
  }
  const std::regex link("href=\"([^\"]*)\"");
  for (std::sregex_iterator at(html.begin(), html.end(), link); at != std::sregex_iterator();
       ++at) {
    EXPECT_TRUE((*at)[1].str().starts_with('#')) << (*at)[1];
  }
}

TEST(HtmlReport, HostileTextStaysText) {
  for (const Language language : {Language::en, Language::zh}) {
    const std::string html = page_of(hostile_report(), language);
    const std::string body = html.substr(html.find("</head>"));
    EXPECT_TRUE(base::is_valid_utf8(html));
    for (const char* part : {"<script", "</style", "\x1b", "\u202e", "alert(1)<", "&\"", "]]>"}) {
      EXPECT_EQ(body.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(count_of(html, "</style>"), 1U);
    EXPECT_EQ(count_of(html, "<h1"), 1U);
    // Template signs of a log are text, too: the style sheet stands in the page once.
    EXPECT_EQ(count_of(html, "--t1: 0.75rem"), 1U);
    EXPECT_NE(body.find("&lt;script&gt;"), std::string::npos);
  }
}

TEST(HtmlReport, EveryTagIsClosed) {
  for (const Report& report : {failed_report(), hostile_report()}) {
    const std::string html = page_of(report);
    for (const char* name :
         {"article", "section", "details", "summary", "table", "tbody",  "thead", "tr",
          "td",      "th",      "dl",      "dt",      "dd",    "div",    "span",  "ul",
          "li",      "svg",     "p",       "h1",      "h2",    "figure", "code"}) {
      const std::regex opening(std::string("<") + name + "[ >]");
      const auto opened =
          std::distance(std::sregex_iterator(html.begin(), html.end(), opening), {});
      EXPECT_EQ(static_cast<std::size_t>(opened), count_of(html, std::string("</") + name + ">"))
          << name;
    }
  }
}

/// The words of a label between its gaps; a mere sign is none.
std::vector<std::string> pieces_of(std::string_view label) {
  std::vector<std::string> pieces;
  for (const std::string& piece :
       base::split(std::regex_replace(std::string(label), std::regex(R"(\{\})"), "\n"), '\n')) {
    const std::string trimmed(base::trim(piece));
    if (trimmed.size() >= 3 && trimmed != "accept") {
      pieces.push_back(trimmed);
    }
  }
  return pieces;
}

/// True when `piece` stands in `text` by itself, not as a part of a name such as time_to_train_s.
bool has_words(const std::string& text, const std::string& piece) {
  const auto is_of_name = [&text](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' ||
            text[at] == '.' || text[at] == '-' || text[at] == '/');
  };
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
    if (!(at > 0 && is_of_name(at - 1)) && !is_of_name(at + piece.size())) {
      return true;
    }
  }
  return false;
}

TEST(HtmlReport, EnglishPageHasTheWordsThatTheChineseOneMustNotHave) {
  const std::string words = words_of(page_of(failed_report()));
  for (const char* key :
       {"likely_cause", "margin", "not_judged", "environment", "as_table", "samples", "started"}) {
    EXPECT_TRUE(has_words(words, say(key, Language::en))) << key;
  }
}

TEST(HtmlReport, ChinesePageIsWhollyChinese) {
  const std::string html = page_of(failed_report(), Language::zh);
  const std::string words = words_of(html);
  EXPECT_NE(html.find("<html lang=\"zh-CN\">"), std::string::npos);
  for (const char* part :
       {"不通过 gpt3，GPT-3 预训练", "可能原因 GPUDirect 未启用", "下一步 加载模块",
        "超出 960.3\u00a0s", "未评判", "环境", "已完成", "未经 MLCommons 协会验证。"}) {
    EXPECT_NE(words.find(part), std::string::npos) << part << "\n" << words;
  }
  for (const Label& label : all_labels()) {
    for (const std::string& piece : pieces_of(label.en)) {
      EXPECT_FALSE(has_words(words, piece)) << label.key << ": " << piece;
      EXPECT_TRUE(!has_words(html, "aria-label=\"" + piece)) << label.key;
    }
  }
  EXPECT_EQ(html.find("time since"), std::string::npos);
}

TEST(HtmlReport, EveryLabelIsInBothLanguagesWithTheSameGaps) {
  for (const Label& label : all_labels()) {
    EXPECT_FALSE(label.en.empty()) << label.key;
    EXPECT_FALSE(label.zh.empty()) << label.key;
    EXPECT_NE(label.en, label.zh) << label.key;
    EXPECT_EQ(count_of(std::string(label.en), "{}"), count_of(std::string(label.zh), "{}"))
        << label.key;
  }
}

TEST(HtmlReport, TemplateNamesLabelsThatExist) {
  const std::string page = page_templates().page;
  const std::regex pattern(R"(\{\{l\.([a-z_]+)\}\})");
  for (std::sregex_iterator at(page.begin(), page.end(), pattern); at != std::sregex_iterator();
       ++at) {
    EXPECT_NO_THROW(say((*at)[1].str(), Language::en)) << (*at)[1];
  }
}

TEST(HtmlReport, SameReportSameBytes) {
  EXPECT_EQ(page_of(failed_report()), page_of(failed_report()));
}

TEST(HtmlReport, PassHasNoCauseBox) {
  Report report = failed_report();
  report.subjects.front().verdict.word = model::VerdictWord::pass;
  report.subjects.front().verdict.diagnoses.clear();
  EXPECT_EQ(page_of(report).find("class=\"cause\""), std::string::npos);
}

TEST(HtmlReport, UnknownCauseNamesACommandOnlyWhenItCanBePasted) {
  Report report = failed_report();
  report.subjects.front().verdict.diagnoses.clear();
  EXPECT_NE(page_of(report).find("accept diagnose /runs/r-20261130-013002-gpt3"),
            std::string::npos);
  report.subjects.front().path = "/runs/$(reboot)";
  EXPECT_EQ(page_of(report).find("accept diagnose"), std::string::npos);
}

TEST(HtmlReport, SeveralSubjectsHaveAnOverviewTheGravestFirst) {
  Report report = failed_report();
  Subject passed = report.subjects.front();
  passed.verdict.word = model::VerdictWord::pass;
  passed.verdict.headline = {"all well", "一切正常"};
  report.subjects.insert(report.subjects.begin(), passed);
  const std::string words = words_of(page_of(report));
  EXPECT_NE(words.find("FAIL 2 judged"), std::string::npos) << words;
  EXPECT_LT(words.find("960.3 s over"), words.find("all well"));
}

TEST(HtmlReport, EmptyReportIsAPage) {
  const std::string html = page_of({});
  EXPECT_NE(html.find("INCONCLUSIVE"), std::string::npos);
  EXPECT_NE(html.find("</html>"), std::string::npos);
}

TEST(HtmlReport, FloodOfFindingsIsCountedNotShown) {
  Report report = failed_report();
  model::Verdict& verdict = report.subjects.front().verdict;
  verdict.findings.assign(5000, verdict.findings.front());
  const std::string html = page_of(report);
  EXPECT_LT(html.size(), 1'500'000U);
  EXPECT_NE(html.find("4000 more rows"), std::string::npos);
}

TEST(HtmlReport, BrokenTemplateIsAnError) {
  EXPECT_THROW(render_html(failed_report(), Language::en, {"{{#a}}", ""}), base::Error);
}

}  // namespace
}  // namespace harness::report
