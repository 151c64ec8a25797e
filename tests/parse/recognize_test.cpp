#include "harness/parse/recognize.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/parse/mllog_lines.h"

namespace harness::parse {
namespace {

using test::record;

TEST(Recognize, LogsByTheirRecords) {
  EXPECT_EQ(recognize(test::small_training()), ArtifactKind::mllog);
  EXPECT_EQ(recognize("{\"performance\": \"a config dump\"}\n0: " + record(1, "a") + "\n"),
            ArtifactKind::mllog);
  EXPECT_EQ(recognize(":::MLL 1585300110.120 run_start: {}\n"), ArtifactKind::mllog);
  EXPECT_EQ(recognize("x\n:::MLLOG {\"cut"), ArtifactKind::mllog);
}

TEST(Recognize, LogsInUtf16) {
  std::string wide = "\xFF\xFE";
  for (const char c : test::small_training()) {
    wide += {c, '\0'};
  }
  EXPECT_EQ(recognize(wide), ArtifactKind::mllog);
}

TEST(Recognize, ResultsByTheirObject) {
  EXPECT_EQ(recognize(R"({"performance": {"final_loss": 2}})"), ArtifactKind::results_json);
  EXPECT_EQ(recognize("\xEF\xBB\xBF // site file\n/* v1 */ {\n \"performance\": {}}"),
            ArtifactKind::results_json);
  EXPECT_EQ(recognize(R"({"note": "from :::MLLOG {\"key\": 1}", "performance": {}})"),
            ArtifactKind::results_json);
}

TEST(Recognize, TheRestIsUnknown) {
  for (const char* text : {"", "prose", "{}", R"({"quote": ":::MLLOG {\"key\": 1}"})", "[]",
                           "// only a comment", "performance: 3"}) {
    EXPECT_EQ(recognize(text), ArtifactKind::unknown) << text;
  }
}

TEST(Recognize, LooksAtTheFrontOnly) {
  EXPECT_EQ(recognize(std::string(kRecognizeBytes, 'x') + record(1, "a")), ArtifactKind::unknown);
}

}  // namespace
}  // namespace harness::parse
