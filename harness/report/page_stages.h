#pragma once

#include "harness/report/page_values.h"

// How the verdict came about: one part per stage in judging order, one row per finding.

namespace harness::report {

/// A list. Rows beyond 100 that passed, and any beyond 1000, are counted instead of shown.
PageValue page_stages(const model::Verdict& verdict, base::Language language);

}  // namespace harness::report
