#include "harness/report/curve_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "harness/model/metric.h"
#include "harness/report/figure_text.h"
#include "harness/report/labels.h"

namespace harness::report {
namespace {

using base::Language;

constexpr double kNearLimit = 1.5;   ///< a time limit further away would squeeze the curve
constexpr double kMostSize = 1e100;  ///< of a value that can be drawn

/// NaN when the log does not say it.
double position_of(const CurvePoint& point, std::size_t index, HorizontalAxis axis) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  switch (axis) {
    case HorizontalAxis::time:
      return point.elapsed_s.value_or(kUnknown);
    case HorizontalAxis::samples:
      return point.samples.value_or(kUnknown);
    case HorizontalAxis::number:
      return static_cast<double>(index + 1);
  }
  return kUnknown;
}

std::vector<ReadPoint> read_points(const EvaluationCurve& curve, HorizontalAxis axis) {
  std::vector<ReadPoint> points;
  points.reserve(curve.points.size());
  for (const CurvePoint& point : curve.points) {
    points.push_back({.position = position_of(point, points.size(), axis),
                      .value = point.value.value_or(0),
                      .is_usable = is_usable(point)});
  }
  return points;
}

/// Every point has a position, and they do not step back.
bool runs_forward(const std::vector<ReadPoint>& points) {
  constexpr double kMost = 1e15;
  double before = -kMost;
  for (const ReadPoint& point : points) {
    const bool is_forward = point.position >= before && point.position <= kMost;  // NaN is not
    if (!is_forward) {
      return false;
    }
    before = point.position;
  }
  return true;
}

std::optional<QualityTarget> usable_target(const EvaluationCurve& curve) {
  const bool has_both = curve.target && curve.comparison;
  if (has_both && std::fabs(*curve.target) < kMostSize) {
    return QualityTarget{.comparison = *curve.comparison, .limit = *curve.target};
  }
  return std::nullopt;
}

bool is_near(const CurveReading& curve, double time_limit_s) {
  return curve.axis == HorizontalAxis::time && time_limit_s > 0 &&
         time_limit_s <= kNearLimit * curve.points.back().position;
}

}  // namespace

bool is_usable(const CurvePoint& point) {
  return point.value && std::fabs(*point.value) < kMostSize;
}

std::string QualityTarget::to_string() const {
  return fmt::format("{} {}", model::comparison_sign(comparison), page_figure(limit, ""));
}

std::optional<CurveReading> read_curve(const EvaluationCurve& curve,
                                       std::optional<double> time_limit_s) {
  CurveReading reading;
  reading.metric = curve.metric;
  reading.target = usable_target(curve);
  for (const HorizontalAxis axis :
       {HorizontalAxis::time, HorizontalAxis::samples, HorizontalAxis::number}) {
    reading.axis = axis;
    reading.points = read_points(curve, axis);
    if (runs_forward(reading.points)) {
      break;
    }
  }
  bool has_usable = false;
  for (std::size_t i = 0; i < reading.points.size(); ++i) {
    if (reading.points[i].is_usable) {
      reading.last = i;
      has_usable = true;
    }
  }
  if (!has_usable) {
    return std::nullopt;
  }
  if (time_limit_s && is_near(reading, *time_limit_s)) {
    reading.time_limit_s = time_limit_s;
  }
  return reading;
}

std::string curve_title(const std::string& metric, Language language) {
  if (metric.empty()) {
    return say("value", language);
  }
  const model::Metric* known = model::find_metric(metric);
  if (known == nullptr) {
    return base::printable(metric, 60);
  }
  const std::string title = known->title().in(language);  // a copy: title() is a temporary
  return known->unit.empty() ? title : title + say("comma", language) + std::string(known->unit);
}

std::string last_point_text(const CurveReading& curve, Language language) {
  const ReadPoint& point = curve.points[curve.last];
  std::string where;
  switch (curve.axis) {
    case HorizontalAxis::time:
      where = page_figure(point.position, "s");
      break;
    case HorizontalAxis::samples:
      where = fill("samples_at", language, page_figure(point.position, ""));
      break;
    case HorizontalAxis::number:
      where = fill("evaluation_number", language, page_figure(point.position, ""));
      break;
  }
  return fill("last_point", language, page_figure(point.value, ""), where);
}

std::string chart_sentence(const CurveReading& curve, Language language) {
  const ReadPoint& last = curve.points[curve.last];
  const std::string at = last_point_text(curve, language);
  std::string text =
      fill("chart_of", language, curve_title(curve.metric, language), curve.points.size());
  if (curve.target) {
    const bool is_met = model::holds(last.value, curve.target->comparison, curve.target->limit);
    text += fill(is_met ? "chart_met" : "chart_missed", language, at, curve.target->to_string());
  } else {
    text += fill("chart_ends", language, at);
  }
  if (curve.time_limit_s) {
    const bool is_late = last.position > *curve.time_limit_s;
    text += fill(is_late ? "chart_late" : "chart_limit", language,
                 page_figure(*curve.time_limit_s, "s"));
  }
  const auto gaps = std::ranges::count(curve.points, false, &ReadPoint::is_usable);
  return gaps == 0 ? text : text + fill("chart_gaps", language, gaps);
}

}  // namespace harness::report
