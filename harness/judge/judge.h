#pragma once

#include <optional>
#include <vector>

#include "harness/judge/evidence.h"
#include "harness/model/attempt.h"
#include "harness/model/suite.h"
#include "harness/model/verdict.h"

// The judgement: evidence + suite → verdict with findings, diagnosis and figures. Pure: the same
// input gives the same verdict, byte for byte.

namespace harness::judge {

/// Which evidence must be there.
enum class Requirement {
  given,     ///< check, diagnose: what was handed in, at least one kind
  declared,  ///< run: every kind that the suite's outputs name
};

/// What the operator knows beside the files.
struct OperatorKnowledge {
  std::optional<int> exit_code;  ///< of the program that wrote the log
  std::optional<std::size_t>
      required_runs;  ///< result files a score needs; overrides the suite's own number
};

struct JudgeInput {
  const model::Suite* suite = nullptr;  ///< nullptr: no suite fits, only validity is judged
  std::vector<RunEvidence> runs;        ///< one entry per run; several make a score
  Requirement requirement = Requirement::given;
  std::optional<model::Attempt> attempt;  ///< of `accept run`
  OperatorKnowledge known;
};

model::Verdict judge(const JudgeInput& input);

}  // namespace harness::judge
