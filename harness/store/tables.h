#pragma once

#include <string_view>
#include <tuple>

#include "harness/store/records.h"

// The one description of each table: which field of a record is which column. Insert, select and
// record hash all follow it. Must agree with schemas/sql. Inside the room only.

namespace harness::store {

template <typename Record, typename Value>
struct Column {
  std::string_view name;
  Value Record::* member;
};

template <typename Record>
struct Table;

template <>
struct Table<RunRecord> {
  using R = RunRecord;
  static constexpr std::string_view kName = "run";
  static constexpr std::tuple kColumns{
      Column{"run_id", &R::run_id},
      Column{"suite", &R::suite},
      Column{"suite_digest", &R::suite_digest},
      Column{"system", &R::system},
      Column{"cluster", &R::cluster},
      Column{"trigger_kind", &R::trigger},
      Column{"state", &R::state},
      Column{"verdict", &R::verdict},
      Column{"exit_code", &R::exit_code},
      Column{"started_utc", &R::started_utc},
      Column{"ended_utc", &R::ended_utc},
      Column{"configuration", &R::configuration},
      Column{"node_count", &R::node_count},
      Column{"gpu_count", &R::gpu_count},
      Column{"image_digest", &R::image_digest},
      Column{"is_replay", &R::is_replay},
      Column{"is_miniature", &R::is_miniature},
      Column{"is_mlperf", &R::is_mlperf},
      Column{"is_valid", &R::is_valid},
      Column{"evidence_folder", &R::evidence_folder},
      Column{"headline", &R::headline},
      Column{"opener", &R::opener},
      Column{"record_sha256", &R::record_sha256},
  };
};

template <>
struct Table<AttemptRecord> {
  using R = AttemptRecord;
  static constexpr std::string_view kName = "attempt";
  static constexpr std::tuple kColumns{
      Column{"launcher", &R::launcher},       Column{"state", &R::state},
      Column{"exit_code", &R::exit_code},     Column{"signal_number", &R::signal_number},
      Column{"started_utc", &R::started_utc}, Column{"ended_utc", &R::ended_utc},
      Column{"duration_s", &R::duration_s},   Column{"dropped_log_bytes", &R::dropped_log_bytes},
      Column{"problem", &R::problem},         Column{"last_error_lines", &R::last_error_lines},
  };
};

template <>
struct Table<MeasurementRecord> {
  using R = MeasurementRecord;
  static constexpr std::string_view kName = "measurement";
  static constexpr std::tuple kColumns{
      Column{"metric", &R::metric},     Column{"value", &R::value},
      Column{"unit", &R::unit},         Column{"evidence", &R::evidence},
      Column{"artifact", &R::artifact}, Column{"line", &R::line},
      Column{"node", &R::node},         Column{"gpu_index", &R::gpu_index},
      Column{"rank", &R::rank},         Column{"message_size_bytes", &R::message_size_bytes},
      Column{"method", &R::method},
  };
};

template <>
struct Table<EvaluationRecord> {
  using R = EvaluationRecord;
  static constexpr std::string_view kName = "evaluation";
  static constexpr std::tuple kColumns{
      Column{"artifact", &R::artifact},   Column{"line", &R::line},
      Column{"time_ms", &R::time_ms},     Column{"value", &R::value},
      Column{"epoch_num", &R::epoch_num},
  };
};

template <>
struct Table<FindingRecord> {
  using R = FindingRecord;
  static constexpr std::string_view kName = "finding";
  static constexpr std::tuple kColumns{
      Column{"stage", &R::stage},
      Column{"check_name", &R::check},
      Column{"subject", &R::subject},
      Column{"verdict", &R::verdict},
      Column{"is_warning", &R::is_warning},
      Column{"reason", &R::reason},
      Column{"measured", &R::measured},
      Column{"limit_value", &R::limit},
      Column{"comparison", &R::comparison},
      Column{"unit", &R::unit},
      Column{"evidence", &R::evidence},
      Column{"text", &R::text},
      Column{"limit_source", &R::limit_source},
      Column{"artifact", &R::artifact},
      Column{"line", &R::line},
  };
};

template <>
struct Table<ArtifactRecord> {
  using R = ArtifactRecord;
  static constexpr std::string_view kName = "artifact";
  static constexpr std::tuple kColumns{Column{"path", &R::path}, Column{"sha256", &R::sha256},
                                       Column{"bytes", &R::bytes}};
};

template <>
struct Table<EnvironmentEntry> {
  using R = EnvironmentEntry;
  static constexpr std::string_view kName = "environment";
  static constexpr std::tuple kColumns{Column{"key", &R::key}, Column{"value", &R::value},
                                       Column{"node", &R::node}};
};

}  // namespace harness::store
