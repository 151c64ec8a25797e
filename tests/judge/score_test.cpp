#include "harness/judge/score.h"

#include <gtest/gtest.h>

namespace harness::judge {
namespace {

TEST(OlympicScore, DropsFastestAndSlowest) {
  const std::vector<TimedRun> runs{{"a", 10}, {"b", 30}, {"c", 20}, {"d", 24}};
  const OlympicScore score = olympic_score(runs);
  EXPECT_DOUBLE_EQ(score.mean_s.value(), 22);  // (20 + 24) / 2
  EXPECT_EQ(score.fastest, "a");
  EXPECT_EQ(score.slowest, "b");
}

TEST(OlympicScore, OneFailedRunIsTheSlowest) {
  const std::vector<TimedRun> runs{{"a", 10}, {"b", std::nullopt}, {"c", 20}, {"d", 24}};
  const OlympicScore score = olympic_score(runs);
  EXPECT_DOUBLE_EQ(score.mean_s.value(), 22);
  EXPECT_EQ(score.slowest, "b");
  EXPECT_EQ(score.valid_count, 3U);
}

TEST(OlympicScore, ThreeRunsLeaveTheMedian) {
  const std::vector<TimedRun> runs{{"a", 64.3}, {"b", 63.9}, {"c", 70}};
  EXPECT_DOUBLE_EQ(olympic_score(runs).mean_s.value(), 64.3);
}

TEST(OlympicScore, TwoFailedRunsGiveNone) {
  const std::vector<TimedRun> runs{{"a", 10}, {"b", std::nullopt}, {"c", std::nullopt}, {"d", 24}};
  const OlympicScore score = olympic_score(runs);
  EXPECT_FALSE(score.mean_s);
  EXPECT_NE(score.why_none.en.find("2 of 4 runs valid"), std::string::npos);
}

TEST(OlympicScore, TooFewRunsGiveNone) {
  const std::vector<TimedRun> runs{{"a", 10}, {"b", 12}};
  EXPECT_FALSE(olympic_score(runs).mean_s);
  EXPECT_FALSE(olympic_score({}).mean_s);
}

}  // namespace
}  // namespace harness::judge
