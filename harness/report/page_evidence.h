#pragma once

#include "harness/report/page_values.h"
#include "harness/report/report.h"

// What the verdict stands on, as parts of a page: evaluation curves, environment, attempts,
// artifacts.

namespace harness::report {

/// Adds the parts to `page`.
void set_evidence(PageValue& page, const Report& report, const Subject& subject,
                  base::Language language);

}  // namespace harness::report
