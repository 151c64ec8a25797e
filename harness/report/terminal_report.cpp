#include "harness/report/terminal_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "harness/base/number.h"
#include "harness/base/utc_time.h"

namespace harness::report {
namespace {

using base::Language;
using base::Text;
using model::Finding;
using model::Stage;
using model::VerdictWord;

constexpr std::size_t kMostRowsPerStage = 12;
constexpr std::size_t kLabelWidth = 14;
constexpr std::size_t kCheckWidth = 20;
constexpr std::size_t kSubjectWidth = 15;

const char* symbol_of(VerdictWord word) {
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

const char* color_of(VerdictWord word) {
  switch (word) {
    case VerdictWord::pass:
    case VerdictWord::waived:
      return "\x1b[32m";
    case VerdictWord::inconclusive:
    case VerdictWord::error:
      return "\x1b[33m";
    case VerdictWord::fail:
      return "\x1b[1;31m";
  }
  return "";
}

std::string colored(const std::string& text, const char* color, const TerminalStyle& style) {
  return style.has_color ? color + text + "\x1b[0m" : text;
}

class TerminalWriter {
 public:
  explicit TerminalWriter(const TerminalStyle& style) : style_(style) {}

  std::string take() { return fit_to_terminal(std::move(out_), style_); }

  void write(const Report& report) {
    for (const Subject& subject : report.subjects) {
      write_head(report, subject);
      write_stages(subject.verdict);
      write_answer(subject);
    }
    if (report.subjects.size() > 1) {
      write_overview(report);
    }
    write_notices(report);
  }

 private:
  const std::string& say(const Text& text) const { return text.in(style_.language); }
  std::string say(const char* en, const char* zh) const {
    return style_.language == Language::zh ? zh : en;
  }
  void line(const std::string& text) { out_ += text + "\n"; }

  void labelled(const std::string& label, const std::string& text) {
    // Continuation lines stand under the text, so that a label column stays readable.
    bool is_first = true;
    for (const std::string& part : base::split(text, '\n')) {
      const std::size_t room =
          style_.wrap_columns > kLabelWidth ? style_.wrap_columns - kLabelWidth - 2 : part.size();
      for (const std::string& row : base::wrap(part, room)) {
        line("  " + base::pad_right(is_first ? label : "", kLabelWidth) + row);
        is_first = false;
      }
    }
  }

  void write_head(const Report& report, const Subject& subject) {
    std::string head =
        report.run_id.empty() ? base::printable(subject.path) : "Run " + report.run_id;
    head +=
        subject.suite.empty() ? "" : fmt::format("   {} {}", say("suite", "套件"), subject.suite);
    head += subject.system.empty() ? ""
                                   : fmt::format("   {} {}", say("system", "机型"), subject.system);
    line(head);
    if (!subject.suite_choice.empty()) {
      line("  " + say(subject.suite_choice));
    }
    line("");
  }

  void write_stages(const model::Verdict& verdict) {
    constexpr std::array kStages{Stage::launch, Stage::evidence, Stage::validity, Stage::criteria,
                                 Stage::score};
    for (const Stage stage : kStages) {
      write_stage(stage, findings_of(verdict, stage));
    }
    line("");
  }

  static std::vector<const Finding*> findings_of(const model::Verdict& verdict, Stage stage) {
    std::vector<const Finding*> findings;
    for (const Finding& finding : verdict.findings) {
      if (finding.stage == stage) {
        findings.push_back(&finding);
      }
    }
    return findings;
  }

  void write_stage(Stage stage, const std::vector<const Finding*>& findings) {
    if (findings.empty()) {
      return;
    }
    VerdictWord word = VerdictWord::pass;
    std::ptrdiff_t warnings = 0;
    for (const Finding* finding : findings) {
      word = model::graver(word, finding->verdict);
      warnings += finding->is_warning ? 1 : 0;
    }
    const auto passed = std::ranges::count_if(
        findings, [](const Finding* f) { return f->verdict == VerdictWord::pass; });
    std::string counts =
        fmt::format(fmt::runtime(say("{} of {}", "{} / {}")), passed, findings.size());
    if (warnings > 0) {
      counts += fmt::format(fmt::runtime(say(", {} warning(s)", "，{} 条警告")), warnings);
    }
    line(fmt::format("{}  {} {}", mark(word), base::pad_right(say(model::stage_title(stage)), 11),
                     counts));
    write_rows(stage, findings);
  }

  /// Figures are always shown; other checks only where they say something.
  void write_rows(Stage stage, const std::vector<const Finding*>& findings) {
    std::size_t rows = 0;
    std::size_t hidden = 0;
    for (const Finding* finding : findings) {
      const bool is_quiet = finding->verdict == VerdictWord::pass && !finding->is_warning;
      const bool is_figure =
          stage == Stage::criteria || stage == Stage::score || stage == Stage::launch;
      if (is_quiet && !is_figure && !style_.shows_all) {
        continue;
      }
      if (is_quiet && rows >= kMostRowsPerStage && !style_.shows_all) {
        ++hidden;
        continue;
      }
      ++rows;
      write_row(*finding);
    }
    if (hidden > 0) {
      line(fmt::format(
          fmt::runtime(say("          … {} more that passed", "          … 另有 {} 项通过")),
          hidden));
    }
  }

  void write_row(const Finding& finding) {
    const char* symbol = finding.is_warning ? "!" : symbol_of(finding.verdict);
    std::string row =
        "          " +
        colored(symbol, color_of(finding.is_warning ? VerdictWord::error : finding.verdict),
                style_) +
        " ";
    row += finding.subject.empty()
               ? ""
               : base::pad_right(base::printable(finding.subject), kSubjectWidth) + " ";
    if (finding.measured && finding.limit && finding.margin) {
      row += figure_columns(finding);
    } else {
      row += say(finding.text);
    }
    if (finding.verdict != VerdictWord::pass && !finding.evidence.empty() && !finding.margin) {
      row += "  " + short_place(finding.evidence);
    }
    line(row);
  }

  /// The file's own name and line; the head of the report has said where it lies.
  static std::string short_place(const std::vector<model::SourceRef>& evidence) {
    if (evidence.empty()) {
      return "";
    }
    const std::string place = evidence.front().to_string();
    return base::printable(place.substr(place.rfind('/') + 1), 60);
  }

  /// On which side of its limit a figure lies, in a word and as the sign of its percentage.
  struct Side {
    std::string word;
    const char* sign;
  };
  Side side_of(const Finding& finding) const {
    const bool is_upper = *finding.comparison == model::Comparison::at_most ||
                          *finding.comparison == model::Comparison::less_than;
    if (finding.margin->is_met) {
      return {say("room", "余量"), ""};
    }
    return is_upper ? Side{say("over", "超出"), "+"} : Side{say("short", "不足"), "-"};
  }

  std::string figure_columns(const Finding& finding) const {
    const std::string limit = fmt::format("{} {}", model::comparison_sign(*finding.comparison),
                                          base::with_unit(*finding.limit, finding.unit));
    const Side side = side_of(finding);
    std::string percent;
    if (finding.margin->ratio) {
      percent = fmt::format("{}{} %", side.sign,
                            base::format_significant(*finding.margin->ratio * 100, 2));
    }
    std::string distance = base::format_figure(
        base::parse_number(fmt::format("{:.4g}", finding.margin->absolute)).value_or(0));
    distance += finding.unit.empty() ? "" : " " + finding.unit;
    const std::string room =
        style_.language == Language::zh ? side.word + " " + distance : distance + " " + side.word;
    return fmt::format("{} {} {} {} {}  {}", base::pad_right(finding.check, kCheckWidth),
                       base::pad_right(base::with_unit(*finding.measured, finding.unit), 12),
                       base::pad_right(limit, 11), base::pad_right(room, 15),
                       base::pad_left(percent, 7), short_place(finding.evidence));
  }

  void write_answer(const Subject& subject) {
    const model::Verdict& verdict = subject.verdict;
    const std::string what = subject.suite.empty() ? "" : subject.suite + ": ";
    line(fmt::format("{}  {}{}", mark(verdict.word), what, say(verdict.headline)));
    for (const model::Diagnosis& diagnosis : verdict.diagnoses) {
      write_diagnosis(diagnosis);
    }
    if (verdict.diagnoses.empty() && verdict.word != VerdictWord::pass &&
        verdict.word != VerdictWord::waived) {
      labelled(say("Likely cause", "可能原因"), say("no known cause", "暂无已知原因"));
    }
    for (const model::NotJudged& one : verdict.not_judged) {
      labelled(say("Not judged", "未评判"), fmt::format("{}: {}", one.check, say(one.why)));
    }
    if (!subject.unread.empty()) {
      constexpr std::size_t kMostNamed = 5;
      const std::size_t named = std::min(kMostNamed, subject.unread.size());
      std::vector<std::string> names;
      std::transform(subject.unread.begin(),
                     subject.unread.begin() + static_cast<std::ptrdiff_t>(named),
                     std::back_inserter(names),
                     [](const std::string& name) { return base::printable(name, 80); });
      const std::string more =
          subject.unread.size() > named ? fmt::format(" (+{})", subject.unread.size() - named) : "";
      labelled(say("Not read", "未读取"), base::join(names, ", ") + more);
    }
    line("");
  }

  void write_diagnosis(const model::Diagnosis& diagnosis) {
    labelled(say("Likely cause", "可能原因"), say(diagnosis.cause));
    if (!diagnosis.evidence.empty() || !diagnosis.quoted_line.empty()) {
      const std::string place =
          diagnosis.evidence.empty() ? "" : base::printable(diagnosis.evidence.front().to_string());
      const std::string gap = place.empty() || diagnosis.quoted_line.empty() ? "" : "  ";
      labelled(say("Evidence", "证据"), place + gap + diagnosis.quoted_line);
    }
    labelled(say("Next", "下一步"), say(diagnosis.next));
  }

  void write_overview(const Report& report) {
    std::map<VerdictWord, std::size_t> counts;
    for (const Subject& subject : report.subjects) {
      ++counts[subject.verdict.word];
    }
    std::vector<std::string> parts;
    parts.reserve(counts.size());
    for (const auto& [word, count] : counts) {
      parts.push_back(fmt::format("{} {}", count, say(model::verdict_title(word))));
    }
    line(fmt::format("{}  {} {}: {}", mark(report.word()), report.subjects.size(),
                     say("judged", "项已评判"), base::join(parts, ", ")));
    line("");
  }

  void write_notices(const Report& report) {
    std::vector<std::string> notices;
    for (const Subject& subject : report.subjects) {
      for (const Text& notice : subject.verdict.notices) {
        notices.push_back(say(notice));
      }
    }
    std::vector<std::string> said;
    for (const std::string& notice : notices) {
      if (std::ranges::find(said, notice) == said.end()) {
        said.push_back(notice);
        line(notice);
      }
    }
    if (!report.evidence_folder.empty()) {
      line(fmt::format("{} {}", say("Evidence folder", "证据目录"),
                       base::printable(report.evidence_folder)));
    }
  }

  std::string mark(VerdictWord word) const { return verdict_mark(word, style_); }

  const TerminalStyle& style_;
  std::string out_;
};

}  // namespace

std::string verdict_mark(VerdictWord word, const TerminalStyle& style) {
  const std::string text =
      fmt::format("{} {}", symbol_of(word), model::verdict_title(word).in(style.language));
  return colored(base::pad_right(text, 6), color_of(word), style);
}

std::string fit_to_terminal(std::string text, const TerminalStyle& style) {
  if (style.has_unicode) {
    return text;
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kReplacements{
      {{"✔", "+"},
       {"✘", "x"},
       {"≤", "<="},
       {"≥", ">="},
       {"…", "..."},
       {"×", "x"},
       {"–", "-"},
       {"→", "->"},
       {"▶", ">"}}};
  for (const auto& [sign, ascii] : kReplacements) {
    for (std::size_t at = text.find(sign); at != std::string::npos;
         at = text.find(sign, at + ascii.size())) {
      text.replace(at, sign.size(), ascii);
    }
  }
  return text;
}

std::string render_terminal(const Report& report, const TerminalStyle& style) {
  TerminalWriter writer(style);
  writer.write(report);
  return writer.take();
}

}  // namespace harness::report
