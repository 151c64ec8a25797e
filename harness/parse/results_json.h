#pragma once

#include <string>
#include <string_view>

#include "harness/model/results_json.h"

// The site's results.json as figures, each in its metric's unit, and the reasons where there is
// none.

namespace harness::parse {

/// Reads {"performance": {…}}. Keys there, in any order, others are passed over:
/// number_of_gpus (whole, ≥ 1; 0 in a miniature run), time_to_train and target_time_to_train
/// (seconds, > 0, at most 90 days), convergence_metric (a string), final_loss (> 0),
/// scaling_efficiency (0 … 1.2, exclusive of 0). A key that is missing, null, of another type or
/// out of range gives no figure and one Issue value_unusable with its line and what to write
/// instead; a unit is never guessed and a misspelt key is named, never used. Comments are
/// tolerated. Errors: usage, when `text` is not JSON, repeats a key or holds NaN or Infinity.
/// Source: requirements, "results.json, the contract".
model::ResultsJson parse_results_json(std::string_view text, const std::string& artifact);

}  // namespace harness::parse
