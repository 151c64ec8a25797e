#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/attempt.h"
#include "harness/model/verdict.h"

// What every renderer shows: plain data, without a trace of where it came from. The renderers are siblings
// (terminal, JSON, JUnit); two of them can never disagree.

namespace harness::report {

/// One thing that was judged: a file, a folder of runs, a run of ours.
struct Subject {
  std::string path;        ///< as the user named it
  std::string suite;       ///< name; empty when no suite fits
  base::Text suite_choice; ///< why this suite, when the user named none
  std::string system;      ///< machine profile, may be empty
  model::Verdict verdict;
  std::vector<std::string> unread;  ///< files in it that no parser recognised
  std::optional<model::Attempt> attempt;
};

struct Report {
  std::string command;     ///< "check", "run", "diagnose"
  std::string version;     ///< of accept
  std::string run_id;      ///< of run; empty otherwise
  std::string evidence_folder;  ///< of run; empty otherwise
  std::vector<Subject> subjects;
  int exit_code = 0;       ///< of the command; 128 + n when a signal ended it

  /// The gravest of all subjects; inconclusive when there is none.
  model::VerdictWord word() const;
};

}  // namespace harness::report
