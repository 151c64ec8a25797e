#pragma once

#include <string>

#include "harness/report/report.h"

// The findings as a table for spreadsheets and scripts: RFC 4180 (comma, CRLF, doubled quotes),
// UTF-8 without a mark, a head row with stable names.

namespace harness::report {

/// One row per finding, in judging order; `language` is that of the column "text". Numbers are
/// written in full and unknown ones are empty. Text that a spreadsheet would take for a formula
/// gets a leading apostrophe. Same report, same bytes.
std::string render_csv(const Report& report, base::Language language);

}  // namespace harness::report
