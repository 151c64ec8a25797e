#pragma once

#include <optional>
#include <string>

#include "harness/base/text.h"
#include "harness/model/verdict.h"
#include "harness/report/report.h"

// The evaluation curve against its target as SVG text for a page: classes only, no style, no
// script. The page brings the style sheet and the symbols #pass, #waived, #inconclusive, #fail,
// #error that the last point is drawn with.

namespace harness::report {

enum class ChartWidth {
  wide,  ///< 760 x 320, class "wide"
  slim,  ///< 358 x 280, class "slim"; the same in words of the same size
};

/// What is drawn around the curve.
struct ChartContext {
  std::optional<model::VerdictWord>
      word;  ///< shape of the last point; a plain dot when nothing judged the curve
  std::optional<double> time_limit_s;  ///< drawn where the run came near it
};

/// Points that are not usable (curve_reading.h) are gaps, never joined across. A vertical axis that
/// does not start at 0 says so. At most two points per pixel. Empty when no point is usable.
std::string render_evaluation_chart(const EvaluationCurve& curve, const ChartContext& context,
                                    ChartWidth width, base::Language language);

}  // namespace harness::report
