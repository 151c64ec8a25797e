#include "harness/base/number.h"

#include <cmath>

#include <gtest/gtest.h>

namespace harness::base {
namespace {

TEST(ParseNumber, TakesWholeNumbersOnly) {
  EXPECT_EQ(parse_number("12480.3"), 12480.3);
  EXPECT_EQ(parse_number("-5e-3"), -0.005);
  for (const char* text : {"", "1,5", "0x10", "nan", "inf", "12 s", "1e999", "--1"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(FormatFigure, KeepsWhatWasMeasured) {
  EXPECT_EQ(format_figure(12480.3), "12480.3");
  EXPECT_EQ(format_figure(12480.3 - 11520), "960.3");
  EXPECT_EQ(format_figure(2.15), "2.15");
  EXPECT_EQ(format_figure(0), "0");
  EXPECT_EQ(format_figure(11520), "11520");
  EXPECT_EQ(format_figure(1207959552), "1207959552");
  EXPECT_EQ(format_figure(NAN), "?");
}

TEST(FormatSignificant, HasNoExponentForEverydaySizes) {
  EXPECT_EQ(format_significant(8.33594, 2), "8.3");
  EXPECT_EQ(format_significant(-8.2, 2), "-8.2");
  EXPECT_EQ(format_significant(0.00521, 2), "0.0052");
  EXPECT_EQ(format_significant(123.4, 2), "123");
}

TEST(WithUnit, LeavesOutAnEmptyUnit) {
  EXPECT_EQ(with_unit(12480.3, "s"), "12480.3 s");
  EXPECT_EQ(with_unit(0.87, ""), "0.87");
}

}  // namespace
}  // namespace harness::base
