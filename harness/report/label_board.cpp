#include "harness/report/label_board.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "harness/base/text.h"

namespace harness::report {
namespace {

constexpr double kColumnWidth = 6.6;  // pixels
constexpr double kInkSpacing = 4;     // pixels
// In points of covered ink:
constexpr double kLaterPlace = 0.5;
constexpr double kOverRule =
    0.9;  // less than two later places: a label across an upright line can still be read
constexpr double kOverBox = 200;
constexpr double kOutside = 10'000;

bool meets(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool holds(const Box& box, const PlotPoint& point) {
  return point.x > box.left - 2 && point.x < box.right + 2 && point.y > box.top - 2 &&
         point.y < box.bottom + 2;
}

Box box_of(const LabelPlace& place, const std::string& text) {
  const double width = text_width_px(text);
  const std::string_view anchor = place.anchor;
  double left = place.x;
  if (anchor != "start") {
    left -= anchor == "end" ? width : width / 2;
  }
  return {.left = left, .top = place.y - 11, .right = left + width, .bottom = place.y + 3};
}

}  // namespace

double text_width_px(const std::string& text) {
  return static_cast<double>(base::display_width(text)) * kColumnWidth;
}

void LabelBoard::add_line(const std::vector<PlotPoint>& points) {
  constexpr double kMostSteps = 200;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const PlotPoint& from = points[i - 1];
    const PlotPoint& to = points[i];
    const double length = std::max(to.x - from.x, std::fabs(to.y - from.y));
    const auto steps =
        static_cast<int>(std::clamp(std::ceil(length / kInkSpacing), 1.0, kMostSteps));
    for (int k = 0; k < steps; ++k) {
      const double part = static_cast<double>(k) / steps;
      ink_.push_back({std::lerp(from.x, to.x, part), std::lerp(from.y, to.y, part)});
    }
  }
}

LabelPlace LabelBoard::place(const std::string& text, std::span<const LabelPlace> places) {
  std::vector<double> costs;
  costs.reserve(places.size());
  for (const LabelPlace& place : places) {
    const auto later = static_cast<double>(costs.size());
    costs.push_back(cost_of(box_of(place, text)) + (kLaterPlace * later));
  }
  const LabelPlace best =
      places[static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin())];
  boxes_.push_back(box_of(best, text));
  return best;
}

double LabelBoard::cost_of(const Box& box) const {
  const auto hits =
      std::ranges::count_if(ink_, [&box](const PlotPoint& point) { return holds(box, point); });
  const auto is_met = [&box](const Box& other) { return meets(box, other); };
  const auto rules = std::ranges::count_if(rules_, is_met);
  const auto boxes = std::ranges::count_if(boxes_, is_met);
  const bool is_outside = box.left < frame_.left || box.right > frame_.right ||
                          box.top < frame_.top || box.bottom > frame_.bottom;
  return static_cast<double>(hits) + (kOverRule * static_cast<double>(rules)) +
         (kOverBox * static_cast<double>(boxes)) + (is_outside ? kOutside : 0);
}

}  // namespace harness::report
