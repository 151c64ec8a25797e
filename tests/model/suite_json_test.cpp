#include "harness/model/suite_json.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/base/json.h"
#include "harness/base/sha256.h"
#include "harness/model/metric.h"

// The example folders beside this file are also judged by suite_schema_agreement_test.py.

namespace harness::model {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ACCEPT_SOURCE_DIR;
const fs::path kHere = kRoot / "tests" / "model";

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<fs::path> documents_of(const fs::path& folder) {
  std::set<fs::path> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") {
      out.insert(entry.path());
    }
  }
  EXPECT_FALSE(out.empty()) << folder;
  return out;
}

Suite shipped_suite(const std::string& name) {
  const fs::path path = kRoot / "suites" / (name + ".json");
  return decode_suite(content_of(path), path.string());
}

/// The complaint of `decode` about one document, or a failure of the test.
template <typename Decode>
base::ErrorParts complaint(Decode decode, const std::string& text, const std::string& name) {
  try {
    decode(text, name);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::usage) << name;
    return error.parts();
  }
  ADD_FAILURE() << name << " was accepted";
  return {};
}

/// Every document of `folder` is refused at the line, with the words and the advice that
/// FOLDER.expected.json names.
template <typename Decode>
void expect_refused(Decode decode, const std::string& folder) {
  const fs::path list = kHere / (folder + ".expected.json");
  const base::JsonNode expected = base::parse_json(content_of(list), list.string());
  EXPECT_EQ(documents_of(kHere / folder).size(), expected.members.size()) << folder;
  for (const auto& [name, wanted] : expected.members) {
    const auto parts = complaint(decode, content_of(kHere / folder / name), name);
    const auto line = static_cast<int>(wanted.find("line")->number);
    EXPECT_EQ(parts.on, name + ":" + std::to_string(line));
    const std::string& happened = wanted.find("happened")->string;
    EXPECT_NE(parts.happened.en.find(happened), std::string::npos)
        << name << ": " << parts.happened.en;
    EXPECT_FALSE(parts.happened.zh.empty()) << name;
    if (const base::JsonNode* next = wanted.find("next")) {
      EXPECT_NE(parts.next.en.find(next->string), std::string::npos)
          << name << ": " << parts.next.en;
      EXPECT_FALSE(parts.next.zh.empty()) << name;
    }
  }
}

/// `text` with the one occurrence of `from` replaced.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string typical_suite() {
  return content_of(kHere / "suites_good" / "typical.json");
}

TEST(Suite, good_examples_decode) {
  for (const fs::path& path : documents_of(kHere / "suites_good")) {
    EXPECT_NO_THROW(decode_suite(content_of(path), path.string())) << path;
  }
}

TEST(Suite, bad_examples_are_refused_with_line_and_advice) {
  expect_refused(decode_suite, "suites_bad");
}

TEST(Suite, bad_examples_beyond_the_schema_are_refused_with_line_and_advice) {
  expect_refused(decode_suite, "suites_bad_beyond_schema");
}

TEST(Suite, left_out_keys_have_their_defaults) {
  const fs::path path = kHere / "suites_good" / "smallest.json";
  const Suite suite = decode_suite(content_of(path), path.string());
  EXPECT_EQ(suite.title.zh, "Smallest");
  EXPECT_TRUE(suite.summary.empty());
  EXPECT_FALSE(suite.is_mlperf || suite.is_miniature);
  EXPECT_FALSE(suite.launch || suite.mllog || suite.reference || suite.work || suite.gpu_count);
  EXPECT_FALSE(suite.outputs.mllog || suite.outputs.results_json);
  EXPECT_FALSE(suite.criteria.at(0).plausible);
}

TEST(Suite, every_key_reaches_its_field) {
  const Suite suite = decode_suite(typical_suite(), "typical.json");
  const LaunchBlock& launch = suite.launch.value();
  EXPECT_EQ(launch.argv, (std::vector<std::string>{"./train", "--out", "${OUT}"}));
  EXPECT_EQ(launch.environment, (std::map<std::string, std::string>{{"OMP_NUM_THREADS", "1"}}));
  EXPECT_EQ(launch.nodes * launch.gpus_per_node, suite.gpu_count);
  EXPECT_EQ(launch.wall_limit_s, 600);
  EXPECT_EQ(launch.silence_limit_s, 120);
  EXPECT_EQ(launch.termination_grace_s, 10);
  EXPECT_EQ(suite.outputs.mllog, "result_0.txt");
  EXPECT_EQ(suite.outputs.results_json, "results.json");
  EXPECT_EQ(suite.outputs.other, std::vector<std::string>{"details.txt"});
  EXPECT_EQ(suite.mllog->samples_per_epoch_num * 2048, 1);
  EXPECT_EQ(suite.mllog->official_run_count, 3U);
  EXPECT_EQ(suite.reference->gpus, 1);
  EXPECT_EQ(suite.work->flop_per_parameter_and_token, 6);
  const Criterion& quality = suite.criteria.at(0);
  EXPECT_EQ(quality.comparison, Comparison::at_most);
  EXPECT_EQ(quality.plausible->comparison, Comparison::greater_than);
  EXPECT_EQ(quality.plausible->limit, 2.6);
  EXPECT_EQ(suite.criteria.at(1).evidence.size(), 2U);
}

