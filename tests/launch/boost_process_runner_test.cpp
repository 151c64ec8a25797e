#include "harness/launch/boost_process_runner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/launch/linux_process.h"
#include "harness/launch/process_family.h"

namespace harness::launch {
namespace {

using base::OutputStream;
using base::ProcessEnd;
using base::ProcessOutcome;
using base::ProcessSpec;
using std::chrono::milliseconds;

const std::string kPath = "/usr/local/bin:/usr/bin:/bin";

ProcessSpec program(std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.environment = {{"PATH", kPath}};
  spec.wall_limit = milliseconds(20000);
  return spec;
}
ProcessSpec shell(std::string script) {
  return program({"/bin/sh", "-c", std::move(script)});
}
ProcessSpec python(std::string script) {
  return program({"/usr/bin/python3", "-c", std::move(script)});
}

struct Finished {
  ProcessOutcome outcome;
  std::string output;
  std::string errors;
};

Finished run(const ProcessSpec& spec, std::stop_token stop = {}) {
  Finished finished;
  finished.outcome = BoostProcessRunner().run(
      spec,
      [&](OutputStream stream, std::string_view bytes) {
        (stream == OutputStream::standard_output ? finished.output : finished.errors) += bytes;
      },
      std::move(stop));
  return finished;
}

std::vector<pid_t> numbers_in(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<pid_t>(words), {}};
}

bool exists(pid_t process) {
  return read_process_state(process).has_value();
}

std::vector<pid_t> our_children() {
  return children_of(::getpid());
}

std::size_t open_descriptor_count() {
  const std::filesystem::directory_iterator first("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(first, {}));
}

/// Every test leaves as many descriptors as it found, and no child: neither a live one nor a
/// zombie.
class BoostProcessRunnerTest : public testing::Test {
 protected:
  void SetUp() override {
    const BoostProcessRunner makes_us_the_reaper;
    descriptors_before_ = open_descriptor_count();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("boost_process_runner_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    EXPECT_EQ(open_descriptor_count(), descriptors_before_);
    EXPECT_EQ(our_children(), std::vector<pid_t>());
  }

  std::filesystem::path make_file(const std::string& name, const std::string& content,
                                  mode_t mode) {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file) << content;
    ::chmod(file.c_str(), mode);
    return file;
  }

  std::filesystem::path folder_;

 private:
  std::size_t descriptors_before_ = 0;
};

// --- how a child ends ---

TEST_F(BoostProcessRunnerTest, TellsTheExitCode) {
  const Finished finished = run(shell("exit 7"));
  EXPECT_EQ(finished.outcome.end, ProcessEnd::exited);
  EXPECT_EQ(finished.outcome.exit_code, 7);
  EXPECT_EQ(finished.outcome.signal_number, 0);
  EXPECT_TRUE(finished.outcome.start_problem.empty());
}

TEST_F(BoostProcessRunnerTest, TellsExit9FromKilledBy9) {
  const ProcessOutcome exited = run(shell("exit 9")).outcome;
  EXPECT_EQ(exited.end, ProcessEnd::exited);
  EXPECT_EQ(exited.exit_code, 9);
  const ProcessOutcome killed = run(shell("kill -9 $$")).outcome;
  EXPECT_EQ(killed.end, ProcessEnd::signalled);
  EXPECT_EQ(killed.signal_number, SIGKILL);
  EXPECT_EQ(killed.exit_code, -1);
}

TEST_F(BoostProcessRunnerTest, MeasuresTheDuration) {
  const double duration_s = run(shell("sleep 0.3")).outcome.duration_s;
  EXPECT_GE(duration_s, 0.3);
  EXPECT_LT(duration_s, 2.0);
}

// --- what a child is given ---

TEST_F(BoostProcessRunnerTest, PassesArgumentsUnchanged) {
  const std::vector<std::string> arguments = {
      "two words", "\"double\" 'single'", "$(touch x)", "`id`", "a\nb", "", "*", "\\",
      "-c",        "\xff\xfe 中"};
  ProcessSpec spec =
      python("import os, sys; sys.stdout.buffer.write(b'|'.join(map(os.fsencode, sys.argv[1:])))");
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  EXPECT_EQ(run(spec).output, base::join(arguments, "|"));
}

TEST_F(BoostProcessRunnerTest, LooksANameUpAndPassesItAsGiven) {
  const Finished finished =
      run(program({"python3", "-c", "print(open('/proc/self/cmdline').read().split('\\0')[0])"}));
  EXPECT_EQ(finished.output, "python3\n") << finished.errors;
}

TEST_F(BoostProcessRunnerTest, SearchesPathInItsOrder) {
  std::filesystem::create_directories(folder_ / "first");
  std::filesystem::create_directories(folder_ / "second");
  make_file("first/tool", "#!/bin/sh\necho first\n", 0644);  // not executable: passed over
  make_file("second/tool", "#!/bin/sh\necho second\n", 0755);
  ProcessSpec spec = program({"tool"});
  spec.environment["PATH"] = (folder_ / "first").string() + ":" + (folder_ / "second").string();
  EXPECT_EQ(run(spec).output, "second\n");
}

TEST_F(BoostProcessRunnerTest, GivesExactlyTheEnvironmentAndTheCookie) {
  ::setenv("NOT_FOR_CHILDREN", "1", 1);
  ProcessSpec spec = program({"/usr/bin/env", "-0"});
  spec.environment = {{"A", "1 2"}, {"B", "x\ny=z"}, {"EMPTY", ""}};
  std::vector<std::string> lines = base::split(run(spec).output, '\0');
  ::unsetenv("NOT_FOR_CHILDREN");
  lines.pop_back();  // after the last NUL
  std::ranges::sort(lines);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "A=1 2");
  EXPECT_TRUE(lines[1].starts_with(std::string(kCookieVariable) + "=")) << lines[1];
  EXPECT_EQ(lines[2], "B=x\ny=z");
  EXPECT_EQ(lines[3], "EMPTY=");
}

TEST_F(BoostProcessRunnerTest, AddsItsCookieToThatOfAnOuterRunner) {
  const std::string variable(kCookieVariable);
  ::setenv(variable.c_str(), "outer", 1);
  const std::string output = run(shell("echo $" + variable)).output;
  ::unsetenv(variable.c_str());
  EXPECT_TRUE(output.starts_with("outer:")) << output;
}

TEST_F(BoostProcessRunnerTest, StartsInTheWorkingDirectory) {
  make_file("here.sh", "#!/bin/sh\npwd\n", 0755);
  ProcessSpec spec = program({"./here.sh"});
  spec.working_directory = folder_;
  EXPECT_EQ(run(spec).output, std::filesystem::canonical(folder_).string() + "\n");
}

TEST_F(BoostProcessRunnerTest, GivesEachChildItsOwnSession) {
  const Finished finished =
      run(python("import os; print(os.getsid(0) == os.getpgid(0) == os.getpid())"));
  EXPECT_EQ(finished.output, "True\n") << finished.errors;
}

TEST_F(BoostProcessRunnerTest, GivesNoInput) {
  const Finished finished = run(program({"cat"}));
  EXPECT_EQ(finished.outcome.exit_code, 0);
  EXPECT_EQ(finished.output, "");
}

TEST_F(BoostProcessRunnerTest, HandsDownNoDescriptor) {
  std::array<int, 20> inheritable{};
  for (int& descriptor : inheritable) {
    descriptor = ::open("/dev/null", O_RDONLY);  // NOLINT(android-cloexec-open): that is the test
  }
  // 3 is the folder that listdir itself has open.
  const Finished finished =
      run(python("import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))"));
  for (const int descriptor : inheritable) {
    ::close(descriptor);
  }
  EXPECT_EQ(finished.output, "[0, 1, 2, 3]\n") << finished.errors;
}

TEST_F(BoostProcessRunnerTest, BlocksAndIgnoresNoSignal) {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto pipe_handler_before = ::signal(SIGPIPE, SIG_IGN);
  const std::string output =
      run(program({"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"})).output;
  ::signal(SIGPIPE, pipe_handler_before);
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  // Signals 32 and 33 are the C library's own: when a caller of ours ignored them, it refuses to
  // set them back.
  const bool is_clean = output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n" ||
                        output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000180000000\n";
  EXPECT_TRUE(is_clean) << output;
  EXPECT_TRUE(::sigismember(&after, SIGUSR1)) << "our own mask was not put back";
  EXPECT_FALSE(::sigismember(&after, SIGTERM)) << "our own mask was not put back";
}

// --- output ---

TEST_F(BoostProcessRunnerTest, DeliversBothStreamsWholeAndApart) {
  constexpr std::size_t kStreamBytes = 25'000'000;
  const ProcessSpec spec = python(
      "import os\n"
      "for _ in range(250):\n"
      "    for number, letter in ((1, b'o'), (2, b'e')):\n"
      "        rest = memoryview(letter * 100000)\n"
      "        while rest: rest = rest[os.write(number, rest):]\n");
  std::size_t output_bytes = 0;
  std::size_t error_bytes = 0;
  std::size_t longest = 0;
  bool is_pure = true;
  bool is_own_thread = true;
  const auto observe = [&, caller = std::this_thread::get_id()](OutputStream stream,
                                                                std::string_view bytes) {
    const bool is_output = stream == OutputStream::standard_output;
    (is_output ? output_bytes : error_bytes) += bytes.size();
    longest = std::max(longest, bytes.size());
    is_pure = is_pure && bytes.find_first_not_of(is_output ? 'o' : 'e') == std::string_view::npos;
    is_own_thread = is_own_thread && std::this_thread::get_id() == caller;
  };
  const ProcessOutcome outcome = BoostProcessRunner().run(spec, observe, {});
  EXPECT_EQ(outcome.end, ProcessEnd::exited);
  EXPECT_EQ(output_bytes, kStreamBytes);
  EXPECT_EQ(error_bytes, kStreamBytes);
  EXPECT_LE(longest, 65536U);
  EXPECT_TRUE(is_pure);
  EXPECT_TRUE(is_own_thread);
}

TEST_F(BoostProcessRunnerTest, WaitsForAChildThatClosedItsOutput) {
  const Finished finished = run(shell("echo all; exec >&- 2>&-; sleep 0.3; exit 3"));
  EXPECT_EQ(finished.outcome.exit_code, 3);
  EXPECT_GE(finished.outcome.duration_s, 0.3);
  EXPECT_EQ(finished.output, "all\n");
}

TEST_F(BoostProcessRunnerTest, NeedsNoObserver) {
  EXPECT_EQ(BoostProcessRunner().run(shell("echo unheard; exit 4"), {}, {}).exit_code, 4);
}

TEST_F(BoostProcessRunnerTest, KillsTheFamilyWhenTheObserverThrows) {
  std::string seen;
  const auto observe = [&](OutputStream /*stream*/, std::string_view bytes) {
    seen += bytes;
    if (seen.find('\n') != std::string::npos) {
      throw std::runtime_error("disk full");
    }
  };
  const ProcessSpec spec = shell("trap '' TERM; setsid sleep 100 & echo $$ $!; wait");
  EXPECT_THROW(BoostProcessRunner().run(spec, observe, {}), std::runtime_error);
  const std::vector<pid_t> processes = numbers_in(seen);
  ASSERT_EQ(processes.size(), 2U);
  EXPECT_TRUE(std::ranges::none_of(processes, exists));
}

// --- limits ---

TEST_F(BoostProcessRunnerTest, WallLimitKillsAGroupThatIgnoresTerm) {
  ProcessSpec spec = shell("trap '' TERM; sleep 100 & echo $$ $!; wait; sleep 100");
  spec.wall_limit = milliseconds(300);
  spec.termination_grace = milliseconds(300);
  const Finished finished = run(spec);
  EXPECT_EQ(finished.outcome.end, ProcessEnd::wall_limit);
  EXPECT_EQ(finished.outcome.signal_number, SIGKILL);
  EXPECT_EQ(finished.outcome.exit_code, -1);
  EXPECT_GE(finished.outcome.duration_s, 0.6);
  EXPECT_LT(finished.outcome.duration_s, 2.0);
  const std::vector<pid_t> processes = numbers_in(finished.output);
  ASSERT_EQ(processes.size(), 2U);
  EXPECT_TRUE(std::ranges::none_of(processes, exists));
}

TEST_F(BoostProcessRunnerTest, AKilledScriptDoesNotGoOnWithItsNextLine) {
  ProcessSpec spec = shell("trap '' TERM; sleep 100; echo went on; sleep 100; echo and on");
  spec.wall_limit = milliseconds(20);
  spec.termination_grace = milliseconds(10);
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ(run(spec).output, "");
  }
}

