#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/measurement.h"

// A suite: what is launched, what it must leave behind, and the criteria its figures are judged by.
// The file format is documented by schemas/suite.schema.json; suite_json.h reads it.

namespace harness::model {

enum class Comparison { at_most, at_least, less_than, greater_than, equal };

/// "<=", ">=", "<", ">", "=" as written in suites; "≤" … for people.
std::string_view comparison_token(Comparison comparison);
std::string_view comparison_sign(Comparison comparison);
bool holds(double value, Comparison comparison, double limit);

/// A value beyond `limit` cannot be real: the official target windows are open on the far side only
/// so far.
struct PlausibleBound {
  Comparison comparison = Comparison::greater_than;
  double limit = 0;
};

struct Criterion {
  std::string metric;  ///< of the metric table
  Comparison comparison = Comparison::at_most;
  double limit = 0;
  std::optional<PlausibleBound> plausible;
  std::vector<Evidence> evidence;  ///< judged on each of these that is given; at least one entry
  std::string source;              ///< where the limit comes from; never empty
  base::Text note;                 ///< may be empty
};

enum class LauncherKind { process, podman, docker, apptainer, enroot, ssh, slurm };
std::string_view launcher_name(LauncherKind kind);

struct Mount {
  std::string host_path;
  std::string container_path;
  bool read_only = true;
};

/// How the run is started. ${NAME} placeholders are filled at planning time; a missing one is an
/// error there.
struct LaunchBlock {
  LauncherKind launcher = LauncherKind::process;
  std::vector<std::string> argv;  ///< never a shell string
  std::map<std::string, std::string> environment;
  std::string image;  ///< container launchers
  std::vector<Mount> mounts;
  int nodes = 1;
  int gpus_per_node = 0;       ///< 0: none asked for
  double wall_limit_s = 0;     ///< > 0
  double silence_limit_s = 0;  ///< 0: no limit
  double termination_grace_s = 10;
};

/// What the launched program leaves in its output folder; a kind that is named here is required
/// evidence of a run.
struct Outputs {
  std::optional<std::string> mllog;  ///< file name, for example "result_0.txt"
  std::optional<std::string> results_json;
  std::vector<std::string> other;  ///< kept with the evidence, never judged
};

/// What the logs of this benchmark look like.
struct MllogBlock {
  std::string benchmark;             ///< value of submission_benchmark
  std::string quality_metric;        ///< metric that eval_accuracy carries
  double samples_per_epoch_num = 1;  ///< metadata.epoch_num times this = trained samples
  std::optional<std::size_t> official_run_count;  ///< MLPerf rules: result files a score needs
};

/// Scaling efficiency is the speed-up over this many GPUs divided by the ratio of GPU counts.
struct ScalingReference {
  int gpus = 1;
  base::Text why;
};

/// What the training costs at least; lets `suites check` see a limit that no hardware can meet.
struct ModelWork {
  double parameters = 0;
  double tokens = 0;  ///< trained until the target, as published
  double flop_per_parameter_and_token =
      6;  ///< forward and backward pass (Kaplan et al. 2020, section 2.1)
  std::string source;
};

struct Suite {
  std::string name;
  base::Text title;
  base::Text summary;                 ///< what it exposes; may be empty
  bool is_miniature = false;          ///< a training of ours, never an acceptance of the real thing
  bool is_mlperf = false;             ///< figures carry "not verified by MLCommons Association"
  std::optional<std::string> system;  ///< machine profile of suites/systems used when none is named
  std::optional<int> gpu_count;       ///< for which the limits hold
  std::optional<LaunchBlock> launch;
  Outputs outputs;
  std::optional<MllogBlock> mllog;
  std::optional<ScalingReference> reference;
  std::optional<ModelWork> work;
  std::vector<Criterion> criteria;
  std::string path;    ///< of the file it was read from
  std::string digest;  ///< SHA-256 of that file's bytes
  std::string text;    ///< those bytes
};

}  // namespace harness::model
