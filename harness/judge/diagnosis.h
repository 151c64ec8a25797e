#pragma once

#include <vector>

#include "harness/judge/judge.h"
#include "harness/model/verdict.h"

// Rules: findings + evidence → likely cause and next step. Sources: the site's reading of weak
// points (requirements, section 5) and the catalogue of field cases.

namespace harness::judge {

/// The causes that fit, most likely first; empty when no rule fits. `findings` are those of the
/// same input.
std::vector<model::Diagnosis> diagnose(const JudgeInput& input,
                                       const std::vector<model::Finding>& findings);

}  // namespace harness::judge
