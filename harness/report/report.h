#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/attempt.h"
#include "harness/model/verdict.h"

// What every renderer shows: plain data, without a trace of where it came from. The renderers are
// siblings (terminal, JSON, JUnit, HTML, Markdown, CSV); two of them can never disagree.

namespace harness::report {

/// One evaluation of the model in training, as logged.
struct CurvePoint {
  std::optional<double> elapsed_s;  ///< since run_start; nothing when either time stamp is missing
  std::optional<double> samples;    ///< trained until then
  std::optional<double> value;      ///< nothing: the log had no usable number there; drawn as a gap
};

/// The evaluations of one training run against the quality target.
struct EvaluationCurve {
  std::string metric;              ///< a name of the metric table, or the suite's own word
  std::string artifact;            ///< the log it was read from
  std::vector<CurvePoint> points;  ///< in file order
  std::optional<double> target;
  std::optional<model::Comparison> comparison;  ///< of the target; nothing without one
};

/// One property of the machine or the software that the run took place on.
struct EnvironmentEntry {
  std::string key;   ///< stable, for machines: "gpu_driver"
  base::Text title;  ///< for people; empty: the key is shown
  std::string value;
};

/// One kept file.
struct ArtifactEntry {
  std::string path;    ///< relative to the evidence folder
  std::string sha256;  ///< 64 hexadecimal digits
  std::uint64_t size_bytes = 0;
};

/// One thing that was judged: a file, a folder of runs, a run of ours.
struct Subject {
  std::string path;         ///< as the user named it
  std::string suite;        ///< name; empty when no suite fits
  base::Text suite_choice;  ///< why this suite, when the user named none
  std::string system;       ///< machine profile, may be empty
  model::Verdict verdict;
  std::vector<std::string> unread;               ///< files in it that no parser recognised
  std::optional<model::Attempt> attempt;         ///< the one that was judged
  std::vector<model::Attempt> earlier_attempts;  ///< of the same run, oldest first; usually none
  base::Text suite_title;                        ///< may be empty
  std::vector<EvaluationCurve> curves;           ///< one per training log, in the order of the runs
  std::vector<EnvironmentEntry> environment;     ///< in the order in which they are shown
  std::vector<ArtifactEntry> artifacts;          ///< in the order in which they are shown
};

struct Report {
  std::string command;          ///< "check", "run", "diagnose"
  std::string version;          ///< of accept
  std::string run_id;           ///< of run; empty otherwise
  std::string evidence_folder;  ///< of run; empty otherwise
  std::vector<Subject> subjects;
  int exit_code = 0;  ///< of the command; 128 + n when a signal ended it

  /// The gravest of all subjects; inconclusive when there is none.
  model::VerdictWord word() const;
};

}  // namespace harness::report
