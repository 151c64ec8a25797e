#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/verdict.h"
#include "harness/store/process_identity.h"

// What the store keeps of a run: plain structs, one per row. Times are UTC in RFC 3339 with whole
// seconds ("2026-11-30T01:30:00Z"). Nothing (std::nullopt) means: not known or does not apply.

namespace harness::store {

/// What started a run. Stored by name.
enum class RunTrigger { run, nightly, gate, imported, replay };
std::string_view trigger_name(
    RunTrigger trigger);  ///< "run", "nightly", "gate", "import", "replay"

/// Stored by name. Only an open run can still change.
enum class RunState { open, done, aborted, lost };
std::string_view state_name(RunState state);  ///< "OPEN", "DONE", "ABORTED", "LOST"

struct RunRecord {
  std::string run_id;  ///< unique, never empty
  std::string suite;
  std::string suite_digest;  ///< SHA-256 of the suite file
  std::string system;        ///< machine profile; may be empty
  std::string cluster;       ///< may be empty
  RunTrigger trigger = RunTrigger::run;
  RunState state = RunState::open;
  std::optional<model::VerdictWord> verdict;  ///< of each done run; never of an open one
  std::optional<int> exit_code;
  std::string started_utc;
  std::optional<std::string> ended_utc;  ///< of each run that is not open
  std::string configuration;             ///< equal keys: comparable runs; may be empty
  std::optional<int> node_count;
  std::optional<int> gpu_count;
  std::string image_digest;  ///< may be empty
  bool is_replay = false;
  bool is_miniature = false;
  bool is_mlperf = false;
  bool is_valid = true;  ///< false: a finding's reason is invalid_run; the store sets it itself
  std::string evidence_folder;
  base::Text headline;
  ProcessIdentity opener;     ///< the process that began the run
  std::string record_sha256;  ///< set by the store when the run ends; empty while it is open
  std::string verdict_json;   ///< the exact bytes of verdict.json; list_runs leaves it empty
};

struct AttemptRecord {
  std::string launcher;
  std::string state;  ///< model::attempt_state_name
  std::optional<int> exit_code;
  std::optional<int> signal_number;
  std::string started_utc;
  std::string ended_utc;
  double duration_s = 0;
  std::int64_t dropped_log_bytes = 0;
  base::Text problem;
  std::string last_error_lines;
};

/// One figure. With a node, GPU or rank it belongs to a part of the run, else to the whole run.
struct MeasurementRecord {
  std::string metric;  ///< of the metric table
  double value = 0;    ///< finite, in `unit`
  std::string unit;
  std::string evidence;  ///< model::Evidence::to_string
  std::optional<std::string> artifact;
  std::optional<std::int64_t> line;  ///< from 1
  std::optional<std::string> node;
  std::optional<int> gpu_index;  ///< from 0
  std::optional<int> rank;       ///< from 0
  std::optional<std::int64_t> message_size_bytes;
  base::Text method;  ///< may be empty

  bool is_of_whole_run() const { return !node && !gpu_index && !rank; }
};

struct EvaluationRecord {
  std::string artifact;
  std::int64_t line = 0;
  std::optional<std::int64_t> time_ms;  ///< since 1970
  std::optional<double> value;
  std::optional<double> epoch_num;
};

/// A finding for queries; with all its sources it stands in verdict_json.
struct FindingRecord {
  std::string stage;  ///< model::stage_name
  std::string check;
  std::string subject;
  model::VerdictWord verdict = model::VerdictWord::pass;
  bool is_warning = false;
  std::string reason;  ///< model::reason_name
  std::optional<double> measured;
  std::optional<double> limit;
  std::optional<std::string> comparison;  ///< model::comparison_token
  std::string unit;
  std::optional<std::string> evidence;
  base::Text text;
  std::string limit_source;
  std::optional<std::string> artifact;  ///< of its first source
  std::optional<std::int64_t> line;
};

struct ArtifactRecord {
  std::string path;  ///< relative to the evidence folder
  std::string sha256;
  std::int64_t bytes = 0;
};

struct EnvironmentEntry {
  std::string key;
  std::string value;
  std::optional<std::string> node;  ///< nothing: the same on all nodes
};

/// Everything that hangs on one run, each list in the order in which it was found.
struct RunContents {
  std::vector<AttemptRecord> attempts;
  std::vector<MeasurementRecord> measurements;
  std::vector<EvaluationRecord> evaluations;
  std::vector<FindingRecord> findings;
  std::vector<ArtifactRecord> artifacts;
  std::vector<EnvironmentEntry> environment;
};

}  // namespace harness::store
