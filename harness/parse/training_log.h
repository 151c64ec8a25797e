#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/model/mllog_record.h"
#include "harness/model/training_run.h"
#include "harness/parse/mllog_reader.h"

// Folds the records of one training log into a TrainingRun, in bounded memory, while the log grows
// or afterwards. Knows the meaning of keys, not the rules a run is judged by.

namespace harness::parse {

class TrainingLogReader {
 public:
  /// `artifact` names the log in issues and sources.
  explicit TrainingLogReader(std::string artifact);
  TrainingLogReader(const TrainingLogReader&) =
      delete;  // the reader inside calls back into this object
  TrainingLogReader& operator=(const TrainingLogReader&) = delete;

  /// The next bytes of the log, cut anywhere.
  void feed(std::string_view bytes);

  /// What the lines that ended so far say.
  const model::TrainingRun& so_far() const { return run_; }

  /// The whole log. Call once; the reader is of no use afterwards.
  model::TrainingRun finish();

 private:
  void take(const model::MllogRecord& record);
  void take_time(const model::MllogRecord& record);
  void take_run_start(const model::MllogRecord& record);
  void take_run_stop(const model::MllogRecord& record);
  void take_evaluation(const model::MllogRecord& record);
  void take_eval_start(const model::MllogRecord& record);
  void take_eval_stop(const model::MllogRecord& record);
  void take_init_start(const model::MllogRecord& record);
  void take_init_stop(const model::MllogRecord& record);
  void take_batch_size(const model::MllogRecord& record);
  void take_throughput(const model::MllogRecord& record);
  void take_seed(const model::MllogRecord& record);
  void take_miniature(const model::MllogRecord& record);
  void take_text(std::optional<model::LoggedText>& field, const model::MllogRecord& record);
  void unusable(const model::MllogRecord& record, std::string_view expected_en,
                std::string_view expected_zh);
  void keep(model::Issue issue);
  void copy_counts();

  model::TrainingRun run_;
  MllogReader reader_;
  std::optional<std::int64_t> previous_time_ms_;
  std::optional<std::int64_t> evaluation_began_ms_;
  std::array<std::size_t, 9> issues_of_kind_{};  ///< kept ones, by IssueKind
};

}  // namespace harness::parse
