#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/text.h"
#include "harness/report/report.h"

// What an evaluation curve says, before it is drawn: which points can be used, along which axis, in
// which words.

namespace harness::report {

/// What the points stand along: the time since run_start; the trained samples where times are
/// missing or step back; the number of the evaluation where these do, too.
enum class HorizontalAxis { time, samples, number };

/// A point is usable when its value is finite and below 1e100 in size.
bool is_usable(const CurvePoint& point);

struct ReadPoint {
  double position = 0;  ///< in seconds, samples or from 1; never falls
  double value = 0;     ///< of usable points
  bool is_usable = false;
};

struct QualityTarget {
  model::Comparison comparison = model::Comparison::at_most;
  double limit = 0;

  std::string to_string() const;  ///< "≤ 2.15"
};

struct CurveReading {
  std::string metric;
  HorizontalAxis axis = HorizontalAxis::time;
  std::vector<ReadPoint> points;  ///< as logged; at least one is usable
  std::size_t last = 0;           ///< index of the last usable one
  std::optional<QualityTarget> target;
  std::optional<double>
      time_limit_s;  ///< where the run came near it: below 1.5 times its last evaluation
};

/// Nothing when no point is usable.
std::optional<CurveReading> read_curve(const EvaluationCurve& curve,
                                       std::optional<double> time_limit_s);

/// Plain text, to be escaped: "final loss", with its unit when it has one; "Value" for no name.
std::string curve_title(const std::string& metric, base::Language language);
/// The last usable point: "2.145 at 12480.3 s".
std::string last_point_text(const CurveReading& curve, base::Language language);
/// What the chart shows, in a sentence: for people who hear it.
std::string chart_sentence(const CurveReading& curve, base::Language language);

}  // namespace harness::report
