#include <gtest/gtest.h>

#include "harness/base/number.h"
#include "harness/report/csv_report.h"
#include "harness/report/markdown_report.h"
#include "tests/report/sample_report.h"

namespace harness::report {
namespace {

using base::Language;

/// Rows of cells as RFC 4180 has them.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && is_quoted && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[i++];
    } else if (text[i] == '"') {
      is_quoted = !is_quoted;
    } else if (text[i] == ',' && !is_quoted) {
      rows.back().emplace_back();
    } else if (text.compare(i, 2, "\r\n") == 0 && !is_quoted) {
      rows.push_back({""});
      ++i;
    } else {
      rows.back().back() += text[i];
    }
  }
  rows.pop_back();
  return rows;
}

TEST(CsvReport, OneRowPerFindingWithFiguresInFull) {
  const auto rows = read_csv(render_csv(failed_report(), Language::en));
  ASSERT_EQ(rows.size(), 5U);
  ASSERT_EQ(rows[0].size(), 20U);
  const std::vector<std::string> expected{"r-20261130-013002-gpt3",
                                          "/runs/r-20261130-013002-gpt3",
                                          "gpt3",
                                          "fail",
                                          "criteria",
                                          "time_to_train_s",
                                          "",
                                          "fail",
                                          "false",
                                          "missed_criterion",
                                          "12480.3",
                                          "<=",
                                          "11520",
                                          "s",
                                          "false",
                                          "960.3",
                                          "0.08335937",
                                          "contract, annex B",
                                          "results.json:4",
                                          "judged"};
  EXPECT_EQ(rows[2], expected);
}

TEST(CsvReport, EveryRowHasTheColumnsOfTheHeadWhateverTheText) {
  const std::string text = render_csv(hostile_report(), Language::zh);
  EXPECT_TRUE(base::is_valid_utf8(text));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  for (const auto& row : read_csv(text)) {
    EXPECT_EQ(row.size(), 20U);
  }
}

TEST(CsvReport, FormulaGetsAnApostropheAndANumberDoesNot) {
  for (const char* text :
       {"=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "  =1", "\tx", "=\"a\"", "-"}) {
    Report report = failed_report();
    report.run_id = text;
    const auto rows = read_csv(render_csv(report, Language::en));
    EXPECT_TRUE(rows[1][0].starts_with('\'')) << rows[1][0];
  }
  Report report = failed_report();
  report.run_id = "-12.5";
  report.subjects.front().verdict.findings[0].measured = -3;
  const auto rows = read_csv(render_csv(report, Language::en));
  EXPECT_EQ(rows[1][0], "-12.5");
  EXPECT_EQ(rows[1][10], "-3");
}

TEST(CsvReport, SameReportSameBytes) {
  EXPECT_EQ(render_csv(failed_report(), Language::en), render_csv(failed_report(), Language::en));
}

TEST(MarkdownReport, SaysVerdictFiguresCauseAndNextStep) {
  const std::string text = render_markdown(failed_report(), Language::en);
  for (const char* part :
       {"## ✘ FAIL: gpt3 `r-20261130-013002-gpt3`",
        "| ✘ FAIL | `time_to_train_s` | 12480.3\u00a0s | ≤ 11520\u00a0s |",
        "960.3\u00a0s over, +8.3\u00a0% | `results.json:4` |", "**Likely cause**: GPUDirect is off",
        "`nccl.log:2117`", "**Next**: load it", "Not judged: `log_perplexity`",
        "Not verified by MLCommons Association", "exit code 1"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(MarkdownReport, SpeaksChinese) {
  const std::string text = render_markdown(failed_report(), Language::zh);
  for (const char* part :
       {"## ✘ 不通过", "超出 960.3\u00a0s", "可能原因", "下一步", "未评判", "退出码 1"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

/// The text without its code spans and escaped signs: what a Markdown reader would act on.
std::string acted_on(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '`') {
      const std::size_t end = line.find_first_not_of('`', i);
      const std::string fence = line.substr(i, end - i);
      std::size_t close = line.find(fence, end);
      while (close != std::string::npos && line.substr(close).starts_with(fence + "`")) {
        close = line.find(fence, line.find_first_not_of('`', close));
      }
      EXPECT_NE(close, std::string::npos) << line;
      i = close == std::string::npos ? line.size() : close + fence.size() - 1;
    } else {
      out += line[i];
    }
  }
  return out;
}

TEST(MarkdownReport, HostileTextMakesNoMarkup) {
  const std::string text = render_markdown(hostile_report(), Language::en);
  EXPECT_TRUE(base::is_valid_utf8(text));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  for (const std::string& line : base::split(text, '\n')) {
    const std::string left = acted_on(line);
    EXPECT_EQ(left.find('<'), std::string::npos) << line;
    EXPECT_EQ(left.find('@'), std::string::npos) << line;
    EXPECT_FALSE(left.starts_with('/')) << line;
    EXPECT_FALSE(left.starts_with('=')) << line;
    if (line.starts_with('|')) {
      EXPECT_EQ(count_of(left, "|"), 7U) << line;
    }
  }
}

TEST(MarkdownReport, SameReportSameBytes) {
  EXPECT_EQ(render_markdown(failed_report(), Language::en),
            render_markdown(failed_report(), Language::en));
}

}  // namespace
}  // namespace harness::report
