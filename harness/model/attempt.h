#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/suite.h"

// One planned start of a suite, and how it went.

namespace harness::model {

/// A suite with every placeholder filled: ready to be started.
struct Job {
  LauncherKind launcher = LauncherKind::process;
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  ///< whole environment of the program
  std::filesystem::path output_folder;             ///< where the program writes, absolute
  double wall_limit_s = 0;
  double silence_limit_s = 0;  ///< 0: no limit
  double termination_grace_s = 10;
  std::uint64_t log_limit_bytes = 0;  ///< per stream; what comes beyond it is counted, not kept
};

/// How an attempt ended. Stored by name.
enum class AttemptState {
  completed,      ///< ended by itself with exit code 0
  failed,         ///< ended by itself with another code
  killed,         ///< by a signal that we did not send
  not_started,    ///< program missing, not executable …
  wall_limit,     ///< we ended it
  silence_limit,  ///< we ended it
  aborted,        ///< the user ended it
};
std::string_view attempt_state_name(AttemptState state);

struct Attempt {
  AttemptState state = AttemptState::not_started;
  int exit_code = -1;     ///< of completed and failed
  int signal_number = 0;  ///< of killed, or the last one that we sent
  std::chrono::system_clock::time_point started;
  std::chrono::system_clock::time_point ended;
  double duration_s = 0;  ///< monotonic
  std::uint64_t dropped_log_bytes = 0;
  base::Text problem;            ///< of not_started
  std::string last_error_lines;  ///< end of standard error, printable, at most 2 kB
};

}  // namespace harness::model
