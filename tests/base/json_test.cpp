#include "harness/base/json.h"

#include <gtest/gtest.h>

#include "harness/base/error.h"

namespace harness::base {
namespace {

std::string problem_of(std::string_view content) {
  try {
    parse_json(content, "x.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_TRUE(is_valid_utf8(error.message(Language::en)));
    return error.message(Language::en);
  }
  return "";
}

TEST(ParseJson, EveryValueKnowsItsLine) {
  const JsonNode root = parse_json("{\n \"a\": 1,\n \"b\": [\n  true,\n  2.5\n ]\n}\n", "x");
  ASSERT_NE(root.find("a"), nullptr);
  EXPECT_EQ(root.find("a")->line, 2U);
  EXPECT_EQ(root.find("a")->kind, JsonKind::integer);
  EXPECT_EQ(root.find("b")->line, 3U);
  EXPECT_EQ(root.find("b")->items[0].line, 4U);
  EXPECT_EQ(root.find("b")->items[1].number, 2.5);
  EXPECT_EQ(root.find("c"), nullptr);
}

TEST(ParseJson, CommentsAndByteOrderMarkAreTolerated) {
  const JsonNode root = parse_json("\xEF\xBB\xBF{\"a\": 1 // seconds\n, /* x */ \"b\": 2}", "x");
  EXPECT_EQ(root.members.size(), 2U);
}

TEST(ParseJson, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_NE(problem_of("{\"a\": 1,\n\"a\": 2}").find("'x.json:2': the key \"a\" occurs twice"),
            std::string::npos);
  EXPECT_NE(problem_of("{\n\n\"a\": NaN}").find("x.json:3"), std::string::npos);
  EXPECT_NE(problem_of("{\"a\": 1e400}").find("1e400"), std::string::npos);
  EXPECT_NE(problem_of("").find("empty"), std::string::npos);
  EXPECT_NE(problem_of("{\"a\": 1} x").find("x.json:1"), std::string::npos);
  EXPECT_NE(problem_of("{\"a\": \"\xC4\xE3\"}").find("UTF-8"), std::string::npos);
  EXPECT_NE(problem_of(std::string_view("\xFF\xFE{\0", 4)).find("UTF-16"), std::string::npos);
}

TEST(ParseJson, DepthAndWidthAreBounded) {
  EXPECT_NE(problem_of(std::string(1000000, '[')).find("nested deeper"), std::string::npos);
  std::string wide = "{";
  for (int i = 0; i < 5000; ++i) {
    wide += "\"k" + std::to_string(i) + "\":0,";
  }
  EXPECT_NE(problem_of(wide).find("more than 4096 keys"), std::string::npos);
}

}  // namespace
}  // namespace harness::base
