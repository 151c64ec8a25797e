// The compiled part is in boost_process_v2.cpp.
#define BOOST_PROCESS_V2_SEPARATE_COMPILATION 1

#include "harness/launch/child_start.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/launch/linux_process.h"
#include "harness/launch/process_family.h"
#include "harness/launch/program_lookup.h"

namespace harness::launch {
namespace {

namespace process_v2 = boost::process::v2;
using base::Text;
using process_v2::error_code;
using process_v2::posix::default_launcher;

constexpr int kNotExecuted = 127;  ///< exit code of a child that never became another program

struct Pipe {
  OwnedDescriptor read_end;
  OwnedDescriptor write_end;
};

/// Only the read end does not block: the child must get an ordinary descriptor.
std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return std::nullopt;
  }
  Pipe pipe{.read_end = OwnedDescriptor(ends[0]), .write_end = OwnedDescriptor(ends[1])};
  if (::fcntl(pipe.read_end.number(), F_SETFL, O_NONBLOCK) != 0) {
    return std::nullopt;
  }
  return pipe;
}

/// Asked before the fork, because Boost leaks one when it runs out of them after it. Asio takes
/// five, Boost and we one each, and finding the family at the end needs three.
bool has_spare_descriptors() {
  std::array<OwnedDescriptor, 10> spare;
  for (OwnedDescriptor& one : spare) {
    one = OwnedDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  return spare.back().is_open();
}

/// Boost closes only descriptors above its own error pipe (1.81 and 1.83 compare a number with
/// itself).
void close_others_on_exec() {
  constexpr unsigned kFirst = STDERR_FILENO + 1;
  constexpr unsigned kCloseOnExec = 1U << 2U;  // CLOSE_RANGE_CLOEXEC
  if (::syscall(SYS_close_range, kFirst, ~0U, kCloseOnExec) == 0) {
    return;
  }
  const int last = static_cast<int>(std::min<long>(::sysconf(_SC_OPEN_MAX), 1L << 20));
  for (int number = kFirst; number < last; ++number) {  // Linux before 5.11
    ::fcntl(number, F_SETFD, FD_CLOEXEC);
  }
}

void reset_signals() {
  for (int signal_number = 1; signal_number <= SIGRTMAX; ++signal_number) {
    ::signal(signal_number,
             SIG_DFL);  // refused for SIGKILL, SIGSTOP and two of the C library's own
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Boost calls this in the child between fork and exec. Other threads may have held any lock at the
/// fork, so only async-signal-safe calls are allowed.
struct ChildSetup {
  int standard_input;
  int standard_output;
  int standard_error;
  const char* working_directory;  ///< nullptr: stay

  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): Boost finds it as a member
  error_code on_exec_setup(default_launcher& /*launcher*/,
                           const process_v2::filesystem::path& /*executable*/,
                           const char* const* /*argv*/) const {
    if (::setsid() == -1 || ::dup2(standard_input, STDIN_FILENO) == -1 ||
        ::dup2(standard_output, STDOUT_FILENO) == -1 ||
        ::dup2(standard_error, STDERR_FILENO) == -1 ||
        (working_directory != nullptr && ::chdir(working_directory) == -1)) {
      return {errno, boost::system::system_category()};
    }
    close_others_on_exec();
    reset_signals();
    return {};
  }

  /// Boost would call exit(): our exit handlers, and our buffered output a second time. It asks for
  /// a signature that it then does not use, hence any arguments.
  template <typename... Arguments>
  void on_exec_error(const Arguments&... /*arguments*/) const {
    ::_exit(kNotExecuted);
  }
};

/// While it exists this thread takes no signal, so that a child just born cannot run our handlers.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  SignalsBlocked(SignalsBlocked&&) = delete;
  SignalsBlocked& operator=(SignalsBlocked&&) = delete;

 private:
  sigset_t before_{};
};

/// Pointers into `words`, with the nullptr at the end that execve wants.
std::vector<const char*> to_pointers(const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) {
    pointers.push_back(word.c_str());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> to_environment_lines(std::map<std::string, std::string> environment,
                                              const std::string& cookie_value) {
  environment[std::string(kCookieVariable)] = cookie_value;
  std::vector<std::string> lines;
  lines.reserve(environment.size());
  for (const auto& [name, content] : environment) {
    lines.push_back(fmt::format("{}={}", name, content));
  }
  return lines;
}

/// For a child that must not be: one whose exec failed (Boost leaves a zombie) or that could not be
/// taken over.
void kill_and_reap(pid_t child) {
  if (child > 0) {
    ::kill(-child, SIGKILL);
    ::kill(child, SIGKILL);
    while (::waitpid(child, nullptr, 0) == -1 && errno == EINTR) {
    }
  }
}

struct ForkResult {
  pid_t child = -1;
  int error_number = 0;
};

/// In the parent nothing; a child that an exception brought back here would go on as a second one
/// of us.
void end_strayed_child(pid_t our_process) {
  if (::getpid() != our_process) {
    ::_exit(kNotExecuted);
  }
}

/// Forks and executes. With an error number the child may have been born and be there still.
ForkResult fork_and_execute(const std::filesystem::path& program, std::vector<const char*> argv,
                            const std::vector<const char*>& environment, const ChildSetup& setup) {
  const pid_t our_process = ::getpid();
  default_launcher launcher;
  launcher.env = environment.data();
  const SignalsBlocked signals_blocked;
  error_code error;
  try {
    boost::asio::io_context context;
    auto child = launcher(context.get_executor(), error,
                          process_v2::filesystem::path(program.native()), argv.data(), setup);
    child.detach();  // else it is killed here, and later whoever has its number by then
  } catch (const boost::system::system_error& problem) {  // no descriptor left for asio
    end_strayed_child(our_process);
    error = problem.code();
  } catch (...) {
    end_strayed_child(our_process);
    kill_and_reap(launcher.pid);
    throw;
  }
  return {.child = launcher.pid, .error_number = error.value()};
}

Text no_resources_text(const std::string& program, int error_number) {
  const Text reason = base::system_error_text(error_number);
  return Text{
      fmt::format("cannot start '{}': no pipe or no descriptor for it: {}",
                  base::printable(program), reason.en),
      fmt::format("无法启动“{}”：无法创建管道或描述符：{}", base::printable(program), reason.zh)};
}

std::variant<StartedChild, Text> start_program(const std::filesystem::path& program,
                                               const base::ProcessSpec& spec,
                                               const std::string& cookie_value) {
  const OwnedDescriptor no_input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::optional<Pipe> output = make_pipe();
  std::optional<Pipe> error = make_pipe();
  if (!no_input.is_open() || !output || !error || !has_spare_descriptors()) {
    return no_resources_text(spec.argv.front(), errno);
  }
  const ChildSetup setup{.standard_input = no_input.number(),
                         .standard_output = output->write_end.number(),
                         .standard_error = error->write_end.number(),
                         .working_directory = spec.working_directory.empty()
                                                  ? nullptr
                                                  : spec.working_directory.c_str()};
  const std::vector<std::string> environment = to_environment_lines(spec.environment, cookie_value);
  const ForkResult forked =
      fork_and_execute(program, to_pointers(spec.argv), to_pointers(environment), setup);
  if (forked.error_number != 0) {
    kill_and_reap(forked.child);
    return explain_exec_failure(program, forked.error_number);
  }
  OwnedDescriptor process = open_process(forked.child);
  if (!process.is_open()) {
    const int error_number = errno;
    kill_and_reap(forked.child);
    return no_resources_text(spec.argv.front(), error_number);
  }
  return StartedChild{.leader = forked.child,
                      .process = std::move(process),
                      .standard_output = std::move(output->read_end),
                      .standard_error = std::move(error->read_end)};
}

}  // namespace

std::variant<StartedChild, Text> start_child(const base::ProcessSpec& spec,
                                             const std::string& cookie_value) {
  if (std::optional<Text> problem = find_request_problem(spec)) {
    return *std::move(problem);
  }
  const std::variant<std::filesystem::path, Text> found = find_program(spec);
  if (const Text* problem = std::get_if<Text>(&found)) {
    return *problem;
  }
  return start_program(std::get<std::filesystem::path>(found), spec, cookie_value);
}

}  // namespace harness::launch
