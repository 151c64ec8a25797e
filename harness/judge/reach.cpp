#include "harness/judge/reach.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "harness/base/number.h"

namespace harness::judge {
namespace {

// GPT-3 175B in MLPerf Training v3.0: 6 x 175e9 x tokens to converge / (GPUs x time), against
// H100's 989 TFLOP/s of dense BF16. NVIDIA, 512 H100: 1,207,959,552 tokens in 3856 s give 642
// TFLOP/s = 65 %; CoreWeave, 3584 H100: 1,211,105,280 tokens in 656 s give 541 TFLOP/s = 55 %. Both
// compute partly in FP8, whose peak is twice as high; BF16 alone stays below.
constexpr double kPublishedShareLow = 0.55;
constexpr double kPublishedShareHigh = 0.65;
constexpr double kWarningShare = 0.60;  // between the two

constexpr double kFlopPerTflop = 1e12;
constexpr double kSecondsPerHour = 3600;

struct Reach {
  double flop = 0;
  int gpus = 0;
  std::string gpu_model;
  double peak_tflop_per_s = 0;  ///< per GPU

  double least_time_s() const { return flop / (gpus * peak_tflop_per_s * kFlopPerTflop); }
};

std::optional<Reach> reach_of(const model::Suite& suite, const model::System* system) {
  if (system == nullptr || !system->peak_bf16_tflop_per_s || !suite.work || !suite.gpu_count) {
    return std::nullopt;
  }
  const model::ModelWork& work = *suite.work;
  return Reach{.flop = work.parameters * work.tokens * work.flop_per_parameter_and_token,
               .gpus = *suite.gpu_count,
               .gpu_model = system->gpu_model,
               .peak_tflop_per_s = *system->peak_bf16_tflop_per_s};
}

/// "11520 s (3.20 h)"
std::string with_hours(double time_s) {
  const std::string seconds =
      time_s < 1000 ? base::format_significant(time_s, 3) : fmt::format("{:.0f}", time_s);
  return fmt::format("{} s ({} h)", seconds, base::format_significant(time_s / kSecondsPerHour, 3));
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", share * 100);
}

/// What the figures rest on: "1.24e+21 FLOP on 128 x NVIDIA A100 at 312 TFLOP/s".
base::Text basis(const Reach& reach) {
  const std::string peak = base::format_number(reach.peak_tflop_per_s);
  return {fmt::format("{:.3g} FLOP on {} x {}, each at its peak of {} TFLOP/s (BF16, dense)",
                      reach.flop, reach.gpus, reach.gpu_model, peak),
          fmt::format("{:.3g} FLOP，{} 块 {}，每块峰值 {} TFLOP/s（BF16，稠密）", reach.flop,
                      reach.gpus, reach.gpu_model, peak)};
}

base::Text impossible(const model::Criterion& criterion, const Reach& reach) {
  const std::string limit = with_hours(criterion.limit);
  const std::string least = with_hours(reach.least_time_s());
  const std::string_view sign = model::comparison_sign(criterion.comparison);
  const base::Text why = basis(reach);
  return {fmt::format("time to train {} {} is beyond the hardware's reach even at 100 % of "
                      "peak: {} take at least {}",
                      sign, limit, why.en, least),
          fmt::format("“训练时间 {} {}”即使按峰值的 100 % 计算也超出硬件能力：{}，至少需要 {}",
                      sign, limit, why.zh, least)};
}

base::Text demanding(const model::Criterion& criterion, const Reach& reach) {
  const std::string limit = with_hours(criterion.limit);
  const std::string share = percent(reach.least_time_s() / criterion.limit);
  const std::string low = fmt::format("{:.0f}", kPublishedShareLow * 100);
  const std::string high = percent(kPublishedShareHigh);
  const std::string_view sign = model::comparison_sign(criterion.comparison);
  const base::Text why = basis(reach);
  return {fmt::format("time to train {} {} would need {} of peak ({}); MLPerf Training v3.0 "
                      "runs of GPT-3 on H100 come to {}-{} of the BF16 peak, with the help of FP8",
                      sign, limit, share, why.en, low, high),
          fmt::format("“训练时间 {} {}”需要达到峰值的 {}（{}）；MLPerf Training v3.0 中 H100 上的 "
                      "GPT-3 运行折合 BF16 峰值的 {}–{}，且借助了 FP8",
                      sign, limit, share, why.zh, low, high)};
}

bool is_time_limit(const model::Criterion& criterion) {
  const bool is_upper = criterion.comparison == model::Comparison::at_most ||
                        criterion.comparison == model::Comparison::less_than;
  return is_upper && criterion.metric == "time_to_train_s";
}

}  // namespace

std::vector<base::Text> limits_out_of_reach(const model::Suite& suite,
                                            const model::System* system) {
  const std::optional<Reach> reach = reach_of(suite, system);
  std::vector<base::Text> out;
  if (!reach) {
    return out;
  }
  const double least_s = reach->least_time_s();
  for (const model::Criterion& criterion : suite.criteria) {
    if (!is_time_limit(criterion)) {
      continue;
    }
    if (criterion.limit < least_s) {
      out.push_back(impossible(criterion, *reach));
    } else if (criterion.limit * kWarningShare < least_s) {
      out.push_back(demanding(criterion, *reach));
    }
  }
  return out;
}

}  // namespace harness::judge