TEST_F(BoostProcessRunnerTest, TermIsEnoughForAChildThatObeys) {
  ProcessSpec spec = shell("trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done");
  spec.wall_limit = milliseconds(300);
  const Finished finished = run(spec);
  EXPECT_EQ(finished.outcome.end, ProcessEnd::wall_limit);
  EXPECT_EQ(finished.outcome.signal_number, SIGTERM);
  EXPECT_LT(finished.outcome.duration_s, 2.0);
  EXPECT_EQ(finished.output, "bye\n");
}

TEST_F(BoostProcessRunnerTest, TheGraceIsForTheWholeGroup) {
  // The shell itself dies of SIGTERM at once.
  ProcessSpec spec =
      shell("(trap 'sleep 0.3; echo saved; exit' TERM; while :; do sleep 0.05; done) & wait");
  spec.wall_limit = milliseconds(300);
  const Finished finished = run(spec);
  EXPECT_EQ(finished.outcome.end, ProcessEnd::wall_limit);
  EXPECT_EQ(finished.output, "saved\n");
  EXPECT_LT(finished.outcome.duration_s, 3.0);
}

TEST_F(BoostProcessRunnerTest, EndsAfterSilence) {
  ProcessSpec spec = shell("for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; sleep 100");
  spec.silence_limit = milliseconds(400);
  const Finished finished = run(spec);
  EXPECT_EQ(finished.outcome.end, ProcessEnd::silence_limit);
  EXPECT_EQ(finished.output, "1\n2\n3\n4\n5\n6\n");
  EXPECT_GE(finished.outcome.duration_s, 0.9);
  EXPECT_LT(finished.outcome.duration_s, 3.0);
}

