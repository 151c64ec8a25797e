#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/measurement.h"
#include "harness/model/suite.h"

// What a judgement is made of. Source of the words and their order: harness/README.md, "Truth
// rules".

namespace harness::model {

/// In the order of gravity, lightest first. Stored by name.
enum class VerdictWord { pass, waived, inconclusive, fail, error };
std::string_view verdict_name(VerdictWord word);  ///< "pass", …
base::Text verdict_title(VerdictWord word);       ///< "PASS", "通过", …
VerdictWord graver(VerdictWord a, VerdictWord b);
int exit_code_of(VerdictWord word);

/// The part of the judgement that a finding belongs to, in judging order.
enum class Stage { launch, evidence, validity, criteria, score };
std::string_view stage_name(Stage stage);
base::Text stage_title(Stage stage);

/// Why a finding is not a pass. Stored by name.
enum class ReasonClass {
  none,
  missed_criterion,  ///< fail: the figure is beyond its limit
  invalid_run,       ///< fail: the run broke a rule
  evidence_missing,  ///< inconclusive: a declared file or figure is not there
  unreadable_input,  ///< error: nothing could be read from what was given
  launch_failed,     ///< error: the program did not run to an end of its own
  aborted,           ///< error: ended by the user
};
std::string_view reason_name(ReasonClass reason);

/// Distance of a figure from its limit, in the metric's unit and relative to the limit. Both are >=
/// 0.
struct Margin {
  bool is_met = true;  ///< true: room, false: over or short
  double absolute = 0;
  std::optional<double> ratio;  ///< nothing when the limit is 0
};

/// One check and its outcome.
struct Finding {
  Stage stage = Stage::criteria;
  std::string check;    ///< metric or rule: "time_to_train_s", "exactly_one_run_stop"
  std::string subject;  ///< the run or file it speaks of; empty when there is only one
  VerdictWord verdict = VerdictWord::pass;
  bool is_warning = false;  ///< must be looked at though it does not decide
  ReasonClass reason = ReasonClass::none;
  std::optional<double> measured;
  std::optional<double> limit;
  std::optional<Comparison> comparison;
  std::optional<Margin> margin;
  std::string unit;
  std::optional<Evidence> evidence_kind;
  base::Text text;  ///< one sentence
  std::vector<SourceRef> evidence;
  std::string limit_source;
};

/// A likely cause with what to do next.
struct Diagnosis {
  std::string rule;  ///< stable id: "scaling_below_limit"
  base::Text cause;
  base::Text next;
  std::vector<SourceRef> evidence;
  std::string quoted_line;  ///< the evidence itself, printable; may be empty
};

/// A figure for machines and people. nothing (std::monostate) = unknown.
struct Figure {
  std::string name;  ///< with its unit at the end
  std::variant<std::monostate, double, std::string, std::vector<double>> value;
};

struct NotJudged {
  std::string check;
  base::Text why;
};

struct Verdict {
  VerdictWord word = VerdictWord::inconclusive;
  base::Text headline;               ///< one sentence behind the word
  std::vector<Finding> findings;     ///< in judging order
  std::vector<Diagnosis> diagnoses;  ///< most likely first
  std::vector<NotJudged> not_judged;
  std::vector<Figure> figures;
  std::vector<base::Text>
      notices;  ///< miniature, replay, "not verified by MLCommons Association" …
};

}  // namespace harness::model
