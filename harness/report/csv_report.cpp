#include "harness/report/csv_report.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/base/number.h"

namespace harness::report {
namespace {

using base::Language;
using model::Finding;
using Row = std::vector<std::string>;

/// Spreadsheets run what begins with = + - @, some after skipping spaces; a plain number is safe.
/// Source: OWASP, "CSV Injection".
std::string without_formula(const std::string& text) {
  const std::string_view start = base::trim(text);
  const bool is_formula =
      !start.empty() && std::string_view("=+-@").find(start.front()) != std::string_view::npos;
  return is_formula && !base::parse_number(text) ? "'" + text : text;
}

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + "\"";
}

/// Printable first, so that a cell never holds a line break.
std::string text_cell(std::string_view text) {
  // printable() shows a tab as a space, so it is looked for before.
  const bool starts_with_tab = text.starts_with('\t');
  const std::string shown = without_formula(base::printable(text));
  return cell(starts_with_tab && !shown.starts_with('\'') ? "'" + shown : shown);
}

std::string number_cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? base::format_number(*value) : "";
}

/// Rounded to what was measured: a subtraction leaves digits that mean nothing.
std::string derived_cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? base::format_figure(*value) : "";
}

std::string evidence_cell(const Finding& finding) {
  std::vector<std::string> places;
  places.reserve(finding.evidence.size());
  for (const model::SourceRef& source : finding.evidence) {
    places.push_back(source.to_string());
  }
  return text_cell(base::join(places, "; "));
}

std::string yes_or_no(bool is_so) {
  return is_so ? "true" : "false";
}

void append(std::string& out, const Row& row) {
  out += base::join(row, ",") + "\r\n";
}

Row row_of(const Report& report, const Subject& subject, const Finding& finding,
           Language language) {
  const auto& margin = finding.margin;
  return {text_cell(report.run_id),
          text_cell(subject.path),
          text_cell(subject.suite),
          std::string(model::verdict_name(subject.verdict.word)),
          std::string(model::stage_name(finding.stage)),
          text_cell(finding.check),
          text_cell(finding.subject),
          std::string(model::verdict_name(finding.verdict)),
          yes_or_no(finding.is_warning),
          std::string(model::reason_name(finding.reason)),
          number_cell(finding.measured),
          finding.comparison ? text_cell(model::comparison_token(*finding.comparison)) : "",
          number_cell(finding.limit),
          text_cell(finding.unit),
          margin ? yes_or_no(margin->is_met) : "",
          margin ? derived_cell(margin->absolute) : "",
          margin ? derived_cell(margin->ratio) : "",
          text_cell(finding.limit_source),
          evidence_cell(finding),
          text_cell(finding.text.in(language))};
}

}  // namespace

std::string render_csv(const Report& report, Language language) {
  std::string out;
  append(out,
         {"run_id",     "subject", "suite",        "subject_verdict", "stage",      "check", "part",
          "verdict",    "warning", "reason",       "measured",        "comparison", "limit", "unit",
          "margin_met", "margin",  "margin_ratio", "limit_source",    "evidence",   "text"});
  for (const Subject& subject : report.subjects) {
    for (const Finding& finding : subject.verdict.findings) {
      append(out, row_of(report, subject, finding, language));
    }
  }
  return out;
}

}  // namespace harness::report
