#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/verdict.h"

// What can be asked of the store, and the answers that are no records.

namespace harness::store {

/// An empty text or nothing: any.
struct RunFilter {
  std::string suite;
  std::string system;
  std::string cluster;
  std::optional<model::VerdictWord> verdict;
  std::string since_utc;  ///< started then or later; a date alone ("2026-11-30") does as well
  bool includes_replays = true;
  bool includes_miniatures = true;
  std::size_t limit = 50;
};

/// The kinds of run that must never share a trend.
enum class RunClass { real, miniature, replay };

/// Figures of the whole run, or those of each node, GPU or rank.
enum class SeriesScope { whole_run, each_part };

struct SeriesQuery {
  std::string metric;
  std::string suite;
  std::string system;  ///< empty: any, as for the four below
  std::string cluster;
  std::string configuration;
  std::string image_digest;
  std::string evidence;  ///< "mllog", "tool:nccl-tests", …
  std::optional<int> node_count;
  std::optional<std::int64_t> message_size_bytes;  ///< nothing: only figures without one
  std::string since_utc;
  RunClass run_class = RunClass::real;
  SeriesScope scope = SeriesScope::whole_run;
};

struct SeriesPoint {
  std::string run_id;
  std::string started_utc;
  double value = 0;
  std::string unit;
  std::string evidence;
  std::optional<std::string> node;
  std::optional<int> gpu_index;
  std::optional<int> rank;
  std::optional<model::VerdictWord> verdict;
  std::string configuration;
  std::optional<int> node_count;
  std::string image_digest;

  bool operator==(const SeriesPoint&) const = default;
};

/// Which detail goes: the figures of single nodes, GPUs and ranks and the evaluation points of runs
/// that ended before `older_than_utc`. Run, verdict, findings, figures of the whole run, artifacts
/// and environment stay for good, so that lists and trends stay whole.
struct PruneRule {
  std::string older_than_utc;
  std::size_t keep_newest = 0;  ///< runs of each suite, system and cluster that keep their detail
};

enum class PruneMode { dry_run, apply };

struct PruneCounts {
  std::int64_t runs = 0;
  std::int64_t measurements = 0;
  std::int64_t evaluations = 0;

  bool operator==(const PruneCounts&) const = default;
};

struct Problem {
  std::string run_id;  ///< empty: of the database as a whole
  base::Text text;
};

}  // namespace harness::store
