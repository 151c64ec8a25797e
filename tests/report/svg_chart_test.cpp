#include "harness/report/svg_chart.h"

#include <limits>

#include <gtest/gtest.h>

#include "harness/report/chart_scale.h"
#include "harness/report/curve_reading.h"
#include "tests/report/sample_report.h"
#include "tests/report/well_formed.h"

namespace harness::report {
namespace {

using base::Language;
using model::Comparison;
using model::VerdictWord;

EvaluationCurve curve_of(const std::vector<double>& values) {
  EvaluationCurve curve{"final_loss", "result_0.txt", {}, 2.2, Comparison::at_most};
  for (const double value : values) {
    const auto index = static_cast<double>(curve.points.size());
    curve.points.push_back({.elapsed_s = 10 * index, .samples = 64 * index, .value = value});
  }
  return curve;
}

std::string wide(const EvaluationCurve& curve, const ChartContext& context = {}) {
  return render_evaluation_chart(curve, context, ChartWidth::wide, Language::en);
}

std::string sentence(const EvaluationCurve& curve, std::optional<double> time_limit_s) {
  return chart_sentence(read_curve(curve, time_limit_s).value(), Language::en);
}

TEST(EvaluationChart, IsWellFormedInBothWidthsAndLanguages) {
  EvaluationCurve curve = curve_of({5.5, 3.4, 2.9, 2.6, 2.18});
  curve.metric = kHostile;
  for (const ChartWidth width : {ChartWidth::wide, ChartWidth::slim}) {
    for (const Language language : {Language::en, Language::zh}) {
      const std::string svg =
          render_evaluation_chart(curve, {VerdictWord::pass, 45}, width, language);
      EXPECT_EQ(xml_problem(svg), "") << svg;
      EXPECT_EQ(svg.find("style="), std::string::npos);
      EXPECT_EQ(svg.find("<script"), std::string::npos);
      EXPECT_TRUE(base::is_valid_utf8(svg));
    }
  }
}

TEST(EvaluationChart, SaysWhatItFound) {
  const std::string svg = wide(curve_of({5.5, 2.9, 2.18}), {VerdictWord::pass, {}});
  EXPECT_NE(svg.find("role=\"img\" aria-label=\"final loss, evaluations: 3. Ends at 2.18 at "
                     "20\u00a0s, which meets "
                     "the target ≤ 2.2.\""),
            std::string::npos)
      << svg;
  EXPECT_NE(svg.find(">target ≤ 2.2<"), std::string::npos);
  EXPECT_NE(svg.find(">time since run_start, s<"), std::string::npos);
}

TEST(EvaluationChart, SaysThatItMissesTheTargetOrTheTime) {
  EXPECT_NE(sentence(curve_of({5.5, 2.9}), {}).find("misses the target"), std::string::npos);
  EXPECT_NE(sentence(curve_of({5.5, 2.1}), 8.0).find("after the time limit of 8\u00a0s"),
            std::string::npos);
}

TEST(EvaluationChart, LastPointHasTheShapeOfTheVerdict) {
  EXPECT_NE(
      wide(curve_of({3, 2}), {VerdictWord::fail, {}}).find("<use class=\"fail\" href=\"#fail\""),
      std::string::npos);
  EXPECT_EQ(wide(curve_of({3, 2})).find("<use"), std::string::npos);
}

TEST(EvaluationChart, AxisThatDoesNotStartAtZeroSaysSo) {
  EXPECT_NE(wide(curve_of({3, 2.5, 2.1})).find("axis starts at 2.0"), std::string::npos);
  EvaluationCurve accuracy = curve_of({0.05, 0.5, 0.72});
  accuracy.target = 0.72;
  accuracy.comparison = Comparison::at_least;
  EXPECT_EQ(wide(accuracy).find("axis starts"), std::string::npos);
}

TEST(EvaluationChart, ValueThatIsNotFiniteIsAGap) {
  EvaluationCurve curve = curve_of({5, 4, 3, 2.5, 2.1});
  curve.points[2].value = std::numeric_limits<double>::infinity();
  const std::string svg = wide(curve);
  EXPECT_EQ(count_of(svg, "class=\"ln\""), 2U) << svg;
  EXPECT_EQ(count_of(svg, "class=\"gap\""), 1U);
  EXPECT_NE(svg.find("1 without a usable value"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(EvaluationChart, NothingUsableIsNoChart) {
  EvaluationCurve curve = curve_of({1, 2});
  curve.points[0].value.reset();
  curve.points[1].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(wide(curve), "");
  EXPECT_EQ(wide({}), "");
}

TEST(EvaluationChart, AtMostTwoPointsPerPixel) {
  std::vector<double> values(100'000, 3);
  for (std::size_t i = 0; i < values.size(); i += 2) {
    values[i] = 2;
  }
  const std::string svg = wide(curve_of(values));
  EXPECT_LE(count_of(svg, "L"), 2U * 760U);
  EXPECT_LT(svg.size(), 40'000U);
}

TEST(EvaluationChart, StepOfTheClockFallsBackToSamplesThenToTheNumber) {
  EvaluationCurve curve = curve_of({5, 4, 3});
  curve.points[2].elapsed_s = 5;
  EXPECT_EQ(read_curve(curve, {}).value().axis, HorizontalAxis::samples);
  EXPECT_NE(wide(curve).find("trained samples"), std::string::npos);
  curve.points[1].samples.reset();
  EXPECT_EQ(read_curve(curve, {}).value().axis, HorizontalAxis::number);
  EXPECT_NE(wide(curve).find("evaluation, in file order"), std::string::npos);
}

TEST(EvaluationChart, FarTimeLimitIsLeftOut) {
  EXPECT_EQ(count_of(wide(curve_of({3, 2.1}), {{}, 12}), "class=\"limit\""), 2U);
  EXPECT_EQ(count_of(wide(curve_of({3, 2.1}), {{}, 16}), "class=\"limit\""), 1U);
}

TEST(EvaluationChart, OddValuesStayInsideTheFrame) {
  for (const std::vector<double>& values : {std::vector<double>{2.2},
                                            {0, 0},
                                            {-5, 5},
                                            {1e99, -1e99},
                                            {1e-300, 2e-300},
                                            {1e15, 1e15 + 1},
                                            {1e200, 2}}) {
    const std::string svg = wide(curve_of(values));
    EXPECT_EQ(xml_problem(svg), "") << svg;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    EXPECT_LT(svg.size(), 20'000U);
  }
}

TEST(Axis, RoundStepsAroundTheRange) {
  const Axis axis = axis_around(2.1, 5.5, 5);
  EXPECT_DOUBLE_EQ(axis.low, 2);
  EXPECT_DOUBLE_EQ(axis.high, 6);
  EXPECT_DOUBLE_EQ(axis.step, 1);
  EXPECT_EQ(axis.ticks().size(), 5U);
  EXPECT_EQ(axis_around(0.02, 0.1, 5).label(0.04), "0.04");
  EXPECT_EQ(axis_around(-2, 2, 4).label(-1), "\u22121");
}

TEST(Axis, NearZeroStartsAtZero) {
  EXPECT_DOUBLE_EQ(axis_around(0.1, 0.9, 5).low, 0);
  EXPECT_GT(axis_around(2, 3, 5).low, 0);
}

TEST(ReduceToPixels, KeepsLowestAndHighestInTheirOrder) {
  const auto reduced = reduce_to_pixels({{1.1, 5}, {1.2, 9}, {1.3, 1}, {1.9, 4}, {2.0, 7}});
  ASSERT_EQ(reduced.size(), 3U);
  EXPECT_EQ(reduced[0].y, 9);
  EXPECT_EQ(reduced[1].y, 1);
  EXPECT_EQ(reduced[2].y, 7);
}

}  // namespace
}  // namespace harness::report
