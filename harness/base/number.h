#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Numbers from and to text, independent of the locale.

namespace harness::base {

/// A finite number written wholly as in JSON or C ("12480.3", "-5", "1e-6"); nothing otherwise, so
/// "1,5", "0x10", "nan", "" and "12 s" are nothing.
std::optional<double> parse_number(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Shortest text that reads back as the same value: 12480.3, 2.145, 0.87. Non-finite values give
/// "?".
std::string format_number(double value);

/// `value` with `digits` significant digits and no exponent for everyday sizes: 960.3, 8.3, 0.0052.
std::string format_significant(double value, int digits);

/// A measured figure for people: whole numbers in full, others with at most 7 significant digits:
/// 12480.3, 0.3371429. Seven digits hide the rounding of a subtraction (12480.3 - 11520) and keep
/// all that was measured.
std::string format_figure(double value);

/// "12480.3 s", the number as format_figure; the unit is left out when it is empty.
std::string with_unit(double value, std::string_view unit);

}  // namespace harness::base
