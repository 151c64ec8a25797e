#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/judge/evidence.h"
#include "harness/model/suite.h"
#include "harness/model/verdict.h"

// From paths to evidence: opens what the user named, lets the parsers recognise it by content, and
// hands on values.

namespace harness::engine {

/// One answer's worth of files.
struct Gathered {
  std::string path;                      ///< the file, or the folder whose files belong together
  std::vector<judge::RunEvidence> runs;  ///< without measurements, see measure()
  std::vector<std::string> unread;       ///< files in the folder that no parser recognised
};

/// A file is one run. A folder is split into the folders below it that hold results; in each,
/// result_N.txt files (or, without one, every file with MLLOG records) are runs, and a single
/// results.json beside a single log belongs to it. Errors: usage when the path is missing or cannot
/// be listed. What cannot be parsed is part of the result.
std::vector<Gathered> gather(const std::string& path);

/// One file as one run; `artifact` is its name in findings. Errors: usage when it cannot be opened.
judge::RunEvidence read_file_as_run(const std::filesystem::path& path, const std::string& artifact);

/// Fills in the measurements of every run. `suite` says what eval_accuracy means; nullptr leaves
/// those of logs out.
void measure(std::vector<judge::RunEvidence>& runs, const model::Suite* suite);

/// Puts the raw line under each diagnosis that names one. `folder` is where relative artifacts lie;
/// artifacts larger than 1 GiB are not read again.
void quote_evidence(std::vector<model::Diagnosis>& diagnoses, const std::filesystem::path& folder);

}  // namespace harness::engine
