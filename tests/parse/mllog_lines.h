#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

// Log lines for the tests of this folder, written the way the reference logger writes them.

namespace harness::parse::test {

/// One record without line end. `value` is raw JSON; `more` are further members of metadata, each
/// with its comma.
inline std::string record(std::int64_t time_ms, std::string_view key,
                          std::string_view value = "null", std::string_view more = "") {
  return fmt::format(
      ":::MLLOG {{\"namespace\": \"\", \"time_ms\": {}, \"event_type\": \"POINT_IN_TIME\", "
      "\"key\": \"{}\", \"value\": {}, \"metadata\": {{\"file\": \"train.py\", \"lineno\": 7{}}}}}",
      time_ms, key, value, more);
}

inline std::string evaluation(std::int64_t time_ms, std::string_view value,
                              std::string_view epoch_num) {
  return record(time_ms, "eval_accuracy", value, fmt::format(R"(, "epoch_num": {})", epoch_num));
}

/// A small whole training: 10 s of start-up, 100 s of training with two evaluations of 2 s each.
inline std::string small_training() {
  std::string log = "starting on host a\n";
  for (const std::string& line :
       {record(1000, "submission_benchmark", "\"bert\""),
        record(1001, "submission_division", "\"closed\""),
        record(1002, "submission_org", "\"Example\""),
        record(1003, "submission_platform", "\"2 nodes\""), record(1500, "init_start"),
        record(1500, "init_start"), record(2000, "global_batch_size", "768"),
        record(2000, "seed", "25405"), record(11000, "init_stop"), record(11500, "run_start"),
        record(50000, "eval_start"), evaluation(51900, "0.55", "150000"),
        record(52000, "eval_stop"), record(109000, "eval_start"),
        evaluation(110900, "0.7213", "2000000"), record(111000, "eval_stop"),
        record(111500, "tracked_stats", R"({"throughput": 20000.5, "epoch_num": 2000000})"),
        record(111500, "run_stop", "null", R"(, "status": "success")")}) {
    log += line + "\n";
  }
  return log;
}

}  // namespace harness::parse::test
