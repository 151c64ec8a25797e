#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text.h"
#include "harness/store/queries.h"
#include "harness/store/records.h"

// The memory of the program: finished runs in one SQLite database, append-only. Knows no parser, no
// renderer and no clock.
//
// A Store belongs to one thread. A process that holds one must not open the database file by other
// means: closing any descriptor of it gives up SQLite's locks (POSIX record locks).
//
// Errors, the same for all functions: environment when the database is locked by another writer
// for longer than the busy timeout, the disk is full, the file is damaged or access is denied.

namespace harness::store {

struct StoreOptions {
  std::chrono::milliseconds busy_timeout{5000};  ///< wait for another writer
};

class Store {
 public:
  /// The database at `database`, made (file 0660, folder 2770) when missing and brought to the
  /// newest schema of `sql_folder` (files 0001_name.sql, 0002_name.sql …, each in one transaction).
  /// Errors: usage when its schema is newer than the newest file, or it is another program's
  /// database; environment when it lies on a network file system.
  static Store open(const std::filesystem::path& database, const std::filesystem::path& sql_folder,
                    StoreOptions options = {});
  /// As open, but creates and changes nothing; nothing when no run was ever stored there (no file,
  /// or an empty one). Errors: also usage when the schema is older and must be migrated first.
  static std::optional<Store> open_read_only(const std::filesystem::path& database,
                                             const std::filesystem::path& sql_folder,
                                             StoreOptions options = {});
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  int schema_version() const;

  // Writing. Each function is one transaction, on disk when it returns.

  /// Keeps the intent to start `run`, which is open. Call it before anything is launched.
  /// Errors: usage when its id is taken.
  void begin_run(const RunRecord& run);
  /// Ends an open run: its outcome and contents, all or nothing. What begin_run fixed (id, suite,
  /// digest, cluster, trigger, start, opener, is_replay) must be as it was.
  /// Errors: usage when no run of that id is open; bug when a figure is not finite.
  void finish_run(const RunRecord& run, const RunContents& contents);
  /// begin_run and finish_run in one, for runs that ended elsewhere. Errors: as both.
  void add_run(const RunRecord& run, const RunContents& contents);
  /// Ends an open run whose opener is gone and whose outcome nobody knows. It gets no verdict.
  /// Errors: usage when no run of that id is open.
  void mark_lost(std::string_view run_id, std::string_view ended_utc, const base::Text& why);

  // Reading.

  std::vector<RunRecord> open_runs() const;  ///< oldest first
  /// The run of this id, or the only one whose id begins so. Errors: usage when there are several.
  std::optional<RunRecord> find_run(std::string_view id_or_prefix) const;
  /// Newest first; without verdict_json.
  std::vector<RunRecord> list_runs(const RunFilter& filter) const;
  /// Oldest first. Only done, valid runs with a verdict other than error, and only one class of
  /// run.
  std::vector<SeriesPoint> series(const SeriesQuery& query) const;

  // What hangs on one run, in the order in which it was stored; empty for an unknown id.
  std::vector<AttemptRecord> attempts_of(std::string_view run_id) const;
  std::vector<MeasurementRecord> measurements_of(std::string_view run_id) const;
  std::vector<EvaluationRecord> evaluations_of(std::string_view run_id) const;
  std::vector<FindingRecord> findings_of(std::string_view run_id) const;
  std::vector<ArtifactRecord> artifacts_of(std::string_view run_id) const;
  std::vector<EnvironmentEntry> environment_of(std::string_view run_id) const;
  /// When the detail of that run was pruned; nothing when it is all there.
  std::optional<std::string> pruned_utc(std::string_view run_id) const;

  // Care.

  /// Everything that is wrong: structure, foreign keys, schema, and each ended run against its
  /// record hash. Empty: all is well. Damage is an answer here, never an Error.
  std::vector<Problem> check() const;
  /// Copies the database as it is now to `target`, checks the copy and renames it into place; an
  /// older backup there is replaced. Writers are not held up.
  /// Errors: usage when `target` is this database or a file that is no backup of ours.
  void backup_to(const std::filesystem::path& target) const;
  /// Drops detail by `rule`, some runs per transaction; a dry run only counts.
  PruneCounts prune(const PruneRule& rule, PruneMode mode, std::string_view now_utc);

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  template <typename Record>
  std::vector<Record> children_of(std::string_view run_id, const base::Text& tried) const;

  std::unique_ptr<State> state_;
};

}  // namespace harness::store
