#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/model/suite.h"
#include "harness/model/system.h"

// Reads suites and machine profiles. Pure: text in, value out, or an Error with file, line and
// advice.

namespace harness::model {

/// The suite in `text`. `path` is used in messages and kept in the result; paths inside the suite
/// may neither be absolute nor leave their folder. Errors: usage, "path:line: what", with "did you
/// mean" for a key, metric, launcher or evidence kind that is near a known one; also for unknown
/// keys, missing keys, wrong types, non-finite or duplicate entries, a criterion that names no
/// source, a criterion on evidence that cannot carry its metric.
Suite decode_suite(std::string_view text, const std::string& path);

/// The machine profile in `text`. Errors: as decode_suite.
System decode_system(std::string_view text, const std::string& path);

}  // namespace harness::model
