#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text.h"

// Child processes behind an interface. The real one lives in launch/, a recording one in the tests.

namespace harness::base {

struct ProcessSpec {
  std::vector<std::string>
      argv;  ///< argv[0]: a path, or a name that is looked up in PATH of `environment`
  std::map<std::string, std::string>
      environment;                          ///< the child's whole environment; nothing is inherited
  std::filesystem::path working_directory;  ///< empty: that of the caller
  std::optional<std::chrono::milliseconds> wall_limit;     ///< from start to end
  std::optional<std::chrono::milliseconds> silence_limit;  ///< without a byte on stdout or stderr
  std::chrono::milliseconds termination_grace{
      5000};  ///< between SIGTERM and SIGKILL to the whole group
};

enum class OutputStream { standard_output, standard_error };

/// Called in the thread that runs the child, with bytes as they come: any cut, at most 64 KiB a
/// call.
using OutputObserver = std::function<void(OutputStream, std::string_view)>;

enum class ProcessEnd {
  exited,         ///< by itself, with `exit_code`
  signalled,      ///< by a signal that we did not send, see `signal_number`
  start_failed,   ///< never ran: `start_problem` says why
  wall_limit,     ///< we ended it: too long
  silence_limit,  ///< we ended it: no output for too long
  cancelled,      ///< we ended it: stop was asked for
};

struct ProcessOutcome {
  ProcessEnd end = ProcessEnd::start_failed;
  int exit_code = -1;     ///< of exited; -1 otherwise
  int signal_number = 0;  ///< of signalled, or the last one we sent
  double duration_s = 0;  ///< monotonic, start to reaped
  Text start_problem;
};

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  /// Runs one child in its own session to its end and returns how it ended; a child that fails is
  /// an outcome, never an exception. No process of the child's group is left when it returns.
  virtual ProcessOutcome run(const ProcessSpec& spec, const OutputObserver& observe,
                             std::stop_token stop) = 0;
};

}  // namespace harness::base
