// The program as a user meets it: the real binary, its exit codes, its words.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <stdlib.h>

#include "harness/base/sha256.h"
#include "harness/launch/boost_process_runner.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Answer {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class Accept : public testing::Test {
 protected:
  Accept() {
    std::string name = (fs::temp_directory_path() / "accept-cli-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Accept() override { fs::remove_all(folder_); }

  Answer run(std::vector<std::string> arguments, std::map<std::string, std::string> extra = {},
             std::stop_token stop = {}) const {
    harness::launch::BoostProcessRunner runner;
    harness::base::ProcessSpec spec;
    spec.argv = {ACCEPT_BINARY};
    std::ranges::move(arguments, std::back_inserter(spec.argv));
    spec.environment = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"}};
    spec.environment.merge(extra);
    spec.working_directory = folder_;
    spec.wall_limit = std::chrono::seconds(120);
    Answer answer;
    const auto outcome = runner.run(
        spec,
        [&answer](harness::base::OutputStream stream, std::string_view bytes) {
          (stream == harness::base::OutputStream::standard_output ? answer.out : answer.err) +=
              bytes;
        },
        std::move(stop));
    const bool ended = outcome.end == harness::base::ProcessEnd::exited ||
                       outcome.end == harness::base::ProcessEnd::cancelled;
    answer.exit_code = ended ? outcome.exit_code : -1;
    return answer;
  }

  std::string write(const std::string& name, const std::string& content) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }

  static std::string site_results(double time, double loss, double scaling) {
    return Json{{"performance",
                 {{"number_of_gpus", 128},
                  {"time_to_train", time},
                  {"target_time_to_train", 11520},
                  {"convergence_metric", "loss"},
                  {"final_loss", loss},
                  {"scaling_efficiency", scaling}}}}
        .dump();
  }

  /// A suite that runs `script` with /bin/sh in the evidence folder.
  std::string shell_suite(const std::string& script, double wall_limit_s = 30) const {
    const Json suite{{"schema", "accept-suite/1"},
                     {"name", "shell"},
                     {"title", "shell"},
                     {"is_miniature", true},
                     {"launch",
                      {{"launcher", "process"},
                       {"argv", {"/bin/sh", "-c", script}},
                       {"wall_limit_s", wall_limit_s},
                       {"termination_grace_s", 1}}},
                     {"outputs", {{"results_json", "results.json"}}},
                     {"criteria",
                      {{{"metric", "final_loss"},
                        {"comparison", "<="},
                        {"limit", 2.2},
                        {"evidence", {"results_json"}},
                        {"source", "test"}}}}};
    return write("shell.json", suite.dump());
  }

  static Json read_json(const fs::path& path) {
    std::ifstream file(path);
    return Json::parse(file);
  }

  fs::path folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Accept, SiteExampleFailsWithItsMargin) {
  const Answer answer =
      run({"check", std::string(ACCEPT_SOURCE_DIR) + "/tests/cli/site_results.json"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_TRUE(contains(answer.out, "960.3 s over")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "8.3 %")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "Not verified by MLCommons Association")) << answer.out;
}

TEST_F(Accept, SiteRulesAndPass) {
  const Answer scaler =
      run({"check", "--suite", "gpt3", write("a.json", site_results(11000, 2.2, 0.87))});
  EXPECT_EQ(scaler.exit_code, 1);
  EXPECT_TRUE(contains(scaler.out, "GradScaler growth_factor")) << scaler.out;
  const Answer network =
      run({"check", "--suite", "gpt3", write("b.json", site_results(11000, 2.1, 0.79))});
  EXPECT_EQ(network.exit_code, 1);
  EXPECT_TRUE(contains(network.out, "communication layer")) << network.out;
  const Answer passed =
      run({"check", "--suite", "gpt3", write("c.json", site_results(11000, 2.1, 0.87))});
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_TRUE(contains(passed.out, "PASS")) << passed.out;
}