TEST(Suite, container_keys_reach_their_fields) {
  const fs::path path = kHere / "suites_good" / "container.json";
  const Suite suite = decode_suite(content_of(path), path.string());
  const LaunchBlock& launch = suite.launch.value();
  EXPECT_EQ(launch.launcher, LauncherKind::podman);
  EXPECT_EQ(launch.image, "${CONT}");
  EXPECT_TRUE(launch.mounts.at(0).read_only);
  EXPECT_FALSE(launch.mounts.at(1).read_only);
  EXPECT_EQ(launch.mounts.at(1).host_path, "${OUT}");
  EXPECT_EQ(launch.nodes, 4);
  EXPECT_EQ(launch.silence_limit_s, 0);
}

TEST(Suite, evidence_of_a_tool_keeps_its_name) {
  const fs::path path = kHere / "suites_good" / "tool_evidence.json";
  const Suite suite = decode_suite(content_of(path), path.string());
  EXPECT_EQ(suite.criteria.at(0).evidence.at(0).to_string(), "tool:nccl-tests");
}

TEST(Suite, keeps_its_bytes_and_their_digest) {
  const std::string text = typical_suite();
  const Suite suite = decode_suite(text, "a/typical.json");
  EXPECT_EQ(suite.text, text);
  EXPECT_EQ(suite.digest, base::sha256_hex(text));
  EXPECT_EQ(suite.path, "a/typical.json");
}

TEST(Suite, comments_are_tolerated_and_count_as_lines) {
  const std::string text = replaced(typical_suite(), "{\n", "{\n  // the site's\n  /* own */\n");
  EXPECT_NO_THROW(decode_suite(text, "x.json"));
  const auto parts =
      complaint(decode_suite, replaced(text, "\"limit\": 600", "\"limit\": true"), "x.json");
  EXPECT_EQ(parts.on, "x.json:38");
  EXPECT_EQ(parts.happened.zh, "criteria[1].limit：应为数值，实际是布尔值");
}

