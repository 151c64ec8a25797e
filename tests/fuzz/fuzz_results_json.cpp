// libFuzzer target: a results.json of any bytes. It is read or refused as a usage error; what is
// read is finite, has the right range, and whatever is shown to people is valid UTF-8.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/model/metric.h"
#include "harness/parse/recognize.h"
#include "harness/parse/results_json.h"

namespace {

void require(bool holds, const char* rule) {
  if (!holds) {
    fmt::print(stderr, "broken rule: {}\n", rule);
    std::abort();
  }
}

void check(const harness::model::ResultsJson& results) {
  for (const auto& figure : results.measurements) {
    require(std::isfinite(figure.value), "figures are finite");
    require(figure.value > 0 || results.is_miniature, "a figure is never 0 for want of one");
    require(harness::model::find_metric(figure.metric) != nullptr,
            "figures are of the metric table");
    require(figure.source.line > 0, "figures have a line");
  }
  for (const auto& issue : results.issues) {
    require(harness::base::is_valid_utf8(issue.reason.en), "reason is UTF-8");
    require(harness::base::is_valid_utf8(issue.reason.zh), "reason is UTF-8 in Chinese");
    require(issue.source.line > 0, "issues have a line");
  }
  const std::size_t told =
      results.measurements.size() + results.issues.size() + (results.convergence_metric ? 1 : 0);
  require(told == 6 || (told == 1 && results.issues.size() == 1),
          "each key is a figure or an issue");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // NOLINTNEXTLINE(*-reinterpret-cast): libFuzzer's byte type
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    check(harness::parse::parse_results_json(text, "results.json"));
  } catch (const harness::base::Error& error) {
    require(error.kind() == harness::base::ErrorKind::usage, "what is no JSON is a usage error");
    require(harness::base::is_valid_utf8(error.what()), "the message is UTF-8");
  }
  static_cast<void>(harness::parse::recognize(text));
  return 0;
}
