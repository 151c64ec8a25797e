#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/text.h"

// A machine profile of suites/systems: what the hardware can reach, each figure with its source.

namespace harness::model {

enum class ExpectationKind { floor, expected, ceiling };

struct Expectation {
  std::string quantity;  ///< "allreduce_1node", "h2d", "p2p_ce", …
  ExpectationKind kind = ExpectationKind::expected;
  double value = 0;
  std::string unit;
  std::string condition;  ///< message size, node count, algorithm; may be empty
  std::string source;     ///< never empty
  std::string note;       ///< may be empty
};

struct System {
  std::string name;
  base::Text title;
  std::vector<std::string> aliases;
  int gpus_per_node = 0;
  std::string gpu_model;
  std::optional<double> peak_bf16_tflop_per_s;  ///< dense, per GPU
  std::string peak_source;
  std::vector<Expectation> expectations;
  std::string path;
};

}  // namespace harness::model
