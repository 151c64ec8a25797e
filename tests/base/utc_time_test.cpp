#include "harness/base/utc_time.h"

#include <gtest/gtest.h>

namespace harness::base {
namespace {

TEST(UtcTime, IsRfc3339) {
  const auto time = std::chrono::system_clock::from_time_t(1796056200);  // date -u -d @1796056200
  EXPECT_EQ(to_rfc3339(time), "2026-11-30T16:30:00Z");
  EXPECT_EQ(to_compact_utc(time), "20261130-163000");
}

TEST(DurationText, ReadsLikeAClock) {
  EXPECT_EQ(to_duration_text(12.34), "12.3 s");
  EXPECT_EQ(to_duration_text(125), "2 min 05 s");
  EXPECT_EQ(to_duration_text(12480.3), "3 h 28 min 00 s");
  EXPECT_EQ(to_duration_text(-5), "-5.0 s");
}

}  // namespace
}  // namespace harness::base
