#include "harness/parse/training_log.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/parse/quote.h"

namespace harness::parse {
namespace {

using model::IssueKind;
using model::LoggedText;
using model::MllogRecord;
using model::MllogValue;
using model::MllogValueKind;
using model::RunMark;
using model::TrainingRun;

constexpr std::size_t kMarkLimit = 16;
constexpr std::size_t kEvaluationLimit = 100000;
constexpr std::size_t kSeedLimit = 64;
constexpr std::size_t kTextLimitBytes = 200;
constexpr std::size_t kIssuesOfOneKindLimit =
    22;  // of 9 kinds: below 200, and no kind crowds out another

struct TextField {
  std::string_view key;
  std::optional<LoggedText> TrainingRun::* field;
};
constexpr std::array kTextFields{
    TextField{"submission_benchmark", &TrainingRun::benchmark},
    TextField{"submission_division", &TrainingRun::division},
    TextField{"submission_org", &TrainingRun::organization},
    TextField{"submission_platform", &TrainingRun::platform},
};

RunMark mark_of(const MllogRecord& record) {
  RunMark mark{record.line, record.time_ms, std::nullopt};
  if (record.status) {
    mark.status = base::printable(*record.status, kTextLimitBytes);
  }
  return mark;
}

/// Time to train is taken between two marks. The reference reads records in the order of the file
/// and overwrites each mark until it has both: the last run_start before the first run_stop, or the
/// other way round. Source: mlcommons/logging, result_summarizer.
void take_timed(TrainingRun& run, std::optional<RunMark> TrainingRun::* side, const RunMark& mark) {
  if (!run.timed_start || !run.timed_stop) {
    run.*side = mark;
  }
}

void keep_first(std::vector<RunMark>& marks, RunMark mark) {
  if (marks.size() < kMarkLimit) {
    marks.push_back(std::move(mark));
  }
}

std::string describe(const MllogValue& value) {
  switch (value.kind) {
    case MllogValueKind::missing:
      return "(missing)";
    case MllogValueKind::null:
      return "null";
    case MllogValueKind::boolean:
      return value.number > 0 ? "true" : "false";
    case MllogValueKind::number:
      return fmt::format("{}", value.number);
    case MllogValueKind::string:
      return '"' + quote(value.text) + '"';
    case MllogValueKind::not_finite:
    case MllogValueKind::other:
      return quote(value.text);
  }
  return "?";
}

}  // namespace

TrainingLogReader::TrainingLogReader(std::string artifact)
    : reader_(artifact, {[this](const MllogRecord& record) { take(record); },
                         [this](model::Issue issue) { keep(std::move(issue)); }}) {
  run_.artifact = std::move(artifact);
}

void TrainingLogReader::feed(std::string_view bytes) {
  reader_.feed(bytes);
  copy_counts();
}

model::TrainingRun TrainingLogReader::finish() {
  reader_.finish();
  copy_counts();
  return std::move(run_);
}

void TrainingLogReader::copy_counts() {
  const MllogCounts& counts = reader_.counts();
  run_.line_count = counts.line_count;
  run_.record_count = counts.record_count;
  run_.malformed_count = counts.malformed_count;
  run_.old_format_count = counts.old_format_count;
  run_.oversize_count = counts.oversize_count;
}

void TrainingLogReader::take(const MllogRecord& record) {
  struct Entry {
    std::string_view key;
    void (TrainingLogReader::*take)(const MllogRecord&);
  };
  static constexpr std::array kEntries{
      Entry{"init_start", &TrainingLogReader::take_init_start},
      Entry{"eval_accuracy", &TrainingLogReader::take_evaluation},
      Entry{"tracked_stats", &TrainingLogReader::take_throughput},
      Entry{"eval_start", &TrainingLogReader::take_eval_start},
      Entry{"eval_stop", &TrainingLogReader::take_eval_stop},
      Entry{"run_start", &TrainingLogReader::take_run_start},
      Entry{"run_stop", &TrainingLogReader::take_run_stop},
      Entry{"init_stop", &TrainingLogReader::take_init_stop},
      Entry{"global_batch_size", &TrainingLogReader::take_batch_size},
      Entry{"seed", &TrainingLogReader::take_seed},
      Entry{"miniature", &TrainingLogReader::take_miniature},
  };
  take_time(record);
  if (const auto* const entry = std::ranges::find(kEntries, record.key, &Entry::key);
      entry != kEntries.end()) {
    (this->*entry->take)(record);
  } else if (const auto* const text = std::ranges::find(kTextFields, record.key, &TextField::key);
             text != kTextFields.end()) {
    take_text(run_.*text->field, record);
  }
}

void TrainingLogReader::take_time(const MllogRecord& record) {
  if (!record.time_ms) {
    return;
  }
  if (previous_time_ms_ && *record.time_ms < *previous_time_ms_) {
    ++run_.clock_step_count;
    if (run_.clock_step_count == 1) {
      const std::int64_t step_ms = *previous_time_ms_ - *record.time_ms;
      keep({IssueKind::clock_step,
            {run_.artifact, record.line},
            {fmt::format(
                 "time stamps step back by {} ms here, as where lines of several ranks are merged",
                 step_ms),
             fmt::format("时间戳在此处倒退 {} 毫秒，多个进程的日志合并时常见", step_ms)},
            {}});
    }
  }
  previous_time_ms_ = record.time_ms;
}

void TrainingLogReader::take_run_start(const MllogRecord& record) {
  ++run_.run_start_count;
  RunMark mark = mark_of(record);
  take_timed(run_, &TrainingRun::timed_start, mark);
  keep_first(run_.run_starts, std::move(mark));
}

void TrainingLogReader::take_run_stop(const MllogRecord& record) {
  ++run_.run_stop_count;
  RunMark mark = mark_of(record);
  take_timed(run_, &TrainingRun::timed_stop, mark);
  keep_first(run_.run_stops, std::move(mark));
}

void TrainingLogReader::take_evaluation(const MllogRecord& record) {
  ++run_.evaluation_count;
  model::EvaluationPoint point{record.line, record.time_ms, std::nullopt, record.epoch_num};
  if (record.value.is_number()) {
    point.value = record.value.number;
  } else {
    unusable(record, "a finite number", "有限数值");
  }
  if (run_.evaluations.size() < kEvaluationLimit) {
    run_.evaluations.push_back(point);
  } else {
    run_.evaluations.back() = point;
  }
}

void TrainingLogReader::take_eval_start(const MllogRecord& record) {
  const bool is_inside_run = run_.run_start_count > 0 && run_.run_stop_count == 0;
  evaluation_began_ms_ = is_inside_run ? record.time_ms : std::nullopt;
}

void TrainingLogReader::take_eval_stop(const MllogRecord& record) {
  const bool is_pair =
      evaluation_began_ms_ && record.time_ms && *record.time_ms >= *evaluation_began_ms_;
  if (is_pair && run_.run_stop_count == 0) {
    run_.evaluation_time_ms += static_cast<double>(*record.time_ms - *evaluation_began_ms_);
    ++run_.evaluation_intervals;
  }
  evaluation_began_ms_.reset();
}

void TrainingLogReader::take_init_start(const MllogRecord& record) {
  if (record.time_ms) {
    run_.init_start_ms = std::min(run_.init_start_ms.value_or(*record.time_ms), *record.time_ms);
  }
}

void TrainingLogReader::take_init_stop(const MllogRecord& record) {
  if (record.time_ms) {
    run_.init_stop_ms = record.time_ms;
  }
}

void TrainingLogReader::take_batch_size(const MllogRecord& record) {
  if (record.value.is_number() && record.value.number > 0) {
    run_.global_batch_size = model::LoggedNumber{record.line, record.value.number};
  } else {
    unusable(record, "a number above 0", "大于 0 的数值");
  }
}

void TrainingLogReader::take_throughput(const MllogRecord& record) {
  if (record.throughput) {
    run_.throughput_samples_per_s = model::LoggedNumber{record.line, *record.throughput};
  }
}

void TrainingLogReader::take_seed(const MllogRecord& record) {
  if (record.value.is_number() && run_.seeds.size() < kSeedLimit) {
    run_.seeds.push_back(record.value.number);
  }
}

void TrainingLogReader::take_miniature(const MllogRecord& record) {
  const bool is_denied = record.value.kind == MllogValueKind::boolean && record.value.number < 1;
  if (!run_.miniature && !is_denied) {
    const bool is_text = record.value.kind == MllogValueKind::string;
    run_.miniature =
        LoggedText{record.line, is_text ? base::printable(record.value.text, kTextLimitBytes)
                                        : describe(record.value)};
  }
}

/// The first one counts, as in the reference.
void TrainingLogReader::take_text(std::optional<LoggedText>& field, const MllogRecord& record) {
  if (field) {
    return;
  }
  if (record.value.kind == MllogValueKind::string) {
    field = LoggedText{record.line, base::printable(record.value.text, kTextLimitBytes)};
  } else {
    unusable(record, "a string", "字符串");
  }
}

void TrainingLogReader::unusable(const MllogRecord& record, std::string_view expected_en,
                                 std::string_view expected_zh) {
  const std::string found = describe(record.value);
  keep({IssueKind::value_unusable,
        {run_.artifact, record.line},
        {fmt::format("{} is {}, not {}", record.key, found, expected_en),
         fmt::format("{} 的值是 {}，不是{}", record.key, found, expected_zh)},
        quote(record.value.text)});
}

void TrainingLogReader::keep(model::Issue issue) {
  std::size_t& kept = issues_of_kind_.at(static_cast<std::size_t>(issue.kind));
  if (kept < kIssuesOfOneKindLimit) {
    ++kept;
    run_.issues.push_back(std::move(issue));
  }
}

}  // namespace harness::parse
