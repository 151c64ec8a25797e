#include "harness/parse/mllog_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/parse/mllog_lines.h"

namespace harness::parse {
namespace {

using model::Issue;
using model::IssueKind;
using model::MllogEventType;
using model::MllogRecord;
using model::MllogValueKind;
using test::evaluation;
using test::record;

struct Seen {
  std::vector<MllogRecord> records;
  std::vector<Issue> issues;
  MllogCounts counts;

  std::size_t count(IssueKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(issues, kind, &Issue::kind));
  }
  const Issue& first(IssueKind kind) const {
    return *std::ranges::find(issues, kind, &Issue::kind);
  }
};

/// Reads `log` fed in pieces of `piece` bytes.
Seen read(std::string_view log, std::size_t piece = std::string::npos) {
  Seen seen;
  MllogReader reader("a.log", {[&seen](const MllogRecord& one) { seen.records.push_back(one); },
                               [&seen](Issue one) { seen.issues.push_back(std::move(one)); }});
  while (!log.empty()) {
    const std::string_view front = log.substr(0, piece);
    reader.feed(front);
    log.remove_prefix(front.size());
  }
  reader.finish();
  seen.counts = reader.counts();
  return seen;
}

std::string without(std::string line, std::string_view part) {
  const std::size_t at = line.find(part);
  return at == std::string::npos ? line : line.erase(at, part.size());
}

TEST(MllogReader, ReadsEveryFieldOfARecord) {
  const Seen seen = read(
      ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1682641208321, \"event_type\": "
      "\"INTERVAL_END\", \"key\": "
      "\"block_stop\", \"value\": 1.5, \"metadata\": {\"first_epoch_num\": 2, \"epoch_count\": 3, "
      "\"epoch_num\": 4.5, "
      "\"status\": \"success\"}}\n");

  ASSERT_EQ(seen.records.size(), 1U);
  const MllogRecord& one = seen.records[0];
  EXPECT_EQ(one.line, 1U);
  EXPECT_EQ(one.time_ms, 1682641208321);
  EXPECT_EQ(one.event_type, MllogEventType::interval_end);
  EXPECT_EQ(one.key, "block_stop");
  EXPECT_EQ(one.value.kind, MllogValueKind::number);
  EXPECT_DOUBLE_EQ(one.value.number, 1.5);
  EXPECT_TRUE(one.has_metadata);
  EXPECT_EQ(one.first_epoch_num, 2.0);
  EXPECT_EQ(one.epoch_count, 3.0);
  EXPECT_EQ(one.epoch_num, 4.5);
  EXPECT_EQ(one.status, "success");
  EXPECT_TRUE(seen.issues.empty());
}

TEST(MllogReader, TakesAnyTextBeforeTheToken) {
  const Seen seen =
      read("\xEF\xBB\xBF" + record(1, "a") + "\n 3: " + record(2, "b") + "\n[5] 99%|###| " +
           record(3, "c") + "\n\x01\xFF\xFE::: :::ML " + record(4, "d") + "\n");

  EXPECT_EQ(seen.counts.record_count, 4U);
  EXPECT_TRUE(seen.issues.empty());
}

TEST(MllogReader, LineFeedCarriageReturnAndBothEndALine) {
  const Seen seen =
      read("noise\r" + record(1, "a") + "\r\n\n" + record(2, "b") + "\r\r\n" + record(3, "c"));

  ASSERT_EQ(seen.records.size(), 3U);
  EXPECT_EQ(seen.records[0].line, 2U);
  EXPECT_EQ(seen.records[1].line, 4U);
  EXPECT_EQ(seen.records[2].line, 6U);
  EXPECT_EQ(seen.counts.line_count, 6U);
}

TEST(MllogReader, ReadsAllRecordsOfALine) {
  const Seen seen =
      read(record(1, "run_start") + record(2, "epoch_start") + " 7: " + record(3, "third") + "\n");

  ASSERT_EQ(seen.records.size(), 3U);
  EXPECT_EQ(seen.records[0].key, "run_start");
  EXPECT_EQ(seen.records[2].key, "third");
  EXPECT_EQ(seen.counts.malformed_count, 0U);
  EXPECT_EQ(seen.count(IssueKind::noticed), 1U);
}

TEST(MllogReader, TokenInsideAStringIsNoSecondRecord) {
  const Seen seen = read(record(1, "note", R"("see :::MLLOG {\"key\": 1}")") + "\n");

  EXPECT_EQ(seen.counts.record_count, 1U);
  EXPECT_TRUE(seen.issues.empty());
}

TEST(MllogReader, TextBehindARecordMakesItMalformed) {
  const Seen seen =
      read(evaluation(1, "0.5", "1") + " step 12 loss 3.2\n" + record(2, "b") + " \t\n");

  EXPECT_EQ(seen.counts.record_count, 1U);
  EXPECT_EQ(seen.counts.malformed_count, 1U);
  ASSERT_EQ(seen.count(IssueKind::malformed_record), 1U);
  EXPECT_NE(seen.issues[0].reason.en.find("step 12 loss 3.2"), std::string::npos);
}

TEST(MllogReader, RecordSplitByAnotherLineShowsBoth) {
  const std::string whole = record(9, "run_stop");
  const std::size_t cut = whole.find("ue\"");
  const Seen seen = read("x\n" + whole.substr(0, cut) + "5: loss=1.2\n" + whole.substr(cut) + "\n" +
                         record(10, "b") + "\n");

  EXPECT_EQ(seen.counts.record_count, 1U);
  EXPECT_EQ(seen.counts.malformed_count, 1U);
  ASSERT_EQ(seen.issues.size(), 1U);
  EXPECT_EQ(seen.issues[0].source.line, 2U);
  EXPECT_NE(seen.issues[0].text.find("5: loss=1.2"), std::string::npos);
  EXPECT_NE(seen.issues[0].reason.en.find("line 3"), std::string::npos);
  EXPECT_NE(seen.issues[0].reason.zh.find("train.py"), std::string::npos);
}

TEST(MllogReader, RecordCutByAnotherRecordOnItsLineLosesOnlyItself) {
  const Seen seen = read(record(1, "first").substr(0, 40) + record(2, "second") + "\n");

  ASSERT_EQ(seen.records.size(), 1U);
  EXPECT_EQ(seen.records[0].key, "second");
  EXPECT_EQ(seen.counts.malformed_count, 1U);
}

TEST(MllogReader, LogThatEndsInsideARecordIsTruncated) {
  const std::string whole = record(1, "a");
  for (std::size_t size = 8; size < whole.size(); ++size) {
    const Seen seen = read(record(0, "z") + "\n" + whole.substr(0, size));
    EXPECT_EQ(seen.counts.malformed_count, 1U) << size;
    EXPECT_EQ(seen.count(IssueKind::truncated), 1U) << size;
    EXPECT_EQ(seen.first(IssueKind::truncated).source.line, 2U);
  }
  EXPECT_TRUE(read(whole).issues.empty());  // a missing last line end alone is no loss
}

TEST(MllogReader, CutRecordWithALineEndIsMalformedAndNotTruncated) {
  const Seen seen = read(record(1, "a").substr(0, 50) + "\n");

  EXPECT_EQ(seen.counts.malformed_count, 1U);
  EXPECT_EQ(seen.count(IssueKind::truncated), 0U);
}

TEST(MllogReader, BrokenJsonIsAnIssueWithLineAndText) {
  for (const char* bad :
       {R"({"key": "a" "value": 1})", R"({"key": 01})", R"({"key": "\q"})", R"({"a": nul})", "{,}",
        "{\"key\": \"a\x01\"}", R"({"a": 1,})", R"(["list"])", "12", "prose behind the token",
        R"({"time_ms": .5})", R"({'key': 1})", R"({"a": +1})"}) {
    const Seen seen = read("x\n:::MLLOG " + std::string(bad) + "\n" + record(1, "a") + "\n");
    EXPECT_EQ(seen.counts.record_count, 1U) << bad;
    EXPECT_EQ(seen.counts.malformed_count, 1U) << bad;
    ASSERT_EQ(seen.issues.size(), 1U) << bad;
    EXPECT_EQ(seen.issues[0].kind, IssueKind::malformed_record);
    EXPECT_EQ(seen.issues[0].source.to_string(), "a.log:2");
    EXPECT_TRUE(seen.issues[0].text.starts_with(":::MLLOG")) << seen.issues[0].text;
  }
}

TEST(MllogReader, NotFiniteLiteralsAreReadAsSuch) {
  for (const char* literal : {"NaN", "Infinity", "-Infinity", "1e400", "-1e400"}) {
    const Seen seen = read(evaluation(1, literal, "1") + "\n");
    ASSERT_EQ(seen.records.size(), 1U) << literal;
    EXPECT_EQ(seen.records[0].value.kind, MllogValueKind::not_finite);
    EXPECT_EQ(seen.records[0].value.text, literal);
    EXPECT_TRUE(seen.issues.empty());
  }
}

TEST(MllogReader, TellsTheKindsOfValues) {
  const auto value_of = [](const char* raw) {
    return read(record(1, "a", raw) + "\n").records.at(0).value;
  };

  EXPECT_EQ(value_of("null").kind, MllogValueKind::null);
  EXPECT_EQ(value_of("true").kind, MllogValueKind::boolean);
  EXPECT_DOUBLE_EQ(value_of("true").number, 1);
  EXPECT_EQ(value_of("\"NaN\"").kind, MllogValueKind::string);
  EXPECT_EQ(value_of("[1, {\"b\": []}]").kind, MllogValueKind::other);
  EXPECT_EQ(value_of("[1, {\"b\": []}]").text, "[1, {\"b\": []}]");
  EXPECT_DOUBLE_EQ(value_of("-2.5e-3").number, -0.0025);
  EXPECT_DOUBLE_EQ(value_of("1e-400").number, 0);
  EXPECT_EQ(value_of("1e-400").kind, MllogValueKind::number);
  EXPECT_DOUBLE_EQ(value_of("123456789012345678901234567890").number,
                   123456789012345678901234567890.0);
}

TEST(MllogReader, DecodesEscapes) {
  const Seen seen =
      read(record(1, "a", R"("\"\\\/\b\f\n\r\t\u00e9\u4e2d\ud83d\ude00\ud83dx\udc00")") + "\n");

  EXPECT_EQ(seen.records.at(0).value.text,
            "\"\\/\b\f\n\r\t\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\xEF\xBF\xBDx\xEF\xBF\xBD");
}

TEST(MllogReader, LastOfTwoEqualKeysCounts) {
  const Seen seen = read(
      ":::MLLOG {\"time_ms\": 1, \"time_ms\": 2, \"key\": \"a\", \"key\": \"b\", \"value\": 1, "
      "\"value\": null, "
      "\"metadata\": {\"epoch_num\": 1, \"status\": \"x\"}, \"metadata\": {\"epoch_num\": 2}}\n");

  const MllogRecord& one = seen.records.at(0);
  EXPECT_EQ(one.time_ms, 2);
  EXPECT_EQ(one.key, "b");
  EXPECT_EQ(one.value.kind, MllogValueKind::null);
  EXPECT_EQ(one.epoch_num, 2.0);
  EXPECT_FALSE(one.status);
}

TEST(MllogReader, BytesThatAreNotUtf8AreTolerated) {
  const Seen seen = read("\xFF\xFE\x80 noise\n" + record(1, "submission_org", "\"M\xFCller\"") +
                         "\n" + record(2, "b") + " \xC3(\n");

  ASSERT_EQ(seen.records.size(), 1U);
  EXPECT_EQ(seen.records[0].value.text, "M\xFCller");
  for (const Issue& issue : seen.issues) {
    EXPECT_TRUE(base::is_valid_utf8(issue.text));
    EXPECT_TRUE(base::is_valid_utf8(issue.reason.en));
  }
}

TEST(MllogReader, NulBytesAreOrdinaryBytes) {
  std::string log = record(1, "a") + "\n";
  log += std::string(3, '\0') + "noise" + std::string(2, '\0') + record(2, "b") + "\n";

  EXPECT_EQ(read(log).counts.record_count, 2U);
  EXPECT_TRUE(read(log).issues.empty());
}

TEST(MllogReader, RecordThatLacksAPartIsGivenAndCountedAsMalformed) {
  const std::string whole = record(1, "a", "3");
  const Seen no_metadata =
      read(without(whole, R"(, "metadata": {"file": "train.py", "lineno": 7})") + "\n");
  EXPECT_EQ(no_metadata.counts.record_count, 1U);
  EXPECT_EQ(no_metadata.counts.malformed_count, 1U);
  EXPECT_FALSE(no_metadata.records.at(0).has_metadata);
  EXPECT_NE(no_metadata.issues.at(0).reason.en.find("metadata"), std::string::npos);

  const Seen no_value = read(without(whole, R"("value": 3, )") + "\n");
  EXPECT_EQ(no_value.records.at(0).value.kind, MllogValueKind::missing);
  EXPECT_EQ(no_value.counts.malformed_count, 1U);

  const Seen no_time = read(without(whole, R"("time_ms": 1, )") + "\n");
  EXPECT_FALSE(no_time.records.at(0).time_ms);
  EXPECT_EQ(no_time.counts.malformed_count, 1U);

  const Seen no_key = read(without(whole, R"("key": "a", )") + "\n");
  EXPECT_EQ(no_key.counts.record_count, 0U);
  EXPECT_EQ(no_key.counts.malformed_count, 1U);
}

TEST(MllogReader, NumericStringAsTimeIsNoticedAndRead) {
  const std::string line =
      R"(:::MLLOG {"time_ms": "1682641208321", "key": "a", "value": 1, "metadata": {}})";
  const Seen seen = read(line + "\n" + line + "\n");

  EXPECT_EQ(seen.records.at(1).time_ms, 1682641208321);
  EXPECT_EQ(seen.counts.malformed_count, 0U);
  EXPECT_EQ(seen.count(IssueKind::noticed), 1U);
}

TEST(MllogReader, OtherTimesAreUnusable) {
  const auto time_is = [](std::string_view raw) {
    return read(fmt::format(
        ":::MLLOG {{\"time_ms\": {}, \"key\": \"a\", \"value\": 1, \"metadata\": {{}}}}\n", raw));
  };
  for (const char* raw : {"null", "NaN", "1e17", "[1]", "true"}) {
    EXPECT_FALSE(time_is(raw).records.at(0).time_ms) << raw;
    EXPECT_EQ(time_is(raw).counts.malformed_count, 1U) << raw;
  }
  EXPECT_EQ(time_is("\"1.2.3\"").counts.record_count, 0U);
  EXPECT_EQ(time_is("1500.6").records.at(0).time_ms, 1501);
}

TEST(MllogReader, SpacesBehindTheToken) {
  const std::string object = record(1, "a").substr(9);

  EXPECT_EQ(read(":::MLLOG   " + object + "\n").counts.record_count, 1U);
  EXPECT_EQ(read(":::MLLOG   " + object + "\n").count(IssueKind::noticed), 1U);
  EXPECT_EQ(read(":::MLLOG" + object + "\n").counts.malformed_count, 1U);
  EXPECT_EQ(read(":::MLLOGGER " + object + "\n").counts.malformed_count, 0U);
}

TEST(MllogReader, OldFormatIsNamedOnceAndCounted) {
  const Seen seen =
      read(":::MLL 1585300110.120 run_start: {\"value\": null}\n0: :::MLL 1585300110.121 x: {}\n");

  EXPECT_EQ(seen.counts.old_format_count, 2U);
  EXPECT_EQ(seen.counts.record_count, 0U);
  ASSERT_EQ(seen.issues.size(), 1U);
  EXPECT_EQ(seen.issues[0].kind, IssueKind::old_format);
  for (const std::string& text : {seen.issues[0].reason.en, seen.issues[0].reason.zh}) {
    EXPECT_NE(text.find(":::MLL"), std::string::npos);
    EXPECT_NE(text.find("0.6"), std::string::npos);
  }
}

std::string as_utf16(std::string_view text, bool little_endian, bool with_mark) {
  std::string out;
  if (with_mark) {
    out = little_endian ? "\xFF\xFE" : "\xFE\xFF";
  }
  for (const char c : text) {
    out += little_endian ? std::string{c, '\0'} : std::string{'\0', c};
  }
  return out;
}

TEST(MllogReader, Utf16IsNamedInOneIssue) {
  for (const bool little_endian : {true, false}) {
    for (const bool with_mark : {true, false}) {
      const std::string log = as_utf16(test::small_training(), little_endian, with_mark);
      for (const std::size_t piece : {std::size_t{1}, std::string::npos}) {
        const Seen seen = read(log, piece);
        ASSERT_EQ(seen.issues.size(), 1U);
        EXPECT_EQ(seen.issues[0].kind, IssueKind::wrong_encoding);
        EXPECT_NE(seen.issues[0].reason.en.find(little_endian ? "UTF-16 LE" : "UTF-16 BE"),
                  std::string::npos);
      }
    }
  }
  EXPECT_EQ(read(as_utf16("short", true, false)).count(IssueKind::wrong_encoding), 1U);
}

TEST(MllogReader, MarkOfAnotherEncodingBeforeReadableRecordsIsNoIssue) {
  EXPECT_TRUE(read("\xFE\xFF" + record(1, "a") + "\n").issues.empty());
}

TEST(MllogReader, LogWithoutRecordsIsUnreadable) {
  EXPECT_EQ(read("").count(IssueKind::unreadable), 1U);
  EXPECT_EQ(read("only\nprose\n").count(IssueKind::unreadable), 1U);
  EXPECT_EQ(read("only\nprose\n").issues.size(), 1U);
}

TEST(MllogReader, DepthIsBounded) {
  const std::string deep = std::string(100000, '[');
  const Seen seen = read(":::MLLOG {\"a\": " + deep + "\n" + record(1, "b") + "\n");

  EXPECT_EQ(seen.counts.record_count, 1U);
  EXPECT_NE(seen.issues.at(0).reason.en.find("nested"), std::string::npos);
}

TEST(MllogReader, LineOfTheLimitIsReadAndALongerOneSkipped) {
  const auto line_of = [](std::size_t size) {
    const std::string frame = record(1, "long", "\"\"");
    return record(1, "long", '"' + std::string(size - frame.size(), 'x') + '"');
  };
  for (const std::size_t piece : {std::size_t{4096}, std::string::npos}) {
    const Seen seen =
        read(line_of(MllogReader::kLineLimitBytes) + "\n" +
                 line_of(MllogReader::kLineLimitBytes + 1) + "\r\n" + record(2, "next") + "\n",
             piece);
    ASSERT_EQ(seen.records.size(), 2U);
    EXPECT_EQ(seen.records[1].key, "next");
    EXPECT_EQ(seen.records[1].line, 3U);
    EXPECT_EQ(seen.counts.oversize_count, 1U);
    EXPECT_EQ(seen.counts.malformed_count, 1U);  // the record in it was lost
    EXPECT_EQ(seen.first(IssueKind::oversize_line).source.line, 2U);
    EXPECT_LE(seen.first(IssueKind::oversize_line).text.size(), 160U);
  }
}

TEST(MllogReader, LineOfOneGigabyteIsSkippedAndTheNextRecordRead) {
  std::vector<std::string> keys;
  MllogReader reader(
      "a.log", {[&keys](const MllogRecord& one) { keys.push_back(one.key); }, [](const Issue&) {}});
  const std::string megabyte(std::size_t{1} << 20U, 'x');
  for (int i = 0; i < 1024; ++i) {
    reader.feed(megabyte);
  }
  reader.feed("\n" + record(1, "next") + "\n");
  reader.finish();

  EXPECT_EQ(keys, std::vector<std::string>{"next"});
  EXPECT_EQ(reader.counts().oversize_count, 1U);
  EXPECT_EQ(reader.counts().malformed_count, 0U);
}

/// Everything that was seen, as text.
std::string describe(const Seen& seen) {
  std::string text = fmt::format("{} {} {} {} {}\n", seen.counts.line_count,
                                 seen.counts.record_count, seen.counts.malformed_count,
                                 seen.counts.old_format_count, seen.counts.oversize_count);
  for (const MllogRecord& one : seen.records) {
    text +=
        fmt::format("{} {} {} {}\n", one.line, one.time_ms.value_or(-1), one.key, one.value.text);
  }
  for (const Issue& issue : seen.issues) {
    text += fmt::format("{} {} {} {}\n", static_cast<int>(issue.kind), issue.source.line,
                        issue.reason.en, issue.text);
  }
  return text;
}

TEST(MllogReader, EveryCutGivesTheSame) {
  const std::string log = "noise\r\r\n" + record(1, "a") + "\r\n" + record(2, "b") +
                          record(3, "c") + "\r" + record(4, "cut").substr(0, 60) +
                          "\nrest of it\n:::MLL 1.0 x\n" + evaluation(5, "NaN", "2") + "\n\n" +
                          record(6, "d") + " tail\n" + record(7, "end").substr(0, 70);
  const std::string whole = describe(read(log));

  EXPECT_EQ(describe(read(log, 1)), whole);
  for (std::size_t cut = 0; cut <= log.size(); ++cut) {
    Seen seen;
    MllogReader reader("a.log", {[&seen](const MllogRecord& one) { seen.records.push_back(one); },
                                 [&seen](Issue one) { seen.issues.push_back(std::move(one)); }});
    reader.feed(std::string_view(log).substr(0, cut));
    reader.feed(std::string_view(log).substr(cut));
    reader.finish();
    seen.counts = reader.counts();
    ASSERT_EQ(describe(seen), whole) << cut;
  }
}

}  // namespace
}  // namespace harness::parse
