#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text.h"
#include "harness/model/verdict.h"

// Figures as pages print them: a no-break space before the unit, a true minus sign, the margin in
// words. Plain text; each renderer escapes it in its own way.

namespace harness::report {

/// "12480.3 s" with a no-break space.
std::string page_figure(double value, std::string_view unit);

/// "≤ 11520 s"; empty without a limit.
std::string limit_text(const model::Finding& finding);

/// "960.3 s over, +8.3 %", "0.07 room, 8.8 %"; the sentence of the finding when it has no margin.
std::string margin_text(const model::Finding& finding, base::Language language);

/// ". 3 h 28 min 00 s instead of 3 h 12 min 00 s" for a long time beyond its limit; empty
/// otherwise. Nobody reads 12480.3 s as three and a half hours.
std::string duration_aside(const model::Finding& finding, base::Language language);

/// True when the finding is a figure that was held, or should have been held, against a limit.
bool has_limit(const model::Finding& finding);

/// Each line printable; line breaks are kept. At most `limit_bytes` of the input.
std::string printable_lines(std::string_view text, std::size_t limit_bytes = 8192);

/// The first places of evidence, "results.json:3, result_0.txt:48122 and 2 more"; printable, may be
/// empty.
std::string evidence_text(const std::vector<model::SourceRef>& sources, base::Language language);

/// "412 B", "84 kB", "6.1 MB" (powers of 1000).
std::string size_text(std::uint64_t size_bytes);

/// The value of a figure for people; "unknown" for an unknown one, at most 12 numbers of a list.
std::string figure_value_text(const model::Figure& figure, base::Language language);

/// "2026-11-30 01:30:02 UTC".
std::string utc_text(std::chrono::system_clock::time_point time);

}  // namespace harness::report
