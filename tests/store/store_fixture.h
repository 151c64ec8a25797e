#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/store/row_io.h"
#include "harness/store/store.h"

// A folder with a database of its own, and runs to put into it.

namespace harness::store {

namespace fs = std::filesystem;

inline const fs::path kSqlFolder = fs::path(ACCEPT_SOURCE_DIR) / "schemas" / "sql";

inline RunRecord open_run(const std::string& id) {
  return {.run_id = id,
          .suite = "gpt3",
          .suite_digest = "5e",
          .system = "dgx-h100",
          .cluster = "prod-a",
          .trigger = RunTrigger::nightly,
          .started_utc = "2026-11-30T01:30:00Z",
          .configuration = "gpt3/8x8",
          .node_count = 8,
          .gpu_count = 64,
          .image_digest = "sha256:1f",
          .is_mlperf = true,
          .evidence_folder = "/var/lib/accept/" + id,
          .opener = this_process()};
}

inline RunRecord done_run(const std::string& id) {
  RunRecord run = open_run(id);
  run.state = RunState::done;
  run.verdict = model::VerdictWord::pass;
  run.exit_code = 0;
  run.ended_utc = "2026-11-30T05:00:00Z";
  run.headline = {"time to train 12480.3 s", "训练时间 12480.3 s"};
  run.verdict_json = "{\"verdict\": \"pass\"}\n";
  return run;
}

/// Two figures of the whole run, one of a node, one of a GPU; one or two rows of all else.
inline RunContents some_contents() {
  return {.attempts = {{.launcher = "slurm",
                        .state = "completed",
                        .exit_code = 0,
                        .started_utc = "2026-11-30T01:30:00Z",
                        .ended_utc = "2026-11-30T05:00:00Z",
                        .duration_s = 12600.25}},
          .measurements = {{.metric = "time_to_train_s",
                            .value = 12480.3,
                            .unit = "s",
                            .evidence = "mllog",
                            .artifact = "result_0.txt",
                            .line = 2117,
                            .method = {"run_stop - run_start", "run_stop − run_start"}},
                           {.metric = "bus_bandwidth_gb_per_s",
                            .value = 361.5,
                            .unit = "GB/s",
                            .evidence = "tool:nccl-tests",
                            .message_size_bytes = 8589934592},
                           {.metric = "bus_bandwidth_gb_per_s",
                            .value = 0.1 + 0.2,
                            .unit = "GB/s",
                            .evidence = "tool:nccl-tests",
                            .node = "n07",
                            .message_size_bytes = 8589934592},
                           {.metric = "gpu_temperature_celsius",
                            .value = -0.0,
                            .unit = "°C",
                            .evidence = "tool:dcgm",
                            .node = "n07",
                            .gpu_index = 3,
                            .rank = 59}},
          .evaluations = {{.artifact = "result_0.txt",
                           .line = 1200,
                           .time_ms = 1764480000000,
                           .value = 2.69,
                           .epoch_num = 1.5},
                          {.artifact = "result_0.txt", .line = 1300}},
          .findings = {{.stage = "criteria",
                        .check = "time_to_train_s",
                        .reason = "none",
                        .measured = 12480.3,
                        .limit = 12600,
                        .comparison = "<=",
                        .unit = "s",
                        .evidence = "mllog",
                        .text = {"within its limit", "在限值之内"},
                        .limit_source = "site",
                        .artifact = "result_0.txt",
                        .line = 2117}},
          .artifacts = {{.path = "result_0.txt", .sha256 = "ab", .bytes = 123456}},
          .environment = {{.key = "driver", .value = "535.129.03"},
                          {.key = "kernel", .value = "6.1", .node = "n07"}}};
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string name = (fs::temp_directory_path() / "accept-store-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    database_ = folder_ / "accept.db";
  }
  ~StoreTest() override { fs::remove_all(folder_); }

  Store open() const { return Store::open(database_, kSqlFolder); }
  /// A store that gives up on a lock at once.
  Store open_impatient() const {
    return Store::open(database_, kSqlFolder, {.busy_timeout = std::chrono::milliseconds(50)});
  }

  fs::path folder_;
  fs::path database_;
};

/// Every column of the record with its name, for comparing records.
template <typename Record>
std::string text_of(const Record& record) {
  std::ostringstream text;
  const auto write = [&](const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      text << static_cast<int>(value);
    } else if constexpr (std::is_same_v<Value, double>) {
      text << std::hexfloat << value + 0.0;  // SQLite keeps -0.0 as 0
    } else {
      text << value;
    }
  };
  for_each_column(record, [&](const std::string& name, const auto& value) {
    text << name << '=';
    if constexpr (!IsOptional<std::remove_cvref_t<decltype(value)>>::value) {
      write(value);
    } else if (value) {
      write(*value);
    }
    text << '\n';
  });
  return text.str();
}

template <typename Record>
std::string text_of(const std::vector<Record>& records) {
  std::string text;
  for (const Record& record : records) {
    text += text_of(record);
  }
  return text;
}

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Runs `body` in a child process; its result is the exit status.
inline pid_t start_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& exception) {
      std::fputs(exception.what(), stderr);
    }
    ::_exit(status);
  }
  return child;
}

/// Its exit status, or 128 + n when a signal ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The Error that `action` throws; fails the test when there is none.
template <typename Action>
base::Error error_of(Action action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {base::ErrorKind::bug, {}};
}

}  // namespace harness::store
