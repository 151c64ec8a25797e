#include "harness/report/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "harness/report/chart_scale.h"
#include "harness/report/curve_reading.h"
#include "harness/report/figure_text.h"
#include "harness/report/label_board.h"
#include "harness/report/labels.h"
#include "harness/report/markup.h"

namespace harness::report {
namespace {

using base::Language;

/// Seconds in the unit that gives the axis short numbers.
struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit time_unit(double span_s) {
  constexpr double kMostSeconds = 180;
  constexpr double kMostMinutes = 180;
  if (span_s <= kMostSeconds) {
    return {"s", 1};
  }
  return span_s <= kMostMinutes * 60 ? TimeUnit{"min", 60} : TimeUnit{"h", 3600};
}

class ChartWriter {
 public:
  ChartWriter(const CurveReading& curve, std::optional<model::VerdictWord> word, ChartWidth width,
              Language language)
      : curve_(curve),
        word_(word),
        language_(language),
        is_wide_(width == ChartWidth::wide),
        size_(is_wide_ ? PlotPoint{760, 320} : PlotPoint{358, 280}) {
    make_vertical_axis();
    make_horizontal_axis();
    make_segments();
  }

  std::string write() {
    draw_grid();
    draw_gaps();
    draw_time_limit();
    draw_target();
    draw_curve();
    draw_last_point();
    draw_titles();
    return fmt::format(
               R"(<svg class="{}" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">{}{}{}</svg>)",
               is_wide_ ? "wide" : "slim", size_.x, size_.y,
               xml_text(chart_sentence(curve_, language_)), "\n", shapes_, labels_) +
           "\n";
  }

 private:
  double x_of(double position) const {
    const double share = (position / unit_.seconds - x_.low) / (x_end_ - x_.low);
    return std::lerp(frame_.left, frame_.right, share);
  }
  double y_of(double value) const {
    return std::lerp(frame_.bottom, frame_.top, (value - y_.low) / (y_.high - y_.low));
  }

  void make_vertical_axis() {
    double low = curve_.target ? curve_.target->limit : curve_.points[curve_.last].value;
    double high = low;
    for (const ReadPoint& point : curve_.points) {
      if (point.is_usable) {
        low = std::min(low, point.value);
        high = std::max(high, point.value);
      }
    }
    y_ = axis_around(low, high, 5);
    double left = 44;
    for (const double tick : y_.ticks()) {
      left = std::max(left, text_width_px(y_.label(tick)) + 16);
    }
    frame_ = {.left = left, .top = 28, .right = size_.x - 16, .bottom = size_.y - 36};
    board_ = LabelBoard({.left = 2, .top = 14, .right = size_.x - 2, .bottom = frame_.bottom});
  }

  void make_horizontal_axis() {
    const double first = std::min(0.0, curve_.points.front().position);
    const double last =
        std::max(curve_.points.back().position, curve_.time_limit_s.value_or(first));
    if (curve_.axis == HorizontalAxis::time) {
      unit_ = time_unit(last - first);
    }
    x_ = axis_around(first / unit_.seconds, last / unit_.seconds, is_wide_ ? 8 : 4);
    x_end_ = last > first ? x_.low + (((last / unit_.seconds) - x_.low) * 1.04) : x_.high;
  }

  /// Runs of usable points in pixels.
  void make_segments() {
    std::vector<PlotPoint> segment;
    for (const ReadPoint& point : curve_.points) {
      if (point.is_usable) {
        segment.push_back({x_of(point.position), y_of(point.value)});
      } else {
        close_segment(segment);
      }
    }
    close_segment(segment);
  }

  void close_segment(std::vector<PlotPoint>& segment) {
    if (!segment.empty()) {
      segments_.push_back(reduce_to_pixels(segment));
      board_.add_line(segments_.back());
      segment.clear();
    }
  }

