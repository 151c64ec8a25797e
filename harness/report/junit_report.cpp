#include "harness/report/junit_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/report/markup.h"

namespace harness::report {
namespace {

/// GitLab merges cases of the same class and name, so a name carries stage, check, evidence and
/// subject.
std::string case_name(const model::Finding& finding) {
  std::string name = fmt::format("{}/{}", model::stage_name(finding.stage), finding.check);
  if (finding.evidence_kind) {
    name += "/" + finding.evidence_kind->to_string();
  }
  return finding.subject.empty() ? name : name + "/" + finding.subject;
}

/// One line each, XML-escaped.
std::string details_of(const model::Finding& finding) {
  std::string details =
      finding.limit_source.empty() ? "" : "limit: " + xml_text(finding.limit_source) + "\n";
  for (const model::SourceRef& source : finding.evidence) {
    details += "evidence: " + xml_text(source.to_string()) + "\n";
  }
  return details;
}

std::string render_case(const model::Finding& finding, const std::string& class_name,
                        base::Language language) {
  const std::string head = fmt::format(R"(    <testcase classname="{}" name="{}" time="0")",
                                       xml_text(class_name), xml_text(case_name(finding)));
  const std::string text = xml_text(finding.text.in(language));
  if (finding.verdict == model::VerdictWord::pass ||
      finding.verdict == model::VerdictWord::waived) {
    return fmt::format("{}>\n      <system-out>{}{}</system-out>\n    </testcase>\n", head,
                       finding.is_warning ? "warning: " : "", text);
  }
  const char* element = finding.verdict == model::VerdictWord::fail ? "failure" : "error";
  return fmt::format("{}>\n      <{} message=\"{}\" type=\"{}\">{}</{}>\n    </testcase>\n", head,
                     element, text, model::reason_name(finding.reason), details_of(finding),
                     element);
}

std::string render_subject(const Subject& subject, base::Language language) {
  const model::Verdict& verdict = subject.verdict;
  const std::string class_name = "accept." + (subject.suite.empty() ? "none" : subject.suite);
  const auto count = [&verdict](auto matches) {
    return std::ranges::count_if(verdict.findings, matches);
  };
  const auto failures = count([](const auto& f) { return f.verdict == model::VerdictWord::fail; });
  const auto errors = count([](const auto& f) {
    return f.verdict == model::VerdictWord::error || f.verdict == model::VerdictWord::inconclusive;
  });
  std::string out = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n",
      xml_text(subject.path), verdict.findings.size() + verdict.not_judged.size(), failures, errors,
      verdict.not_judged.size(), subject.attempt ? subject.attempt->duration_s : 0.0);
  for (const model::Finding& finding : verdict.findings) {
    out += render_case(finding, class_name, language);
  }
  for (const model::NotJudged& one : verdict.not_judged) {
    out += fmt::format(
        "    <testcase classname=\"{}\" name=\"criteria/{}\" time=\"0\">\n      <skipped "
        "message=\"{}\"/>\n"
        "    </testcase>\n",
        xml_text(class_name), xml_text(one.check), xml_text(one.why.in(language)));
  }
  return out + "  </testsuite>\n";
}

}  // namespace

std::string render_junit(const Report& report, base::Language language) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"accept\">\n";
  for (const Subject& subject : report.subjects) {
    out += render_subject(subject, language);
  }
  return out + "</testsuites>\n";
}

}  // namespace harness::report
