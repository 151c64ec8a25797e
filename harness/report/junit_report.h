#pragma once

#include <string>

#include "harness/report/report.h"

// The answer as JUnit XML, as Jenkins and GitLab read it: one testsuite per subject, one testcase
// per finding. FAIL → failure, ERROR and INCONCLUSIVE → error, not judged → skipped.

namespace harness::report {

std::string render_junit(const Report& report, base::Language language);

}  // namespace harness::report