  void draw_grid() {
    for (const double tick : y_.ticks()) {
      const double y = y_of(tick);
      shapes_ += fmt::format(R"(<path class="{}" d="M{:.1f} {:.1f}H{:.1f}"/>)",
                             tick > y_.low ? "grid" : "axis", frame_.left, y, frame_.right);
      shapes_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                             frame_.left - 8, y + 4, y_.label(tick));
    }
    for (const double tick : x_.ticks()) {
      const double x = x_of(tick * unit_.seconds);
      if (x <= frame_.right + 0.5) {
        shapes_ += fmt::format(R"(<path class="tick" d="M{:.1f} {:.1f}v4"/>)", x, frame_.bottom);
        shapes_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                               x, frame_.bottom + 18, x_.label(tick));
      }
    }
  }

  /// A dashed frame on the axis for each stretch without a usable value.
  void draw_gaps() {
    constexpr double kGapWidth = 8;
    double covered = frame_.left - 1;
    for (const ReadPoint& point : curve_.points) {
      const double x = x_of(point.position);
      if (!point.is_usable && x > covered) {
        shapes_ +=
            fmt::format(R"(<rect class="gap" x="{:.1f}" y="{:.1f}" width="{}" height="12"/>)",
                        x - (kGapWidth / 2), frame_.bottom - 16, kGapWidth);
        covered = x + kGapWidth;
      }
    }
  }

  void draw_time_limit() {
    if (!curve_.time_limit_s) {
      return;
    }
    const double x = x_of(*curve_.time_limit_s);
    shapes_ += fmt::format(R"(<path class="limit" d="M{:.1f} {:.1f}V{:.1f}"/>)", x, frame_.top - 4,
                           frame_.bottom);
    board_.add_rule({x - 2, frame_.top - 4, x + 2, frame_.bottom});
    place_label(fill("time_limit", language_, page_figure(*curve_.time_limit_s, "s")),
                std::array{LabelPlace{x - 6, frame_.top + 8, "end"},
                           LabelPlace{x + 6, frame_.top + 8, "start"},
                           LabelPlace{x - 6, frame_.bottom - 8, "end"},
                           LabelPlace{x + 6, frame_.bottom - 8, "start"}});
  }

  void draw_target() {
    if (!curve_.target) {
      return;
    }
    const double y = y_of(curve_.target->limit);
    shapes_ += fmt::format(R"(<path class="limit" d="M{:.1f} {:.1f}H{:.1f}"/>)", frame_.left, y,
                           frame_.right);
    board_.add_line({{frame_.left, y}, {frame_.right, y}});
    place_label(fill("target", language_, curve_.target->to_string()),
                std::array{LabelPlace{frame_.left + 4, y - 6, "start"},
                           LabelPlace{frame_.right, y - 6, "end"},
                           LabelPlace{frame_.left + 4, y + 16, "start"},
                           LabelPlace{frame_.right, y + 16, "end"}});
  }

  /// Dots where they have room, and for a point between two gaps, which no line shows.
  void draw_curve() {
    constexpr double kDotSpacing = 6;  // pixels
    double count = 0;
    for (const auto& points : segments_) {
      count += static_cast<double>(points.size());
    }
    const bool has_dots = count * kDotSpacing <= frame_.right - frame_.left;
    for (const auto& points : segments_) {
      shapes_ += points.size() > 1 ? line_through(points) : "";
    }
    for (const auto& points : segments_) {
      shapes_ += has_dots || points.size() == 1 ? dots_at(points) : "";
    }
  }

  static std::string line_through(const std::vector<PlotPoint>& points) {
    std::string path;
    for (const PlotPoint& point : points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', point.x, point.y);
    }
    return fmt::format("<path class=\"ln\" d=\"{}\"/>\n", path);
  }

  static std::string dots_at(const std::vector<PlotPoint>& points) {
    std::string dots;
    for (const PlotPoint& point : points) {
      dots += fmt::format(R"(<circle class="dot dim" cx="{:.1f}" cy="{:.1f}" r="2"/>)", point.x,
                          point.y);
    }
    return dots + "\n";
  }

  void draw_last_point() {
    const ReadPoint& last = curve_.points[curve_.last];
    const double x = x_of(last.position);
    const double y = y_of(last.value);
    if (word_) {
      shapes_ += fmt::format(
          R"(<use class="{0}" href="#{0}" x="{1:.1f}" y="{2:.1f}" width="12" height="12"/>)",
          model::verdict_name(*word_), x - 6, y - 6);
    } else {
      shapes_ += fmt::format(R"(<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="4"/>)", x, y);
    }
    board_.add_box({x - 6, y - 6, x + 6, y + 6});
    place_label(last_point_text(curve_, language_), places_around(x, y));
  }

  /// Below and above the point, nearest first.
  std::vector<LabelPlace> places_around(double x, double y) const {
    std::vector<LabelPlace> places;
    for (const double distance : {24.0, -14.0, 40.0, -30.0, -46.0}) {
      places.push_back({x, y + distance, "middle"});
      places.push_back({std::min(x + 6, frame_.right), y + distance, "end"});
      for (const double left : {10.0, 40.0, 80.0}) {
        places.push_back({x - left, y + distance, "end"});
      }
      places.push_back({x + 10, y + distance, "start"});
    }
    return places;
  }

  void draw_titles() {
    std::string title = curve_title(curve_.metric, language_);
    if (y_.low < 0 || y_.low > 0) {
      title = fill("axis_starts", language_, title, y_.label(y_.low));
    }
    labels_ += fmt::format(R"(<text x="{:.1f}" y="12">{}</text>)", frame_.left, xml_text(title));
    labels_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>)",
                           frame_.right, size_.y - 4, xml_text(horizontal_title()));
  }

  std::string horizontal_title() const {
    switch (curve_.axis) {
      case HorizontalAxis::time:
        return fill("axis_time", language_, unit_.name);
      case HorizontalAxis::samples:
        return say("axis_samples", language_);
      case HorizontalAxis::number:
        return say("axis_number", language_);
    }
    return "";
  }

  void place_label(const std::string& text, std::span<const LabelPlace> places) {
    const LabelPlace place = board_.place(text, places);
    labels_ +=
        fmt::format(R"(<text class="hi halo" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)",
                    place.x, place.y, place.anchor, xml_text(text));
  }

  const CurveReading& curve_;
  std::optional<model::VerdictWord> word_;
  Language language_;
  bool is_wide_;
  PlotPoint size_;
  TimeUnit unit_{"", 1};
  Axis x_;
  Axis y_;
  double x_end_ = 1;  ///< right end of the plot, in `unit_`
  Box frame_;
  LabelBoard board_{{}};
  std::vector<std::vector<PlotPoint>> segments_;
  std::string shapes_;
  std::string labels_;
};

}  // namespace

std::string render_evaluation_chart(const EvaluationCurve& curve, const ChartContext& context,
                                    ChartWidth width, Language language) {
  const auto reading = read_curve(curve, context.time_limit_s);
  return reading ? ChartWriter(*reading, context.word, width, language).write() : "";
}

}  // namespace harness::report