TEST_F(BoostProcessRunnerTest, OutputOnEitherStreamIsNoSilence) {
  ProcessSpec spec = shell("for i in 1 2 3 4 5 6; do echo $i >&2; sleep 0.1; done; exit 5");
  spec.silence_limit = milliseconds(400);
  EXPECT_EQ(run(spec).outcome.exit_code, 5);
}

TEST_F(BoostProcessRunnerTest, StopEndsTheChildAtOnce) {
  const std::stop_source stop;
  const std::jthread asks([&] {
    std::this_thread::sleep_for(milliseconds(200));
    stop.request_stop();
  });
  const Finished finished = run(shell("exec sleep 100"), stop.get_token());
  EXPECT_EQ(finished.outcome.end, ProcessEnd::cancelled);
  EXPECT_EQ(finished.outcome.signal_number, SIGTERM);
  EXPECT_LT(finished.outcome.duration_s, 1.0);
}

TEST_F(BoostProcessRunnerTest, StopAskedBeforehandStartsNothing) {
  const std::stop_source stop;
  stop.request_stop();
  ProcessSpec spec = shell("touch started");
  spec.working_directory = folder_;
  EXPECT_EQ(run(spec, stop.get_token()).outcome.end, ProcessEnd::cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "started"));
}

// --- what outlives the child ---

