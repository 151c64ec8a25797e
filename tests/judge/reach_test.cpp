#include "harness/judge/reach.h"

#include <string>

#include <gtest/gtest.h>

namespace harness::judge {
namespace {

model::System machine(const std::string& gpu_model, double peak_tflop_per_s) {
  model::System system;
  system.gpu_model = gpu_model;
  system.peak_bf16_tflop_per_s = peak_tflop_per_s;
  return system;
}

const model::System kA100 = machine("NVIDIA A100", 312);
const model::System kH100 = machine("NVIDIA H100", 989);

/// GPT-3 175B to its published convergence at batch size 2048: 1.24e21 FLOP.
model::Suite gpt3(int gpus, double limit_s) {
  model::Suite suite;
  suite.gpu_count = gpus;
  suite.work = model::ModelWork{.parameters = 175e9,
                                .tokens = 1182793728,
                                .flop_per_parameter_and_token = 6,
                                .source = "published"};
  suite.criteria.push_back({.metric = "time_to_train_s",
                            .comparison = model::Comparison::at_most,
                            .limit = limit_s,
                            .plausible = {},
                            .evidence = {{model::EvidenceKind::mllog, ""}},
                            .source = "contract",
                            .note = {}});
  return suite;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Reach, a_limit_below_the_least_possible_time_is_beyond_the_hardware) {
  const auto warnings = limits_out_of_reach(gpt3(128, 11520), &kA100);
  ASSERT_EQ(warnings.size(), 1U);
  const std::string& en = warnings.front().en;
  EXPECT_TRUE(contains(en, "beyond the hardware's reach even at 100 % of peak")) << en;
  EXPECT_TRUE(contains(en, "11520 s (3.20 h)")) << en;
  EXPECT_TRUE(contains(en, "128 x NVIDIA A100")) << en;
  EXPECT_TRUE(contains(en, "at least 31098 s (8.64 h)")) << en;
  EXPECT_TRUE(contains(warnings.front().zh, "超出硬件能力")) << warnings.front().zh;
}

TEST(Reach, a_limit_that_needs_more_than_published_runs_show_is_a_warning) {
  const auto warnings = limits_out_of_reach(gpt3(128, 11520), &kH100);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(contains(warnings.front().en, "would need 85 % of peak")) << warnings.front().en;
  EXPECT_TRUE(contains(warnings.front().en, "55-65 % of the BF16 peak")) << warnings.front().en;
  EXPECT_TRUE(contains(warnings.front().zh, "85 %")) << warnings.front().zh;
}

TEST(Reach, a_limit_within_published_shares_is_silent) {
  EXPECT_TRUE(limits_out_of_reach(gpt3(256, 11520), &kH100).empty());  // 43 %
}

TEST(Reach, sixty_percent_of_peak_is_the_edge) {
  const double least_s = 6 * 175e9 * 1182793728 / (512 * 989e12);
  EXPECT_TRUE(limits_out_of_reach(gpt3(512, least_s / 0.599), &kH100).empty());
  EXPECT_EQ(limits_out_of_reach(gpt3(512, least_s / 0.601), &kH100).size(), 1U);
}

TEST(Reach, only_upper_limits_on_time_to_train_are_looked_at) {
  model::Suite suite = gpt3(128, 1);
  suite.criteria.front().comparison = model::Comparison::greater_than;
  EXPECT_TRUE(limits_out_of_reach(suite, &kA100).empty());
  suite.criteria.front().comparison = model::Comparison::less_than;
  suite.criteria.front().metric = "time_per_sample_s";
  EXPECT_TRUE(limits_out_of_reach(suite, &kA100).empty());
}

TEST(Reach, a_limit_of_zero_is_beyond_the_hardware) {
  EXPECT_EQ(limits_out_of_reach(gpt3(128, 0), &kA100).size(), 1U);
}

TEST(Reach, what_is_not_known_gives_no_warning) {
  EXPECT_TRUE(limits_out_of_reach(gpt3(128, 1), nullptr).empty());
  const model::System without_peak;
  EXPECT_TRUE(limits_out_of_reach(gpt3(128, 1), &without_peak).empty());
  model::Suite suite = gpt3(128, 1);
  suite.work.reset();
  EXPECT_TRUE(limits_out_of_reach(suite, &kA100).empty());
  suite = gpt3(128, 1);
  suite.gpu_count.reset();
  EXPECT_TRUE(limits_out_of_reach(suite, &kA100).empty());
}

}  // namespace
}  // namespace harness::judge
