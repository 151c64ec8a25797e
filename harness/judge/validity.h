#pragma once

#include <vector>

#include "harness/model/suite.h"
#include "harness/model/training_run.h"
#include "harness/model/verdict.h"

// Validity before speed: is this log the record of exactly one finished run of the right benchmark?
// Source: MLPerf Training v3.0 compliance rules (run_start and run_stop exactly once, status,
// forward time) and the stricter reading of harness/README.md, "Truth rules".

namespace harness::judge {

/// Findings of stage validity (or evidence, when nothing can be read), in a fixed order; those that
/// passed too. `suite` may be nullptr: then the benchmark name is not compared. A log without one
/// readable record gives a single finding of verdict error.
std::vector<model::Finding> check_validity(const model::TrainingRun& run,
                                           const model::Suite* suite);

}  // namespace harness::judge
