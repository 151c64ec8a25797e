#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

// One `:::MLLOG` record. Source: mlcommons/logging, mllog.py; MLPerf Training v3.0 logs.

namespace harness::model {

enum class MllogValueKind { missing, null, boolean, number, not_finite, string, other };

struct MllogValue {
  MllogValueKind kind = MllogValueKind::missing;
  double number = 0;  ///< of number (finite) and boolean (0 or 1)
  std::string
      text;  ///< of string: the string; of not_finite and other: the raw JSON, at most 200 bytes

  bool is_number() const { return kind == MllogValueKind::number; }
};

enum class MllogEventType { interval_start, interval_end, point_in_time, unknown };

struct MllogRecord {
  std::size_t line = 0;                 ///< of the unpacked file, from 1
  std::optional<std::int64_t> time_ms;  ///< since 1970; a numeric string is read as its number
  MllogEventType event_type = MllogEventType::unknown;
  std::string key;
  MllogValue value;
  // From `metadata`, where it has them:
  bool has_metadata = false;
  std::optional<double> epoch_num;
  std::optional<double> first_epoch_num;
  std::optional<double> epoch_count;
  std::optional<std::string> status;
  std::optional<double>
      throughput;  ///< of value {"throughput": x}, as tracked_stats logs it; samples/s
};

}  // namespace harness::model
