#pragma once

#include <vector>

#include "harness/judge/judge.h"
#include "harness/model/verdict.h"

// One run: is it readable, real and valid, do its two accounts agree, does it meet its criteria?

namespace harness::judge {

struct RunJudgement {
  std::vector<model::Finding> findings;  ///< in judging order, without subject
  std::vector<model::NotJudged> not_judged;
};

/// Judges `run`, one of input.runs. `time_is_scored` as in judge_criteria().
RunJudgement judge_run(const JudgeInput& input, const RunEvidence& run, bool time_is_scored);

}  // namespace harness::judge
