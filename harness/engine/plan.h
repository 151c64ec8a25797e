#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "harness/model/attempt.h"
#include "harness/model/suite.h"

// Suite → Job: fills the placeholders. Pure.

namespace harness::engine {

/// Values for ${NAME}: OUT, SEED, PYTHON, WORKLOADS and what the configuration names.
using Placeholders = std::map<std::string, std::string>;

/// What a started program may inherit from ours; everything else stays behind.
bool may_inherit(const std::string& environment_name);

/// The job of `suite`'s launch block, its environment being `inherited` (filtered by may_inherit)
/// plus the suite's. Errors: usage, when the suite has no launch block or a placeholder has no
/// value: every missing one is named.
model::Job plan_job(const model::Suite& suite, const Placeholders& values,
                    const std::map<std::string, std::string>& inherited,
                    const std::filesystem::path& output_folder);

}  // namespace harness::engine
