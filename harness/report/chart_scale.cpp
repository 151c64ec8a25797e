#include "harness/report/chart_scale.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace harness::report {
namespace {

/// The smallest of 1, 2, 5 times a power of ten that is not below `rough`.
double round_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1 + 1e-9)) {
      return factor * power;
    }
  }
  return 10 * power;
}

/// The lowest and the highest of one pixel column, in their order.
void add_extremes(std::vector<PlotPoint>::const_iterator first,
                  std::vector<PlotPoint>::const_iterator last, std::vector<PlotPoint>& out) {
  const auto [low, high] = std::minmax_element(
      first, last, [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; });
  out.push_back(*std::min(low, high));
  if (low != high) {
    out.push_back(*std::max(low, high));
  }
}

}  // namespace

std::vector<double> Axis::ticks() const {
  constexpr double kMostTicks = 50;
  std::vector<double> values;
  const auto count = static_cast<int>(std::clamp(std::round((high - low) / step), 1.0, kMostTicks));
  for (int i = 0; i <= count; ++i) {
    values.push_back(low + (i * step));
  }
  return values;
}

std::string Axis::label(double tick) const {
  const double size = std::max(std::fabs(low), std::fabs(high));
  std::string text;
  if (size >= 1e6 || step < 1e-6) {
    text = fmt::format("{:.4g}", tick);
  } else {
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    text = fmt::format("{:.{}f}", tick, decimals);
  }
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  if (text.starts_with('-')) {
    return is_zero ? text.substr(1) : "\u2212" + text.substr(1);
  }
  return text;
}

Axis axis_around(double low, double high, std::size_t most_steps) {
  constexpr double kNearZero = 0.25;
  if (low >= 0 && low <= kNearZero * high) {
    low = 0;
  }
  // Below this the difference is rounding, and a step of it would vanish beside the numbers.
  const double least = std::max(1e-200, 1e-9 * std::max(std::fabs(low), std::fabs(high)));
  if (!(high - low > least)) {
    const double room = low == 0 ? 1 : std::fabs(low) * 0.1;
    low -= low == 0 ? 0 : room;
    high += room;
  }
  const double step =
      round_step((high - low) / static_cast<double>(std::max<std::size_t>(most_steps, 1)));
  return {.low = std::floor((low / step) + 1e-9) * step,
          .high = std::ceil((high / step) - 1e-9) * step,
          .step = step};
}

std::vector<PlotPoint> reduce_to_pixels(const std::vector<PlotPoint>& points) {
  std::vector<PlotPoint> out;
  auto first = points.begin();
  while (first != points.end()) {
    const double column = std::floor(first->x);
    const auto last = std::find_if(
        first, points.end(), [column](const PlotPoint& p) { return std::floor(p.x) != column; });
    add_extremes(first, last, out);
    first = last;
  }
  return out;
}

}  // namespace harness::report