TEST_F(Accept, GravestOfSeveralDecides) {
  const Answer answer = run({"check", "--json", write("a.json", site_results(11000, 2.1, 0.87)),
                             write("b.json", site_results(12000, 2.1, 0.87))});
  EXPECT_EQ(answer.exit_code, 1);
  const Json json = Json::parse(answer.out);
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["subjects"].size(), 2U);
  EXPECT_EQ(json["subjects"][0]["verdict"], "pass");
}

TEST_F(Accept, ChineseIsASwitchAndALocale) {
  const std::string file = write("a.json", site_results(12480.3, 2.145, 0.87));
  EXPECT_TRUE(contains(run({"check", "--lang", "zh", file}).out, "不通过"));
  EXPECT_TRUE(contains(run({"check", file}, {{"ACCEPT_LANG", "zh_CN.UTF-8"}}).out, "不通过"));
}

TEST_F(Accept, NoColourOutsideATerminalAndColourOnRequest) {
  const std::string file = write("a.json", site_results(12480.3, 2.145, 0.87));
  EXPECT_FALSE(contains(run({"check", file}).out, "\x1b["));
  EXPECT_TRUE(contains(run({"check", "--color", "always", file}).out, "\x1b["));
}

TEST_F(Accept, UsageErrorsExitWithTwoAndAdvice) {
  const Answer typo = run({"chek", "x"});
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_TRUE(contains(typo.err, "did you mean: accept check")) << typo.err;
  const Answer missing = run({"check", "no-such-file"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(contains(missing.err, "no-such-file")) << missing.err;
  const Answer suite = run({"check", "--suite", "gtp3", write("a.json", "{}")});
  EXPECT_EQ(suite.exit_code, 2);
  EXPECT_TRUE(contains(suite.err, "did you mean 'gpt3'")) << suite.err;
  EXPECT_EQ(run({}).exit_code, 2);
}

TEST_F(Accept, UnreadableInputIsAnErrorThatNamesTheLine) {
  const Answer answer =
      run({"check", write("results.json", "{\n\"performance\": {\n\"time_to_train\": NaN\n}}")});
  EXPECT_EQ(answer.exit_code, 4);
  EXPECT_TRUE(contains(answer.out, "results.json:3")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "Next")) << answer.out;
}

TEST_F(Accept, UnusableFigureIsInconclusiveAndSaysWhatToWrite) {
  const Answer answer =
      run({"check",
           write("r.json", R"({"performance": {"time_to_train": "3.2 h", "final_loss": 2.1}})")});
  EXPECT_EQ(answer.exit_code, 3);
  EXPECT_TRUE(contains(answer.out, "a unit is never guessed")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "correct the program that writes results.json")) << answer.out;
}

TEST_F(Accept, EvidenceFolderOfARunIsJudgedAgainAlike) {
  const std::string suite =
      shell_suite("echo '{\"performance\": {\"final_loss\": 2.1}}' > results.json");
  ASSERT_EQ(run({"run", "--suite", suite, "--out", "evidence"}).exit_code, 0);
  EXPECT_EQ(run({"check", "--suite", suite, "evidence"}).exit_code, 0);
}

TEST_F(Accept, ShippedSuitesAndSystemsAreWellFormed) {
  for (const char* suite : {"gpt3", "bert", "dlrm", "smoke"}) {
    EXPECT_EQ(run({"suites", "check", suite}).exit_code, 0) << suite;
    EXPECT_EQ(run({"suites", "show", suite}).exit_code, 0) << suite;
  }
  EXPECT_TRUE(contains(run({"suites", "check", "gpt3"}).out, "warning"));
}

