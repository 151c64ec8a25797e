#include "harness/base/text.h"

#include <gtest/gtest.h>

namespace harness::base {
namespace {

TEST(Printable, KeepsChineseAndEscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("训练 done"), "训练 done");
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("a\r\nb"), "a\\x0d\\x0ab");
}

TEST(Printable, BrokenUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(printable("\xC4\xE3"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // GBK
  EXPECT_EQ(printable("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong '/'
  EXPECT_TRUE(is_valid_utf8(printable("\xED\xA0\x80 \xF8 \xE4\xBD")));
}

TEST(Printable, BidirectionalOverrideIsNamed) {
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\\u202eb");
}

TEST(Printable, LongTextIsCutWithAMark) {
  EXPECT_EQ(printable("abcdef", 3), "abc…");
}

TEST(DisplayWidth, CountsChineseAsTwoColumns) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("不通过"), 6U);
  EXPECT_EQ(pad_right("通过", 6), "通过  ");
}

TEST(Wrap, BreaksAtSpacesAndBetweenWideCharacters) {
  EXPECT_EQ(wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("训练时间未达到目标", 8),
            (std::vector<std::string>{"训练时间", "未达到目", "标"}));
  EXPECT_EQ(wrap("abcdefghij k", 4), (std::vector<std::string>{"abcdefghij", "k"}));
  EXPECT_EQ(wrap("", 4), (std::vector<std::string>{""}));
}

TEST(Nearest, FindsASlipAndNothingFarAway) {
  EXPECT_EQ(nearest("limitt", {"limit", "metric"}), "limit");
  EXPECT_EQ(nearest("gtp3", {"gpt3", "bert"}), "gpt3");
  EXPECT_EQ(nearest("xyz", {"limit", "metric"}), "");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ',').size(), 1U);
}

}  // namespace
}  // namespace harness::base
