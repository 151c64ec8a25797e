#include "harness/report/markdown_report.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "harness/report/figure_text.h"
#include "harness/report/labels.h"

namespace harness::report {
namespace {

using base::Language;
using model::Finding;
using model::VerdictWord;

constexpr std::size_t kMostRows = 50;

/// The shapes of a page as one sign each.
const char* sign_of(VerdictWord word) {
  switch (word) {
    case VerdictWord::pass:
      return "✔";
    case VerdictWord::waived:
      return "~";
    case VerdictWord::inconclusive:
      return "?";
    case VerdictWord::fail:
      return "✘";
    case VerdictWord::error:
      return "!";
  }
  return "?";
}

/// What could make mark-up at `at`. Signs of a list or a heading do so at the start only; the point
/// of a number never.
bool is_markup(std::string_view text, std::size_t at) {
  constexpr std::string_view kHarmless = ",;'\"%()";
  constexpr std::string_view kAtStartOnly = "=+-";
  const auto c = static_cast<unsigned char>(text[at]);
  if (std::ispunct(c) == 0 || kHarmless.find(text[at]) != std::string_view::npos) {
    return false;
  }
  if (kAtStartOnly.find(text[at]) != std::string_view::npos) {
    return at == 0;
  }
  const bool is_point =
      text[at] == '.' && at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9';
  return !is_point;
}

/// One line in which nothing is mark-up. A word joiner (U+2060) after "@" keeps a name from being
/// notified.
std::string escaped(std::string_view foreign) {
  const std::string text = base::printable(foreign);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += is_markup(text, i) ? "\\" : "";
    out += text[i];
    out += text[i] == '@' ? "\u2060" : "";
  }
  return out;
}

/// Sentences of ours quote logs, so they are escaped as well; a line break becomes a space.
std::string sentence(const base::Text& text, Language language) {
  std::string line = text.in(language);
  std::ranges::replace(line, '\n', ' ');
  return escaped(line);
}

/// A code span longer than any run of backticks in it; within a table a bar is escaped.
std::string code(std::string_view text, bool is_in_table) {
  const std::string content = base::printable(text, 300);
  if (content.empty()) {
    return "";
  }
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string out;
  for (const char c : content) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    out += is_in_table && c == '|' ? "\\|" : std::string(1, c);
  }
  const std::string fence(longest + 1, '`');
  return longest == 0 ? fence + out + fence : fence + " " + out + " " + fence;
}

class MarkdownWriter {
 public:
  MarkdownWriter(const Report& report, Language language) : report_(report), language_(language) {}

  std::string write() {
    if (report_.subjects.size() != 1) {
      out_ += fmt::format("## {} {}: {}\n\n", sign_of(report_.word()),
                          model::verdict_title(report_.word()).in(language_),
                          fmt::format(fmt::runtime(words("judged")), report_.subjects.size()));
    }
    for (const Subject& subject : report_.subjects) {
      write_subject(subject);
    }
    write_foot();
    return std::move(out_);
  }

 private:
  std::string words(std::string_view key) const { return say(key, language_); }

  void write_subject(const Subject& subject) {
    const model::Verdict& verdict = subject.verdict;
    const std::string& name = !report_.run_id.empty() ? report_.run_id : subject.path;
    out_ += fmt::format("{} {} {}: {} {}\n\n", report_.subjects.size() == 1 ? "##" : "###",
                        sign_of(verdict.word), model::verdict_title(verdict.word).in(language_),
                        escaped(subject.suite), code(name, false));
    out_ += sentence(verdict.headline, language_) + "\n\n";
    for (const base::Text& notice : verdict.notices) {
      out_ += "**" + sentence(notice, language_) + "**\n\n";
    }
    write_table(verdict);
    write_causes(verdict);
    write_not_judged(verdict);
  }

