#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/model/measurement.h"

// The site's results.json: {"performance": {…}}. Source: requirements, "results.json, the
// contract".

namespace harness::model {

struct ResultsJson {
  std::string artifact;
  std::optional<std::string> benchmark;  ///< an addition of ours; the site's own files have none
  std::optional<std::string> convergence_metric;  ///< "loss"
  bool is_miniature = false;                      ///< the file says "miniature, not MLPerf"
  std::vector<Measurement> measurements;  ///< time_to_train_s, target_time_to_train_s, final_loss,
                                          ///< scaling_efficiency, gpu_count
  std::vector<Issue> issues;  ///< of kind noticed: keys that are missing or null; value_unusable:
                              ///< of another type, out of range, misspelt
};

}  // namespace harness::model
