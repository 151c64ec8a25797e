#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/base/text.h"

// The one table of everything the program measures or judges: name, unit, direction, title.

namespace harness::model {

enum class Better { lower, higher, neither };

struct Metric {
  std::string_view
      name;  ///< snake_case with its unit at the end, as it stands in JSON and in suites
  std::string_view unit;  ///< as printed behind a number: "s", "GB/s"; empty for pure numbers
  Better better = Better::neither;
  std::string_view title_en;
  std::string_view title_zh;

  base::Text title() const { return {std::string(title_en), std::string(title_zh)}; }
};

/// All metrics, in the order in which a report lists them.
std::span<const Metric> all_metrics();

/// The metric named `name`, or nullptr.
const Metric* find_metric(std::string_view name);

/// As find_metric for a name that comes from our own code. Errors: bug.
const Metric& metric_named(std::string_view name);

}  // namespace harness::model
