#pragma once

#include <optional>
#include <vector>

#include "harness/model/json_reader.h"
#include "harness/model/suite.h"

// The criteria of a suite file: reads them and refuses those that could never be judged. Internal
// to suite_json.cpp.

namespace harness::model {

/// The list of criteria, at least one, in the order of the file. `mllog` says which quality metric
/// the suite's logs carry. Errors: usage; a metric or kind of evidence that is not known, evidence
/// that cannot carry the metric, a plausible bound that leaves no room, metric + comparison +
/// evidence twice.
std::vector<Criterion> read_criteria(const JsonReader& list,
                                     const std::optional<MllogBlock>& mllog);

/// True for the metrics that every log carries whatever its benchmark: times, throughput, samples.
bool is_derived_from_mllog(std::string_view metric);

/// The name of a metric of the table. Errors: usage, with "did you mean".
std::string read_metric(const JsonReader& reader);

}  // namespace harness::model