TEST(Suite, foreign_bytes_are_escaped_in_messages) {
  const std::string text =
      replaced(typical_suite(), "\"limit\": 600", R"("li\u001b[31m\u202emit": 600)");
  const auto parts = complaint(decode_suite, text, "x.json");
  EXPECT_EQ(parts.happened.en, "criteria[1].li\\x1b[31m\\u202emit: unknown key");
}

TEST(Suite, a_huge_key_gives_a_short_message) {
  const std::string text =
      replaced(typical_suite(), "\"limit\": 600", '"' + std::string(1'000'000, 'k') + "\": 600");
  EXPECT_LT(complaint(decode_suite, text, "x.json").happened.en.size(), 200U);
}

TEST(Suite, numbers_beyond_a_double_are_refused) {
  for (const char* number : {"NaN", "Infinity", "1e999"}) {
    const std::string text =
        replaced(typical_suite(), "\"limit\": 600", std::string("\"limit\": ") + number);
    complaint(decode_suite, text, "x.json");
  }
}

TEST(Suite, every_cut_of_a_document_is_refused) {
  const std::string text = typical_suite();
  const std::size_t last_brace = text.rfind('}');
  for (std::size_t size = 0; size <= last_brace; ++size) {
    complaint(decode_suite, text.substr(0, size), "x.json");
  }
}

TEST(ShippedSuites, have_the_name_of_their_file) {
  for (const fs::path& path : documents_of(kRoot / "suites")) {
    EXPECT_EQ(decode_suite(content_of(path), path.string()).name, path.stem().string());
  }
}

TEST(ShippedSuites, speak_both_languages) {
  for (const fs::path& path : documents_of(kRoot / "suites")) {
    const Suite suite = decode_suite(content_of(path), path.string());
    EXPECT_NE(suite.title.en, suite.title.zh) << path;
    EXPECT_NE(suite.summary.en, suite.summary.zh) << path;
  }
}

TEST(ShippedSuites, name_systems_that_exist) {
  for (const fs::path& path : documents_of(kRoot / "suites")) {
    const Suite suite = decode_suite(content_of(path), path.string());
    if (suite.system) {
      EXPECT_TRUE(fs::exists(kRoot / "suites" / "systems" / (*suite.system + ".json"))) << path;
    }
  }
}

TEST(ShippedSuites, gpt3_carries_the_figures_of_the_site) {
  const Suite suite = shipped_suite("gpt3");
  std::map<std::string, double> limits;
  for (const Criterion& criterion : suite.criteria) {
    limits[criterion.metric] = criterion.limit;
  }
  EXPECT_EQ(limits, (std::map<std::string, double>{{"time_to_train_s", 11520},
                                                   {"final_loss", 2.150},
                                                   {"scaling_efficiency", 0.8},
                                                   {"log_perplexity", 2.69}}));
  EXPECT_EQ(suite.gpu_count, 128);
  EXPECT_EQ(suite.reference->gpus, 32);
  EXPECT_EQ(suite.mllog->samples_per_epoch_num, 1.0 / 2048);
}

TEST(ShippedSuites, mlperf_benchmarks_are_named_as_in_their_logs) {
  EXPECT_EQ(shipped_suite("gpt3").mllog->benchmark, "gpt3");
  EXPECT_EQ(shipped_suite("bert").mllog->benchmark, "bert");
  EXPECT_EQ(shipped_suite("dlrm").mllog->benchmark, "dlrm_dcnv2");
}

TEST(ShippedSuites, smoke_says_that_it_is_miniature) {
  const Suite suite = shipped_suite("smoke");
  EXPECT_TRUE(suite.is_miniature);
  EXPECT_FALSE(suite.is_mlperf);
  EXPECT_EQ(suite.launch->launcher, LauncherKind::process);
}

TEST(System, good_examples_decode) {
  for (const fs::path& path : documents_of(kHere / "systems_good")) {
    EXPECT_NO_THROW(decode_system(content_of(path), path.string())) << path;
  }
}

TEST(System, bad_examples_are_refused_with_line_and_advice) {
  expect_refused(decode_system, "systems_bad");
}

TEST(System, the_same_claim_twice_is_refused) {
  const std::string text = content_of(kHere / "systems_good" / "typical.json");
  const std::size_t from = text.find("    {\n");
  const std::string claim = text.substr(from, text.find("    }\n") + 5 - from);
  const auto parts =
      complaint(decode_system, replaced(text, claim, claim + ",\n" + claim), "x.json");
  EXPECT_EQ(parts.happened.en,
            "expectations[1]: the same quantity, kind, condition and source stand above");
}

TEST(ShippedSystems, decode_and_have_the_name_of_their_file) {
  std::set<std::string> names;
  for (const fs::path& path : documents_of(kRoot / "suites" / "systems")) {
    const System system = decode_system(content_of(path), path.string());
    EXPECT_EQ(system.name, path.stem().string());
    EXPECT_FALSE(system.expectations.empty()) << path;
    EXPECT_TRUE(names.insert(system.name).second) << path;
    for (const std::string& alias : system.aliases) {
      EXPECT_TRUE(names.insert(alias).second) << alias << " names two machines";
    }
  }
  EXPECT_EQ(documents_of(kRoot / "suites" / "systems").size(), 13U);
}

TEST(SuiteSchema, lists_the_metrics_of_the_table) {
  const fs::path path = kRoot / "schemas" / "suite.schema.json";
  const base::JsonNode schema = base::parse_json(content_of(path), path.string());
  const base::JsonNode* listed = schema.find("$defs")->find("metric")->find("enum");
  std::vector<std::string> names;
  names.reserve(listed->items.size());
  for (const base::JsonNode& item : listed->items) {
    names.push_back(item.string);
  }
  std::vector<std::string> known;
  for (const Metric& metric : all_metrics()) {
    known.emplace_back(metric.name);
  }
  EXPECT_EQ(names, known);
}

TEST(Comparison, holds_at_and_beside_its_limit) {
  EXPECT_TRUE(holds(2.69, Comparison::at_most, 2.69));
  EXPECT_FALSE(holds(2.7, Comparison::at_most, 2.69));
  EXPECT_TRUE(holds(0.72, Comparison::at_least, 0.72));
  EXPECT_FALSE(holds(1.0, Comparison::less_than, 1.0));
  EXPECT_FALSE(holds(2.6, Comparison::greater_than, 2.6));
  EXPECT_TRUE(holds(8, Comparison::equal, 8));
  EXPECT_FALSE(holds(9, Comparison::equal, 8));
}

TEST(Comparison, not_a_number_holds_nothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Comparison comparison :
       {Comparison::at_most, Comparison::at_least, Comparison::less_than, Comparison::greater_than,
        Comparison::equal}) {
    EXPECT_FALSE(holds(nan, comparison, 0)) << comparison_token(comparison);
  }
}

}  // namespace
}  // namespace harness::model
