// libFuzzer target: a training log of any bytes. Besides memory safety it checks what a reader of
// any log must keep: how the bytes are cut plays no part, counters and lists agree, and everything
// shown to people is valid UTF-8.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/model/suite.h"
#include "harness/model/training_run.h"
#include "harness/parse/recognize.h"
#include "harness/parse/training_log.h"
#include "harness/parse/training_metrics.h"

namespace {

using harness::model::TrainingRun;

void require(bool holds, const char* rule) {
  if (!holds) {
    fmt::print(stderr, "broken rule: {}\n", rule);
    std::abort();
  }
}

TrainingRun read(std::string_view log, std::size_t cut) {
  harness::parse::TrainingLogReader reader("log");
  reader.feed(log.substr(0, cut));
  reader.feed(log.substr(cut));
  return reader.finish();
}

/// What two readings must have in common.
std::string summary(const TrainingRun& run) {
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {} {}\n", run.line_count,
                                 run.record_count, run.malformed_count, run.old_format_count,
                                 run.oversize_count, run.clock_step_count, run.run_start_count,
                                 run.run_stop_count, run.evaluation_count, run.evaluation_time_ms);
  for (const auto& point : run.evaluations) {
    text += fmt::format("{} {}\n", point.line, point.value.value_or(-1));
  }
  for (const auto& issue : run.issues) {
    text += fmt::format("{} {} {} {}\n", static_cast<int>(issue.kind), issue.source.line,
                        issue.reason.en, issue.text);
  }
  return text;
}

void check_counts(const TrainingRun& run) {
  require(run.run_starts.size() <= run.run_start_count, "run_starts are counted");
  require(run.run_stops.size() <= run.run_stop_count, "run_stops are counted");
  require(run.evaluations.size() <= run.evaluation_count, "evaluations are counted");
  require(run.run_start_count + run.run_stop_count + run.evaluation_count <= run.record_count,
          "marks are records");
  require(run.issues.size() <= 200, "issues are bounded");
  require(run.record_count == 0 || run.line_count > 0, "records stand on lines");
  require(run.malformed_count == 0 || !run.issues.empty(), "what is malformed is shown");
  require(run.timed_start.has_value() == (run.run_start_count > 0),
          "the timed start is one of them");
}

void check_texts(const TrainingRun& run) {
  for (const auto& issue : run.issues) {
    require(harness::base::is_valid_utf8(issue.reason.en), "reason is UTF-8");
    require(harness::base::is_valid_utf8(issue.reason.zh), "reason is UTF-8 in Chinese");
    require(harness::base::is_valid_utf8(issue.text), "quoted text is UTF-8");
    require(issue.text.size() <= 160, "quoted text is short");
    require(!issue.reason.en.empty() && !issue.reason.zh.empty(), "both languages are there");
    require(issue.source.line <= run.line_count || run.line_count == 0, "the line exists");
  }
  for (const auto* text :
       {&run.benchmark, &run.division, &run.organization, &run.platform, &run.miniature}) {
    require(!*text || harness::base::is_valid_utf8((*text)->value), "logged text is UTF-8");
  }
}

void check_figures(const TrainingRun& run) {
  const auto figures = harness::parse::measure_training(run, {"bert", "mlm_accuracy", 1, 10});
  for (const auto& figure : figures) {
    require(figure.value - figure.value == 0, "figures are finite");
    require(figure.source.line <= run.line_count, "the figure's line exists");
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // NOLINTNEXTLINE(*-reinterpret-cast): libFuzzer's byte type
  const std::string_view log(reinterpret_cast<const char*>(bytes), size);
  const std::size_t cut = size == 0 ? 0 : ((std::size_t{bytes[0]} * 257) + (size / 2)) % (size + 1);
  const TrainingRun whole = read(log, size);
  require(summary(read(log, cut)) == summary(whole), "a cut changes nothing");
  check_counts(whole);
  check_texts(whole);
  check_figures(whole);
  static_cast<void>(harness::parse::recognize(log));
  return 0;
}
