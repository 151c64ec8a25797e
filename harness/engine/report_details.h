#pragma once

#include <filesystem>
#include <vector>

#include "harness/judge/evidence.h"
#include "harness/model/suite.h"
#include "harness/report/html_report.h"
#include "harness/report/report.h"

// What a page shows beside the verdict: evaluation curves, kept files, templates.

namespace harness::engine {

/// One curve per run that has a log with evaluations, in the order of the runs. `suite` may be
/// nullptr.
std::vector<report::EvaluationCurve> evaluation_curves(const std::vector<judge::RunEvidence>& runs,
                                                       const model::Suite* suite);

/// Every file below `folder` with its digest, sorted by path. Errors: environment.
std::vector<report::ArtifactEntry> kept_files(const std::filesystem::path& folder);

/// reports/run.mustache and reports/accept.css of the data folder. Errors: usage when one is
/// missing.
report::HtmlTemplates load_templates(const std::filesystem::path& data_folder);

}  // namespace harness::engine
