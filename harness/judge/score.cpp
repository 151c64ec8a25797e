#include "harness/judge/score.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace harness::judge {

OlympicScore olympic_score(std::span<const TimedRun> runs) {
  constexpr std::size_t kFewestRuns = 3;
  OlympicScore score;
  score.run_count = runs.size();
  std::vector<TimedRun> ranked(runs.begin(), runs.end());
  // Failed runs rank behind the slowest time; equal times by name, so that the same runs give the
  // same answer.
  std::ranges::sort(ranked, [](const TimedRun& a, const TimedRun& b) {
    constexpr double kFailed = std::numeric_limits<double>::infinity();
    return std::tuple(a.time_to_train_s.value_or(kFailed), std::string_view(a.name)) <
           std::tuple(b.time_to_train_s.value_or(kFailed), std::string_view(b.name));
  });
  score.valid_count = static_cast<std::size_t>(std::ranges::count_if(
      ranked, [](const TimedRun& run) { return run.time_to_train_s.has_value(); }));
  const std::size_t failed = score.run_count - score.valid_count;
  if (failed > 1) {
    score.why_none = {
        fmt::format("no score: {} of {} runs valid ({} failed or aborted; one is allowed)",
                    score.valid_count, score.run_count, failed),
        fmt::format("无成绩：{} 次运行中 {} 次有效（{} 次失败或中止；只允许 1 次）",
                    score.run_count, score.valid_count, failed)};
    return score;
  }
  if (score.run_count < kFewestRuns) {
    score.why_none = {
        fmt::format("no score: {} runs, at least 3 are needed to drop fastest and slowest",
                    score.run_count),
        fmt::format("无成绩：仅 {} 次运行，至少需要 3 次才能去掉最快和最慢", score.run_count)};
    return score;
  }
  score.fastest = ranked.front().name;
  score.slowest = ranked.back().name;
  const std::span<const TimedRun> kept(ranked.begin() + 1, ranked.end() - 1);
  score.averaged_count = kept.size();
  const double sum = std::accumulate(
      kept.begin(), kept.end(), 0.0,
      [](double total, const TimedRun& run) { return total + run.time_to_train_s.value_or(0); });
  score.mean_s = sum / static_cast<double>(kept.size());
  return score;
}

}  // namespace harness::judge
