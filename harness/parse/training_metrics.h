#pragma once

#include <optional>
#include <vector>

#include "harness/model/measurement.h"
#include "harness/model/suite.h"
#include "harness/model/training_run.h"

// Figures of one training run. Derives; judges nothing.

namespace harness::parse {

/// Seconds from run_start to run_stop, as mlcommons/logging 4.1 takes them: of a repeated mark the
/// last one before the first of the other kind counts, and a run_stop that stands before run_start
/// is paired as well. May be negative or zero: such a run is invalid, which is for the judge to
/// say. Nothing when a mark or its time stamp is missing. Source: MLPerf Training rules, "Timing";
/// mlcommons/logging, result_summarizer.
std::optional<double> time_to_train_s(const model::TrainingRun& run);

/// What the log measures, each with its line; a figure that is not there, not finite or impossible
/// is left out:
/// - time_to_train_s (> 0)
/// - the block's quality metric: the value of the last evaluation
/// - samples_to_converge: metadata.epoch_num of the last evaluation × samples_per_epoch_num; only
/// of a run that says success
/// - time_per_sample_s: time to train without the logged evaluation time / samples to converge
/// - startup_time_s: earliest init_start to run_start
/// - evaluation_time_s: sum of eval_start … eval_stop inside the run, where these are logged
/// - samples_per_s: the last throughput of tracked_stats
/// An empty quality metric or a samples_per_epoch_num of 0 leaves out what needs it (the benchmark
/// is unknown).
std::vector<model::Measurement> measure_training(const model::TrainingRun& run,
                                                 const model::MllogBlock& block);

/// True when any evaluation lies inside the criterion's limit and its plausible bound; the status
/// of run_stop plays no part. Source: mlcommons/logging, compliance_checker, rule of eval_accuracy.
bool target_reached(const model::TrainingRun& run, const model::Criterion& criterion);

}  // namespace harness::parse
