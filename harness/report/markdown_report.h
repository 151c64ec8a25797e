#pragma once

#include <string>

#include "harness/report/report.h"

// The answer as Markdown (GitHub and GitLab flavour) for a merge request or a ticket: verdict line,
// criteria and what did not pass, cause, next step.

namespace harness::report {

/// Foreign text stands in code spans or is escaped: it makes no mark-up, link, mention or quick
/// action. Same report, same bytes.
std::string render_markdown(const Report& report, base::Language language);

}  // namespace harness::report
