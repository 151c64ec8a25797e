#pragma once

#include <filesystem>
#include <optional>
#include <variant>

#include "harness/base/process_runner.h"
#include "harness/base/text.h"

// What can be told about a child before it is started: is the request sound, which file is the
// program?

namespace harness::launch {

/// Why `spec` can never be started: empty argv, NUL bytes, a bad variable name, no such working
/// directory.
std::optional<base::Text> find_request_problem(const base::ProcessSpec& spec);

/// The absolute path of the program, or why there is none that can be executed. A name without '/'
/// is looked up in PATH of `spec.environment` (never in ours, and there is no default). Relative
/// paths, also those in PATH, count from the child's working directory.
std::variant<std::filesystem::path, base::Text> find_program(const base::ProcessSpec& spec);

/// Why execve(2) of `program`, which find_program found, failed with `error_number`.
base::Text explain_exec_failure(const std::filesystem::path& program, int error_number);

}  // namespace harness::launch
