#pragma once

#include <cstddef>

#include "harness/report/page_values.h"
#include "harness/report/report.h"

// One subject as a part of a page, in the order in which it is read: verdict, cause, figures,
// stages, evidence.

namespace harness::report {

/// `number` counts from 1 and makes the names of anchors differ.
PageValue page_subject(const Report& report, const Subject& subject, std::size_t number,
                       base::Language language);

}  // namespace harness::report
