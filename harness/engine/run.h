#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "harness/base/clock.h"
#include "harness/engine/plan.h"
#include "harness/launch/launcher.h"
#include "harness/model/suite.h"
#include "harness/report/html_report.h"
#include "harness/report/report.h"

// `accept run`: plan → launch → follow → parse → judge → evidence folder.

namespace harness::engine {

/// What the training has said so far.
struct RunProgress {
  double elapsed_s = 0;
  std::size_t evaluation_count = 0;
  std::optional<double> evaluation_value;  ///< last one
  std::optional<double> quality_target;
  std::string_view quality_metric;
  bool is_training = false;  ///< run_start was seen
};
using ProgressObserver = std::function<void(const RunProgress&)>;

struct RunRequest {
  std::string run_id;
  model::Suite suite;
  std::filesystem::path evidence_folder;  ///< missing or empty
  Placeholders values;                    ///< beside OUT
  std::map<std::string, std::string> inherited_environment;
};

/// A run's name: "r-20261201-163000-smoke".
std::string make_run_id(const base::Clock& clock, const std::string& suite);

/// Makes the evidence folder or takes an empty one; absolute. Errors: usage when it holds
/// something.
std::filesystem::path prepare_evidence_folder(const std::filesystem::path& folder);

/// Runs the suite once and leaves, in the evidence folder: suite.json, job.json, stdout.log,
/// stderr.log and what the program wrote. A failed program is a verdict. Errors: usage (plan),
/// environment (launcher not built in, disk full …); the folder keeps what was written until then.
report::Report run_suite(const RunRequest& request, launch::Launcher& launcher,
                         const base::Clock& clock, const ProgressObserver& observe,
                         std::stop_token stop);

/// Adds report.html, report.zh.html, verdict.json and, last, MANIFEST.sha256 over all files.
/// Errors: environment (disk full …).
void seal_run(report::Report report, const report::HtmlTemplates& templates);

}  // namespace harness::engine