  /// Figures against limits, and every other finding that says something.
  void write_table(const model::Verdict& verdict) {
    std::vector<const Finding*> shown;
    for (const Finding& finding : verdict.findings) {
      const bool is_quiet = finding.verdict == VerdictWord::pass && !finding.is_warning;
      if (has_limit(finding) || !is_quiet) {
        shown.push_back(&finding);
      }
    }
    if (shown.empty()) {
      return;
    }
    out_ += fmt::format("| {} | {} | {} | {} | {} | {} |\n| --- | --- | --: | --: | --- | --- |\n",
                        words("verdict"), words("check"), words("measured"), words("limit"),
                        words("margin"), words("evidence"));
    for (std::size_t i = 0; i < std::min(shown.size(), kMostRows); ++i) {
      write_row(*shown[i]);
    }
    out_ += "\n";
    if (shown.size() > kMostRows) {
      out_ += fmt::format(fmt::runtime(words("rows_hidden")), shown.size() - kMostRows) + "\n\n";
    }
  }

  void write_row(const Finding& finding) {
    const std::string word = fmt::format("{} {}", sign_of(finding.verdict),
                                         model::verdict_title(finding.verdict).in(language_));
    const std::string warning = finding.is_warning ? words("comma") + words("warning") : "";
    const std::string subject = finding.subject.empty() ? "" : code(finding.subject, true) + " ";
    const std::string place =
        finding.evidence.empty() ? "" : code(finding.evidence.front().to_string(), true);
    out_ += fmt::format(
        "| {}{} | {}{} | {} | {} | {} | {} |\n", word, warning, subject, code(finding.check, true),
        finding.measured ? page_figure(*finding.measured, "") + unit_of(finding) : "–",
        finding.limit ? limit_cell(finding) : "–",
        finding.margin && finding.limit ? escaped(margin_text(finding, language_))
                                        : sentence(finding.text, language_),
        place);
  }

  static std::string unit_of(const Finding& finding) {
    return finding.unit.empty() ? "" : "\u00a0" + escaped(finding.unit);
  }

  static std::string limit_cell(const Finding& finding) {
    Finding bare = finding;
    bare.unit.clear();
    return limit_text(bare) + unit_of(finding);
  }

  void write_causes(const model::Verdict& verdict) {
    const bool needs_cause =
        verdict.word != VerdictWord::pass && verdict.word != VerdictWord::waived;
    for (const model::Diagnosis& diagnosis : verdict.diagnoses) {
      out_ += fmt::format("**{}**: {}\n\n", words("likely_cause"),
                          sentence(diagnosis.cause, language_));
      for (const std::string& line : base::split(diagnosis.quoted_line, '\n')) {
        out_ += line.empty() ? "" : code(line, false) + "\n\n";
      }
      if (!diagnosis.evidence.empty()) {
        out_ += fmt::format("{}: {}\n\n", words("evidence"),
                            code(diagnosis.evidence.front().to_string(), false));
      }
      out_ += fmt::format("**{}**: {}\n\n", words("next"), sentence(diagnosis.next, language_));
    }
    if (verdict.diagnoses.empty() && needs_cause) {
      out_ += fmt::format("**{}**: {}\n\n", words("likely_cause"), words("no_known_cause"));
    }
  }

  void write_not_judged(const model::Verdict& verdict) {
    for (const model::NotJudged& one : verdict.not_judged) {
      out_ += fmt::format("- {}: {} ({})\n", words("not_judged"), code(one.check, false),
                          sentence(one.why, language_));
    }
    out_ += verdict.not_judged.empty() ? "" : "\n";
  }

  void write_foot() {
    if (!report_.evidence_folder.empty()) {
      out_ +=
          fmt::format("{} {}\n\n", words("evidence_folder"), code(report_.evidence_folder, false));
    }
    out_ += fmt::format("{}; accept {}\n",
                        fmt::format(fmt::runtime(words("exit_code")), report_.exit_code),
                        escaped(report_.version));
  }

  const Report& report_;
  Language language_;
  std::string out_;
};

}  // namespace

std::string render_markdown(const Report& report, Language language) {
  return MarkdownWriter(report, language).write();
}

}  // namespace harness::report
