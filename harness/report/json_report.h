#pragma once

#include <string>

#include "harness/report/report.h"

// The answer as one JSON document; schemas/answer.schema.json documents it.

namespace harness::report {

/// Pretty-printed UTF-8 with a newline at the end. Unknown figures are null. Same report, same
/// bytes.
std::string render_json(const Report& report);

}  // namespace harness::report
