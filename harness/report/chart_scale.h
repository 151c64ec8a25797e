#pragma once

#include <cstddef>
#include <string>
#include <vector>

// The arithmetic of a chart: round axis steps, numbers of the axis, fewer points than pixels. Knows
// no SVG.

namespace harness::report {

/// An axis from `low` to `high` in equal steps; both are ticks.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;

  /// In drawing order, at least two.
  std::vector<double> ticks() const;
  /// The number at a tick with the decimals that its step needs; a true minus sign.
  std::string label(double tick) const;
};

/// Steps of 1, 2 or 5 times a power of ten around [low, high], at most about `most_steps` of them.
/// A range of one value is widened. A range of numbers >= 0 that comes near 0 starts there.
Axis axis_around(double low, double high, std::size_t most_steps);

struct PlotPoint {
  double x = 0;
  double y = 0;
};

/// At most two points per pixel column: the lowest and the highest, in the order in which they
/// came. `points` are in pixels, x not falling.
std::vector<PlotPoint> reduce_to_pixels(const std::vector<PlotPoint>& points);

}  // namespace harness::report
