#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/report/chart_scale.h"

// Where the words of a chart may stand: beside the curve and beside one another. In pixels; knows
// no SVG.

namespace harness::report {

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

/// The baseline of a label and which end of it is named: "start", "middle" or "end".
struct LabelPlace {
  double x = 0;
  double y = 0;
  const char* anchor = "start";
};

class LabelBoard {
 public:
  /// Labels stay within `frame`.
  explicit LabelBoard(const Box& frame) : frame_(frame) {}

  /// Keeps labels away from the line through `points`.
  void add_line(const std::vector<PlotPoint>& points);
  /// An upright line that a label may cross where no place nearby is better.
  void add_rule(const Box& rule) { rules_.push_back(rule); }
  void add_box(const Box& box) { boxes_.push_back(box); }

  /// The place where `text` (12 px type) covers least, earlier ones preferred; taken from then on.
  /// `places` holds at least one.
  LabelPlace place(const std::string& text, std::span<const LabelPlace> places);

 private:
  double cost_of(const Box& box) const;

  Box frame_;
  std::vector<PlotPoint> ink_;
  std::vector<Box> rules_;
  std::vector<Box> boxes_;
};

/// Room that `text` takes in 12 px type, on the generous side.
double text_width_px(const std::string& text);

}  // namespace harness::report
