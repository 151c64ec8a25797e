#include "harness/report/report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/report/json_report.h"
#include "harness/report/junit_report.h"
#include "harness/report/terminal_report.h"

namespace harness::report {
namespace {

using model::VerdictWord;

/// One subject with everything a hostile log can bring: escape codes, markup, a line break, broken
/// UTF-8.
Report hostile_report() {
  const std::string hostile = "\x1b[31m<script>&\"'\n\xC4\xE3]]>";
  Report report;
  report.command = "check";
  report.version = "0.1.0";
  Subject subject;
  subject.path = hostile;
  subject.suite = "gpt3";
  subject.unread = {hostile};
  model::Finding finding;
  finding.check = "time_to_train_s";
  finding.subject = hostile;
  finding.verdict = VerdictWord::fail;
  finding.reason = model::ReasonClass::missed_criterion;
  finding.measured = 12480.3;
  finding.limit = 11520;
  finding.comparison = model::Comparison::at_most;
  finding.margin = model::Margin{false, 960.3, 960.3 / 11520};
  finding.unit = "s";
  finding.text = {"time to train 12480.3 s", "训练时间 12480.3 s"};
  finding.evidence = {{hostile, 3}};
  finding.limit_source = "site <contract>";
  subject.verdict.findings = {finding};
  subject.verdict.word = VerdictWord::fail;
  subject.verdict.headline = {"960.3 s over", "超出 960.3 s"};
  subject.verdict.diagnoses = {
      {"rule", {"cause", "原因"}, {"next", "下一步"}, {{hostile, 3}}, base::printable(hostile)}};
  subject.verdict.not_judged = {{"log_perplexity", {"no mllog given", "未提供 mllog"}}};
  subject.verdict.figures = {{"time_to_train_s", 12480.3}, {"final_loss", {}}, {"runs", 3.0}};
  report.subjects = {subject};
  report.exit_code = 1;
  return report;
}

TEST(JsonReport, HasVerdictExitCodeAndSchemaVersionAtItsTop) {
  const auto json = nlohmann::json::parse(render_json(hostile_report()));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["figures"]["time_to_train_s"], 12480.3);
  EXPECT_TRUE(json["figures"]["final_loss"].is_null());
  EXPECT_TRUE(json["figures"]["runs"].is_number_integer());
  EXPECT_EQ(json["subjects"][0]["findings"][0]["evidence"][0]["line"], 3);
}

TEST(JsonReport, SameReportSameBytes) {
  EXPECT_EQ(render_json(hostile_report()), render_json(hostile_report()));
}

TEST(JsonReport, EveryStringIsPrintable) {
  const std::string text = render_json(hostile_report());
  EXPECT_TRUE(base::is_valid_utf8(text));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(TerminalReport, NoForeignEscapeCodeReachesTheTerminal) {
  const std::string text = render_terminal(hostile_report(), {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_TRUE(base::is_valid_utf8(text));
}

TEST(TerminalReport, SaysVerdictFigureMarginCauseAndNextStep) {
  const std::string text = render_terminal(hostile_report(), {});
  for (const char* part : {"✘ FAIL", "12480.3 s", "≤ 11520 s", "960.3 s over", "+8.3 %",
                           "Likely cause", "Next", "Not judged", "Not read"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(TerminalReport, SpeaksChinese) {
  TerminalStyle style;
  style.language = base::Language::zh;
  const std::string text = render_terminal(hostile_report(), style);
  for (const char* part : {"✘ 不通过", "超出 960.3 s", "可能原因", "下一步", "未评判"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(TerminalReport, PlainTerminalGetsAsciiSigns) {
  TerminalStyle style;
  style.has_unicode = false;
  const std::string text = render_terminal(hostile_report(), style);
  EXPECT_NE(text.find("x FAIL"), std::string::npos) << text;
  EXPECT_NE(text.find("<= 11520 s"), std::string::npos) << text;
}

TEST(JunitReport, CountsAndEscapes) {
  const std::string text = render_junit(hostile_report(), base::Language::en);
  EXPECT_NE(text.find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), std::string::npos)
      << text;
  EXPECT_EQ(text.find("<script>"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("site &lt;contract&gt;"), std::string::npos);
}

TEST(Report, GravestSubjectDecides) {
  Report report;
  EXPECT_EQ(report.word(), VerdictWord::inconclusive);
  report.subjects.resize(3);
  report.subjects[0].verdict.word = VerdictWord::pass;
  report.subjects[1].verdict.word = VerdictWord::error;
  report.subjects[2].verdict.word = VerdictWord::fail;
  EXPECT_EQ(report.word(), VerdictWord::fail);
}

}  // namespace
}  // namespace harness::report
