#pragma once

#include <vector>

#include "harness/judge/evidence.h"
#include "harness/model/suite.h"
#include "harness/model/verdict.h"

// Criteria → findings. A figure that is missing where its evidence was given is inconclusive, never
// a pass.

namespace harness::judge {

/// Distance of `measured` from `limit`. The ratio is taken of |limit|.
model::Margin margin_of(double measured, model::Comparison comparison, double limit);

struct CriteriaResult {
  std::vector<model::Finding>
      findings;  ///< in the order of the suite, then of the criterion's evidence list
  std::vector<model::NotJudged> not_judged;  ///< criteria none of whose evidence was given
};

/// Judges every criterion of `suite` on each of its kinds of evidence that `run` has.
/// time_to_train_s of a log is left out when `time_is_scored`: the score over several runs takes
/// its place.
CriteriaResult judge_criteria(const model::Suite& suite, const RunEvidence& run,
                              bool time_is_scored);

/// One criterion on one figure. `subject_text` says whose figure it is, for example "olympic mean
/// of 8 of 10 runs".
model::Finding judge_figure(const model::Criterion& criterion,
                            const model::Measurement& measurement);

}  // namespace harness::judge