TEST_F(BoostProcessRunnerTest, AGrandchildOnThePipesHoldsNothingUp) {
  const Finished finished = run(shell("sleep 100 & echo $!; exit 6"));
  EXPECT_EQ(finished.outcome.end, ProcessEnd::exited);
  EXPECT_EQ(finished.outcome.exit_code, 6);
  EXPECT_LT(finished.outcome.duration_s, 1.0);
  ASSERT_EQ(numbers_in(finished.output).size(), 1U);
  EXPECT_FALSE(exists(numbers_in(finished.output).front()));
}

TEST_F(BoostProcessRunnerTest, KillsDaemons) {
  // One that stays in the session, one that leaves it, and a child of the latter that leaves that
  // in turn.
  const Finished finished =
      run(python("import os, time\n"
                 "def daemon(*steps):\n"
                 "    ready, done = os.pipe()\n"
                 "    if os.fork() == 0:\n"
                 "        if os.fork() != 0: os._exit(0)\n"
                 "        for step in steps: step()\n"
                 "        os.write(1, b'%d\\n' % os.getpid())\n"
                 "        os.write(done, b'.')\n"
                 "        time.sleep(100)\n"
                 "    os.close(done)\n"
                 "    os.read(ready, 1)\n"
                 "daemon()\n"
                 "daemon(os.setsid)\n"
                 "daemon(os.setsid, lambda: daemon(os.setsid))\n"));
  EXPECT_EQ(finished.outcome.end, ProcessEnd::exited) << finished.errors;
  EXPECT_LT(finished.outcome.duration_s, 2.0);
  const std::vector<pid_t> daemons = numbers_in(finished.output);
  ASSERT_EQ(daemons.size(), 4U);
  EXPECT_TRUE(std::ranges::none_of(daemons, exists));
}

