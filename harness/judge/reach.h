#pragma once

#include <vector>

#include "harness/base/text.h"
#include "harness/model/suite.h"
#include "harness/model/system.h"

// Sees a time limit that no hardware can meet before anybody waits for it.

namespace harness::judge {

/// One warning for each upper limit on time_to_train_s that lies beyond the reach of `system`, or
/// needs a larger share of its peak than published runs show; in the order of the criteria. Empty
/// when all are within reach, and when the suite names no work or GPU count or the peak is not
/// known. Least time = parameters x tokens x FLOP per parameter and token / (GPUs x peak), in
/// seconds; it leaves out evaluation, communication and attention, so the truth is worse. Source:
/// Kaplan et al. 2020, section 2.1; MLPerf Training v3.0 results.
std::vector<base::Text> limits_out_of_reach(const model::Suite& suite, const model::System* system);

}  // namespace harness::judge