TEST_F(Accept, RunLeavesASealedEvidenceFolder) {
  const std::string suite = shell_suite(
      "echo '{\"performance\": {\"final_loss\": 2.1}}' > results.json; echo out; echo err >&2");
  const Answer answer = run({"run", "--suite", suite, "--out", "evidence", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  const fs::path evidence = folder_ / "evidence";
  const Json verdict = read_json(evidence / "verdict.json");
  EXPECT_EQ(verdict, Json::parse(answer.out));
  EXPECT_EQ(verdict["verdict"], "pass");
  EXPECT_EQ(verdict["state"], "COMPLETED");
  std::ifstream manifest(evidence / "MANIFEST.sha256");
  std::size_t files = 0;
  for (std::string line; std::getline(manifest, line); ++files) {
    std::ifstream file(evidence / line.substr(66), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(line.substr(0, 64), harness::base::sha256_hex(content)) << line;
  }
  EXPECT_EQ(files, 8U);  // suite, job, stdout, stderr, results, two reports, verdict
}

TEST_F(Accept, WorkloadFailuresAreErrorsWithTheirLastWords) {
  const Answer crashed = run(
      {"run", "--suite", shell_suite("echo 'No module named torch' >&2; exit 1"), "--out", "a"});
  EXPECT_EQ(crashed.exit_code, 4);
  EXPECT_TRUE(contains(crashed.out, "exit code 1")) << crashed.out;
  EXPECT_TRUE(contains(crashed.out, "No module named torch")) << crashed.out;
  const Answer killed = run({"run", "--suite", shell_suite("kill -9 $$"), "--out", "b"});
  EXPECT_EQ(killed.exit_code, 4);
  EXPECT_TRUE(contains(killed.out, "killed by signal 9")) << killed.out;
  const Answer late = run({"run", "--suite", shell_suite("sleep 60", 1), "--out", "c"});
  EXPECT_EQ(late.exit_code, 4);
  EXPECT_TRUE(contains(late.out, "wall limit")) << late.out;
}

TEST_F(Accept, ExitCodeZeroWithoutResultIsInconclusive) {
  const Answer answer = run({"run", "--suite", shell_suite("true"), "--out", "a"});
  EXPECT_EQ(answer.exit_code, 3);
  EXPECT_TRUE(contains(answer.out, "left no results.json")) << answer.out;
}

TEST_F(Accept, MissingInterpreterSaysSo) {
  Json suite = read_json(shell_suite("true"));
  suite["launch"]["argv"] = {"no-such-interpreter"};
  const Answer answer = run({"run", "--suite", write("s.json", suite.dump()), "--out", "a"});
  EXPECT_EQ(answer.exit_code, 4);
  EXPECT_TRUE(contains(answer.out, "no-such-interpreter")) << answer.out;
}

TEST_F(Accept, OccupiedOutputFolderIsRefused) {
  write("full/x", "");
  const Answer answer = run({"run", "--suite", shell_suite("true"), "--out", "full"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_TRUE(contains(answer.err, "not empty")) << answer.err;
}

TEST_F(Accept, TerminationEndsTheJobAndStoresAnAbortedRun) {
  const std::string suite = shell_suite("sleep 300 & echo $! > pid; wait");
  std::stop_source source;
  std::jthread ender([&] {
    for (int i = 0; i < 600 && !fs::exists(folder_ / "a" / "pid"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    source.request_stop();  // SIGTERM to accept
  });
  const Answer answer = run({"run", "--suite", suite, "--out", "a"}, {}, source.get_token());
  ender.join();
  const Json verdict = read_json(folder_ / "a" / "verdict.json");
  EXPECT_EQ(verdict["verdict"], "error");
  EXPECT_EQ(verdict["state"], "ABORTED");
  EXPECT_EQ(verdict["exit_code"], 143);
  std::ifstream pid_file(folder_ / "a" / "pid");
  pid_t pid = 0;
  pid_file >> pid;
  EXPECT_NE(::kill(pid, 0), 0) << "the job's child is still there";
}

TEST_F(Accept, ClusterSuitesSayWhatThisVersionCannotStart) {
  const Answer answer = run({"run", "--suite", "gpt3", "--out", "a", "--set", "CONT=x"});
  EXPECT_TRUE(answer.exit_code == 2 || answer.exit_code == 4);
  EXPECT_FALSE(answer.err.empty());
}

}  // namespace