TEST_F(BoostProcessRunnerTest, KillsBelowALivingChildWhateverItsSessionAndEnvironment) {
  ProcessSpec spec = shell("trap '' TERM; env -i /usr/bin/setsid /bin/sleep 100 & echo $!; wait");
  spec.wall_limit = milliseconds(300);
  spec.termination_grace = milliseconds(100);
  const Finished finished = run(spec);
  ASSERT_EQ(numbers_in(finished.output).size(), 1U);
  EXPECT_FALSE(exists(numbers_in(finished.output).front()));
}

TEST_F(BoostProcessRunnerTest, LeavesAForeignChildAlone) {
  const pid_t foreign = ::fork();
  if (foreign == 0) {
    ::execl("/bin/sh", "sh", "-c", "exit 42", nullptr);
    ::_exit(1);
  }
  run(shell("sleep 0.3; setsid sleep 100 &"));
  reap_ended_orphans();
  int status = 0;
  ASSERT_EQ(::waitpid(foreign, &status, 0), foreign) << "it was reaped";
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST_F(BoostProcessRunnerTest, LeavesTheFamilyOfAnotherRunAlone) {
  // Its daemon is an orphan in a session of its own: only the cookie tells whose it is.
  Finished longer;
  std::jthread other([&] {
    longer = run(shell("(setsid sh -c 'sleep 1; echo from the daemon' &); sleep 1.5; exit 8"));
  });
  std::this_thread::sleep_for(milliseconds(300));
  for (int i = 0; i < 20; ++i) {
    run(shell("setsid sleep 100 & exit 0"));
  }
  other.join();
  EXPECT_EQ(longer.outcome.exit_code, 8);
  EXPECT_EQ(longer.output, "from the daemon\n");
}

TEST_F(BoostProcessRunnerTest, ReapsOrphansThatEndDuringARun) {
  std::size_t children = 0;
  const auto observe = [&](OutputStream /*stream*/, std::string_view /*bytes*/) {
    reap_ended_orphans();
    children = our_children().size();
  };
  BoostProcessRunner().run(shell("for i in 1 2 3 4 5; do (true &); done; sleep 0.3; echo now"),
                           observe, {});
  EXPECT_EQ(children, 1U) << "the leader alone";
}

TEST_F(BoostProcessRunnerTest, ReturnsWhenAnEscapedProcessHoldsThePipes) {
  // Neither session nor cookie tells whose it is: the documented limit.
  const Finished finished =
      run(shell("(env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec sleep 100' &); sleep 0.5; echo "
                "end >&2; exit 0"));
  EXPECT_EQ(finished.outcome.end, ProcessEnd::exited);
  EXPECT_LT(finished.outcome.duration_s, 2.0);
  EXPECT_EQ(finished.errors, "end\n");
  for (const pid_t escaped : numbers_in(finished.output)) {
    ::kill(escaped, SIGKILL);
    ::waitpid(escaped, nullptr, 0);
  }
}

// --- failed starts ---

class FailedStartTest : public BoostProcessRunnerTest {
 protected:
  /// The English text; checks everything that all failed starts have in common.
  static std::string problem_of(const ProcessSpec& spec) {
    const Finished finished = run(spec);
    EXPECT_EQ(finished.outcome.end, ProcessEnd::start_failed);
    EXPECT_EQ(finished.outcome.exit_code, -1);
    EXPECT_EQ(finished.output + finished.errors, "");
    EXPECT_FALSE(finished.outcome.start_problem.en.empty());
    EXPECT_FALSE(finished.outcome.start_problem.zh.empty());
    EXPECT_NE(finished.outcome.start_problem.zh, finished.outcome.start_problem.en);
    EXPECT_TRUE(our_children().empty()) << "a zombie was left";
    return finished.outcome.start_problem.en;
  }
};

TEST_F(FailedStartTest, NameThatIsNotInPath) {
  EXPECT_EQ(problem_of(program({"no-such-tool"})),
            "cannot start 'no-such-tool': there is no such program in PATH '" + kPath + "'");
}

TEST_F(FailedStartTest, NameWithoutPath) {
  ProcessSpec spec = program({"sh"});
  spec.environment.clear();
  EXPECT_NE(problem_of(spec).find("no PATH"), std::string::npos);
}

TEST_F(FailedStartTest, NameThatIsOnlyNotExecutable) {
  make_file("tool", "#!/bin/sh\n", 0644);
  ProcessSpec spec = program({"tool"});
  spec.environment["PATH"] = folder_.string();
  EXPECT_NE(problem_of(spec).find("tool' is not executable"), std::string::npos);
}

TEST_F(FailedStartTest, PathThatDoesNotExist) {
  EXPECT_EQ(problem_of(program({"/no/such/tool"})),
            "cannot start '/no/such/tool': No such file or directory");
}

TEST_F(FailedStartTest, FileThatIsNotExecutable) {
  const std::string file = make_file("plain", "text", 0644);
  EXPECT_EQ(problem_of(program({file})), "cannot start '" + file + "': Permission denied");
}

TEST_F(FailedStartTest, Folder) {
  EXPECT_EQ(problem_of(program({"/usr/bin/"})), "cannot start '/usr/bin/': Is a directory");
}

TEST_F(FailedStartTest, ScriptWithoutItsInterpreter) {
  const std::string file = make_file("script", "#! /no/such/interpreter -x\n", 0755);
  EXPECT_NE(problem_of(program({file})).find("its interpreter '/no/such/interpreter'"),
            std::string::npos);
}

TEST_F(FailedStartTest, FileInAnUnknownFormat) {
  const std::string file = make_file("unknown", "neither script nor binary", 0755);
  EXPECT_NE(problem_of(program({file})).find("cannot execute it"), std::string::npos);
}

TEST_F(FailedStartTest, TooManyArguments) {
  const std::string argument(100'000, 'x');
  ProcessSpec spec = program({"/bin/true"});
  spec.argv.insert(spec.argv.end(), 100, argument);
  EXPECT_NE(problem_of(spec).find("too long"), std::string::npos);
}

TEST_F(FailedStartTest, MissingWorkingDirectory) {
  ProcessSpec spec = shell("exit 0");
  spec.working_directory = "/no/such/folder";
  EXPECT_EQ(problem_of(spec),
            "cannot start '/bin/sh': cannot enter the working directory '/no/such/folder': "
            "No such file or directory");
}

TEST_F(FailedStartTest, NulInAnArgument) {
  EXPECT_NE(problem_of(program({"/bin/echo", std::string("a\0b", 3)})).find("NUL"),
            std::string::npos);
}

TEST_F(FailedStartTest, NulOrEqualsSignInTheEnvironment) {
  ProcessSpec spec = shell("exit 0");
  spec.environment["A"] = std::string("a\0b", 3);
  EXPECT_NE(problem_of(spec).find("'A' holds a NUL byte"), std::string::npos);
  spec.environment = {{"A=B", "c"}};
  EXPECT_NE(problem_of(spec).find("name of an environment variable"), std::string::npos);
}

TEST_F(FailedStartTest, NoProgram) {
  EXPECT_NE(problem_of(program({})).find("no program"), std::string::npos);
  EXPECT_NE(problem_of(program({""})).find("no program"), std::string::npos);
}

TEST_F(BoostProcessRunnerTest, FailsToStartWithoutDescriptors) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  std::array<int, 2> counts{};  // failed, exited
  for (rlim_t spare = 0; spare < 24; ++spare) {
    const rlimit tight{.rlim_cur = open_descriptor_count() - 1 + spare,
                       .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &tight);
    const Finished finished = run(shell("setsid sleep 100 & exit 0"));
    ::setrlimit(RLIMIT_NOFILE, &before);
    const bool has_failed = finished.outcome.end == ProcessEnd::start_failed;
    EXPECT_TRUE(has_failed || finished.outcome.exit_code == 0);
    EXPECT_EQ(has_failed, !finished.outcome.start_problem.empty());
    EXPECT_TRUE(our_children().empty()) << "with " << spare << " descriptors to spare";
    ++counts.at(has_failed ? 0 : 1);
  }
  EXPECT_GT(counts[0], 0);
  EXPECT_GT(counts[1], 0);
}

// --- many runs ---

TEST_F(BoostProcessRunnerTest, LeavesNothingAfter200Runs) {
  const std::size_t before = open_descriptor_count();
  for (int i = 0; i < 50; ++i) {
    run(shell("exit 0"));
    run(shell("setsid sleep 100 & exit 1"));
    run(shell("kill -9 $$"));
    run(program({make_file("unknown", "no format", 0755)}));
  }
  EXPECT_EQ(open_descriptor_count(), before);
  EXPECT_TRUE(our_children().empty());
}

TEST_F(BoostProcessRunnerTest, RunsChildrenInManyThreadsAtOnce) {
  constexpr int kThreads = 8;
  constexpr int kRuns = 10;
  const std::string broken = make_file("unknown", "no format", 0755);
  std::array<int, kThreads> good_counts{};
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kRuns; ++i) {
          const std::string name = std::to_string((thread * kRuns) + i);
          const Finished finished =
              run(shell("(setsid sleep 100 &); echo " + name + "; exit " + std::to_string(i)));
          const bool is_broken_told =
              run(program({broken})).outcome.end == ProcessEnd::start_failed;
          good_counts.at(static_cast<std::size_t>(thread)) +=
              is_broken_told && finished.outcome.exit_code == i && finished.output == name + "\n"
                  ? 1
                  : 0;
        }
      });
    }
  }
  for (const int good_count : good_counts) {
    EXPECT_EQ(good_count, kRuns);
  }
}

TEST_F(BoostProcessRunnerTest, AChildOfOneThreadDoesNotHoldThePipesOfAnother) {
  const std::jthread longer([&] { run(shell("sleep 1")); });
  for (int i = 0; i < 20; ++i) {
    EXPECT_LT(run(shell("exit 0")).outcome.duration_s, 0.8);
  }
}

TEST_F(BoostProcessRunnerTest, BothWaysToFindChildrenAgree) {
  std::vector<pid_t> searched;
  std::vector<pid_t> listed;
  const auto observe = [&](OutputStream /*stream*/, std::string_view bytes) {
    const pid_t leader = numbers_in(std::string(bytes)).at(0);
    searched = searched_children(leader);
    listed = listed_children(leader).value_or(searched);
    ::kill(leader, SIGKILL);
  };
  BoostProcessRunner().run(shell("sleep 100 & sleep 100 & echo $$; wait"), observe, {});
  EXPECT_EQ(searched.size(), 2U);
  EXPECT_TRUE(std::ranges::is_permutation(searched, listed));
}

}  // namespace
}  // namespace harness::launch
