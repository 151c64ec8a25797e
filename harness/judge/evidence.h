#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/measurement.h"
#include "harness/model/results_json.h"
#include "harness/model/training_run.h"

// What a judgement is made from. Filled by engine/ from parsers; nothing here reads a file.

namespace harness::judge {

/// All that is known about one run: its log, its results.json, or both.
struct RunEvidence {
  std::string name;  ///< of the run in findings, for example "result_0.txt"
  std::optional<model::TrainingRun> training;    ///< evidence kind mllog
  std::optional<model::ResultsJson> results;     ///< evidence kind results_json
  std::vector<model::Measurement> measurements;  ///< of both; one per metric and evidence kind
  std::vector<model::Issue> unreadable;  ///< artifacts of this run that could not be read at all

  bool has(model::EvidenceKind kind) const {
    return (kind == model::EvidenceKind::mllog && training.has_value()) ||
           (kind == model::EvidenceKind::results_json && results.has_value());
  }
  const model::Measurement* find(std::string_view metric, const model::Evidence& evidence) const;
};

}  // namespace harness::judge
