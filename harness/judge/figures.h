#pragma once

#include <vector>

#include "harness/judge/judge.h"
#include "harness/judge/score.h"
#include "harness/model/verdict.h"

// Figures of an answer, under fixed names with units; what is not known stands there as unknown,
// never as 0.

namespace harness::judge {

/// Figures of one run, or of several with their score. Names, in this order, where they apply:
/// benchmark, time_to_train_s, final_eval_value, quality_target, run_stop_status, evaluation_count,
/// record_count, malformed_lines, old_format_lines, samples_to_converge, time_per_sample_s,
/// samples_per_s, startup_time_s, evaluation_time_s, evaluation_values, final_loss,
/// scaling_efficiency, gpu_count; for several runs: runs, valid_runs, olympic_mean_s,
/// time_to_train_s_per_run.
std::vector<model::Figure> collect_figures(const JudgeInput& input, const OlympicScore* score);

}  // namespace harness::judge
