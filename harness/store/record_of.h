#pragma once

#include "harness/model/attempt.h"
#include "harness/model/measurement.h"
#include "harness/model/training_run.h"
#include "harness/model/verdict.h"
#include "harness/store/records.h"

// What a judgement is made of, as rows for the store.

namespace harness::store {

AttemptRecord record_of(const model::Attempt& attempt, model::LauncherKind launcher);
/// A figure of the whole run; the caller adds node, GPU, rank and message size. The unit is that of
/// the metric table.
MeasurementRecord record_of(const model::Measurement& measurement);
EvaluationRecord record_of(const model::EvaluationPoint& point, const std::string& artifact);
FindingRecord record_of(const model::Finding& finding);

}  // namespace harness::store
