#include "harness/report/figure_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "harness/base/number.h"
#include "harness/base/utc_time.h"
#include "harness/model/metric.h"
#include "harness/report/labels.h"

namespace harness::report {
namespace {

using base::Language;
using model::Comparison;
using model::Finding;

constexpr const char* kNoBreakSpace = "\u00a0";
constexpr const char* kMinus = "\u2212";

std::string with_true_minus(const std::string& number) {
  return number.starts_with('-') ? kMinus + number.substr(1) : number;
}

/// Which side of the limit the figure is on: a label.
const char* side_of(const Finding& finding, const model::Margin& margin) {
  if (margin.is_met) {
    return "room";
  }
  const bool is_upper =
      finding.comparison == Comparison::at_most || finding.comparison == Comparison::less_than;
  return is_upper ? "over" : "short";
}

/// ", +8.3 %": how far off, relative to the limit.
std::string percent_text(const model::Margin& margin, std::string_view side, Language language) {
  if (!margin.ratio) {
    return "";
  }
  std::string sign;
  if (!margin.is_met) {
    sign = side == "over" ? "+" : kMinus;
  }
  return fmt::format("{}{}{}{}%", say("comma", language), sign,
                     base::format_significant(*margin.ratio * 100, 2), kNoBreakSpace);
}

/// Every time of ours ends so, whether it is a metric or not.
std::string_view unit_of(const model::Figure& figure) {
  if (const model::Metric* metric = model::find_metric(figure.name); metric != nullptr) {
    return metric->unit;
  }
  return figure.name.ends_with("_s") || figure.name.ends_with("_s_per_run") ? "s" : "";
}

std::string number_list(const std::vector<double>& values, std::string_view unit) {
  constexpr std::size_t kMostShown = 12;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(values.size(), kMostShown); ++i) {
    parts.push_back(page_figure(values[i], unit));
  }
  const std::string more =
      values.size() > kMostShown ? fmt::format(" (+{})", values.size() - kMostShown) : "";
  return base::join(parts, ", ") + more;
}

}  // namespace

std::string page_figure(double value, std::string_view unit) {
  const std::string number = with_true_minus(base::format_figure(value));
  return unit.empty() ? number : number + kNoBreakSpace + base::printable(unit);
}

std::string limit_text(const Finding& finding) {
  if (!finding.limit) {
    return "";
  }
  const std::string figure = page_figure(*finding.limit, finding.unit);
  return finding.comparison
             ? fmt::format("{} {}", model::comparison_sign(*finding.comparison), figure)
             : figure;
}

std::string margin_text(const Finding& finding, Language language) {
  if (!finding.margin || !finding.limit) {
    return printable_lines(finding.text.in(language));
  }
  const model::Margin& margin = *finding.margin;
  const char* side = side_of(finding, margin);
  return fmt::format(fmt::runtime(say(side, language)), page_figure(margin.absolute, finding.unit),
                     percent_text(margin, side, language));
}

std::string duration_aside(const Finding& finding, Language language) {
  constexpr double kLongTime = 600;  // seconds
  const double limit_s = finding.limit.value_or(0);
  const bool is_beyond = finding.margin && !finding.margin->is_met;
  if (finding.unit != "s" || !finding.measured || !is_beyond || limit_s < kLongTime) {
    return "";
  }
  return fmt::format(fmt::runtime(say("instead_of", language)),
                     base::to_duration_text(*finding.measured), base::to_duration_text(limit_s));
}

bool has_limit(const Finding& finding) {
  return finding.limit.has_value();
}

std::string printable_lines(std::string_view text, std::size_t limit_bytes) {
  std::vector<std::string> lines;
  for (const std::string& line : base::split(text.substr(0, limit_bytes), '\n')) {
    lines.push_back(base::printable(line));
  }
  return base::join(lines, "\n") + (text.size() > limit_bytes ? "…" : "");
}

std::string evidence_text(const std::vector<model::SourceRef>& sources, Language language) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> places;
  for (std::size_t i = 0; i < std::min(sources.size(), kMostNamed); ++i) {
    places.push_back(base::printable(sources[i].to_string(), 400));
  }
  const std::string all = base::join(places, say("comma", language));
  return sources.size() > kMostNamed
             ? all + fmt::format(fmt::runtime(say("more_evidence", language)),
                                 sources.size() - kMostNamed)
             : all;
}

std::string size_text(std::uint64_t size_bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB"};
  auto size = static_cast<double>(size_bytes);
  std::size_t unit = 0;
  while (size >= 999.5 && unit + 1 < kUnits.size()) {
    size /= 1000;
    ++unit;
  }
  const std::string number =
      unit == 0 || size >= 99.5 ? fmt::format("{:.0f}", size) : base::format_significant(size, 2);
  return number + kNoBreakSpace + kUnits.at(unit);
}

std::string figure_value_text(const model::Figure& figure, Language language) {
  const std::string_view unit = unit_of(figure);
  if (const auto* number = std::get_if<double>(&figure.value);
      number != nullptr && std::isfinite(*number)) {
    return page_figure(*number, unit);
  }
  if (const auto* text = std::get_if<std::string>(&figure.value)) {
    return base::printable(*text);
  }
  if (const auto* list = std::get_if<std::vector<double>>(&figure.value)) {
    return number_list(*list, unit);
  }
  return say("unknown", language);
}

std::string utc_text(std::chrono::system_clock::time_point time) {
  std::string text = base::to_rfc3339(time);
  text.replace(text.find('T'), 1, " ");
  text.replace(text.find('Z'), 1, " UTC");
  return text;
}

}  // namespace harness::report
