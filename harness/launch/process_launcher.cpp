#include "harness/launch/process_launcher.h"

#include <string>
#include <utility>

#include "harness/base/log_file.h"

namespace harness::launch {
namespace {

constexpr std::size_t kTailBytes = 2000;

/// The last bytes of a stream, for the message that says why a program ended.
class Tail {
 public:
  void add(std::string_view bytes) {
    text_ += bytes.substr(bytes.size() - std::min(bytes.size(), kTailBytes));
    if (text_.size() > 2 * kTailBytes) {
      text_.erase(0, text_.size() - kTailBytes);
    }
  }
  /// The last four lines that are not empty, safe to print.
  std::string last_lines() const {
    constexpr std::size_t kMostLines = 4;
    std::vector<std::string> lines;
    for (const std::string& line : base::split(text_, '\n')) {
      const auto trimmed = base::trim(line);
      if (!trimmed.empty()) {
        lines.push_back(base::printable(trimmed, 300));
      }
    }
    if (lines.size() > kMostLines) {
      lines.erase(lines.begin(), lines.end() - kMostLines);
    }
    return base::join(lines, "\n");
  }

 private:
  std::string text_;
};

std::chrono::milliseconds to_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

base::ProcessSpec spec_of(const model::Job& job) {
  base::ProcessSpec spec;
  spec.argv = job.argv;
  spec.environment = job.environment;
  spec.working_directory = job.output_folder;
  spec.wall_limit = to_milliseconds(job.wall_limit_s);
  if (job.silence_limit_s > 0) {
    spec.silence_limit = to_milliseconds(job.silence_limit_s);
  }
  spec.termination_grace = to_milliseconds(job.termination_grace_s);
  return spec;
}

model::AttemptState state_of(const base::ProcessOutcome& outcome) {
  switch (outcome.end) {
    case base::ProcessEnd::exited:
      return outcome.exit_code == 0 ? model::AttemptState::completed : model::AttemptState::failed;
    case base::ProcessEnd::signalled:
      return model::AttemptState::killed;
    case base::ProcessEnd::start_failed:
      return model::AttemptState::not_started;
    case base::ProcessEnd::wall_limit:
      return model::AttemptState::wall_limit;
    case base::ProcessEnd::silence_limit:
      return model::AttemptState::silence_limit;
    case base::ProcessEnd::cancelled:
      return model::AttemptState::aborted;
  }
  return model::AttemptState::not_started;
}

}  // namespace

model::Attempt ProcessLauncher::launch(const model::Job& job,
                                       const std::filesystem::path& log_folder,
                                       const OutputObserver& observe, std::stop_token stop) {
  base::LogFile stdout_log(log_folder / "stdout.log", job.log_limit_bytes);
  base::LogFile stderr_log(log_folder / "stderr.log", job.log_limit_bytes);
  Tail error_tail;
  model::Attempt attempt;
  attempt.started = clock_.utc_now();
  const base::ProcessOutcome outcome = runner_.run(
      spec_of(job),
      [&](base::OutputStream stream, std::string_view bytes) {
        const bool is_error = stream == base::OutputStream::standard_error;
        (is_error ? stderr_log : stdout_log).append(bytes);
        if (is_error) {
          error_tail.add(bytes);
        }
        observe(stream, bytes);
      },
      std::move(stop));
  attempt.ended = clock_.utc_now();
  attempt.state = state_of(outcome);
  attempt.exit_code = outcome.exit_code;
  attempt.signal_number = outcome.signal_number;
  attempt.duration_s = outcome.duration_s;
  attempt.problem = outcome.start_problem;
  attempt.last_error_lines = error_tail.last_lines();
  attempt.dropped_log_bytes = stdout_log.dropped_bytes() + stderr_log.dropped_bytes();
  stdout_log.close();
  stderr_log.close();
  return attempt;
}

}  // namespace harness::launch
