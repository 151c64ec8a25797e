#include "harness/parse/mllog_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/parse/quote.h"
#include "harness/parse/text_encoding.h"

namespace harness::parse {
namespace {

using base::Text;
using model::IssueKind;

constexpr std::string_view kTokenStem = ":::MLL";  // of both formats
constexpr std::string_view kToken = ":::MLLOG";
constexpr std::string_view kOldToken = ":::MLL ";
/// What Python's str.strip() takes off the end of a line decoded as Latin-1.
constexpr std::string_view kStripped = " \t\v\f\x1C\x1D\x1E\x1F\x85\xA0";

Text why_unreadable(const MllogReading& reading) {
  if (reading.stop == JsonStop::too_deep) {
    return {fmt::format("its JSON is nested deeper than {} levels", JsonScanner::kDepthLimit),
            fmt::format("JSON 嵌套超过 {} 层", JsonScanner::kDepthLimit)};
  }
  if (reading.stop == JsonStop::none) {
    return {"what stands behind the token is no JSON object", "标记之后不是 JSON 对象"};
  }
  if (reading.stop == JsonStop::cut_short) {
    return {"the record is cut in the middle of its JSON, another one follows on the line",
            "记录在 JSON 中途被截断，同一行后面还有另一条记录"};
  }
  return {fmt::format("its JSON is broken at byte {}", reading.bytes + 1),
          fmt::format("JSON 在第 {} 字节处损坏", reading.bytes + 1)};
}

/// The parts that every record of the reference logger has and this one lacks, as "time_ms,
/// metadata".
std::string missing_parts(const MllogReading& reading, const model::MllogRecord& record) {
  std::vector<std::string> missing;
  const auto check = [&missing](bool is_there, const char* part) {
    if (!is_there) {
      missing.emplace_back(part);
    }
  };
  check(reading.time_stamp == TimeStamp::number || reading.time_stamp == TimeStamp::numeric_text,
        "time_ms");
  check(reading.has_key, "key");
  check(reading.has_value, "value");
  check(record.has_metadata, "metadata");
  return base::join(missing, ", ");
}

/// The line ends of one piece of text, front to back. Looks for the two kinds apart: a log has
/// mostly one of them.
class LineEnds {
 public:
  explicit LineEnds(std::string_view text) : text_(text) {}

  /// Position of the first LF or CR at or behind `from`; npos when there is none. `from` never goes
  /// back.
  std::size_t next(std::size_t from) {
    line_feed_ = refresh(line_feed_, '\n', from);
    carriage_return_ = refresh(carriage_return_, '\r', from);
    return std::min(line_feed_.at, carriage_return_.at);
  }

 private:
  struct Place {
    bool is_known = false;
    std::size_t at = 0;
  };
  Place refresh(Place known, char c, std::size_t from) const {
    return known.is_known && known.at >= from ? known : Place{true, text_.find(c, from)};
  }

  std::string_view text_;
  Place line_feed_;
  Place carriage_return_;
};

}  // namespace

MllogReader::MllogReader(std::string artifact, MllogObserver observer)
    : artifact_(std::move(artifact)), observer_(std::move(observer)) {}

void MllogReader::feed(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  keep_head(bytes);
  std::size_t begin = after_cr_ && bytes.front() == '\n' ? 1 : 0;
  after_cr_ = false;
  LineEnds ends(bytes);
  for (std::size_t end = ends.next(begin); end != std::string_view::npos; end = ends.next(begin)) {
    end_line(bytes.substr(begin, end - begin));
    begin = end + 1;
    if (bytes[end] == '\r') {
      after_cr_ = begin == bytes.size();
      begin += begin < bytes.size() && bytes[begin] == '\n' ? 1 : 0;
    }
  }
  keep_partial(bytes.substr(begin));
}

void MllogReader::finish() {
  const bool has_open_line = !partial_.empty();
  if (has_open_line) {
    end_line({});
  }
  if (cut_.is_waiting) {
    const std::size_t line = cut_.line;
    const std::string text = cut_.text;
    release_cut({});
    if (has_open_line && line == counts_.line_count) {
      report(IssueKind::truncated, line,
             {"the log ends in the middle of a record", "日志在一条记录中途结束"}, text);
    }
  }
  if (counts_.record_count + counts_.malformed_count + counts_.old_format_count == 0) {
    report_nothing_known();
  }
}

void MllogReader::report_nothing_known() {
  const std::string_view head(head_.data(), head_size_);
  if (const auto encoding = foreign_encoding(head)) {
    report(IssueKind::wrong_encoding, 1,
           {fmt::format("the log is {} text, so no record in it can be read; write it as UTF-8",
                        *encoding),
            fmt::format("日志编码是 {}，无法读取其中的记录；请转换为 UTF-8", *encoding)},
           head);
    return;
  }
  report(IssueKind::unreadable, 0,
         {fmt::format("no :::MLLOG record in {} lines", counts_.line_count),
          fmt::format("{} 行中没有任何 :::MLLOG 记录", counts_.line_count)},
         {});
}

void MllogReader::keep_head(std::string_view bytes) {
  const std::string_view taken = bytes.substr(0, head_.size() - head_size_);
  std::ranges::copy(taken, head_.begin() + static_cast<std::ptrdiff_t>(head_size_));
  head_size_ += taken.size();
}

void MllogReader::keep_partial(std::string_view bytes) {
  const std::size_t room = kLineLimitBytes - partial_.size();
  is_oversize_ = is_oversize_ || bytes.size() > room;
  partial_.append(bytes.substr(0, room));
}

/// `tail` is the rest of the line that partial_ begins.
void MllogReader::end_line(std::string_view tail) {
  if (partial_.empty()) {
    if (tail.size() > kLineLimitBytes) {
      skip_oversize_line(tail.substr(0, kLineLimitBytes));
    } else {
      read_line(tail);
    }
    return;
  }
  keep_partial(tail);
  if (is_oversize_) {
    skip_oversize_line(partial_);
  } else {
    read_line(partial_);
  }
  partial_.clear();
  is_oversize_ = false;
}

void MllogReader::skip_oversize_line(std::string_view front) {
  ++counts_.line_count;
  ++counts_.oversize_count;
  release_cut(front);
  Text reason{"the line is longer than 1 MiB and was passed over", "该行超过 1 MiB，已跳过"};
  if (front.find(kToken) != std::string_view::npos) {
    ++counts_.malformed_count;
    reason = {"the line is longer than 1 MiB; the :::MLLOG record in it was not read",
              "该行超过 1 MiB，其中的 :::MLLOG 记录未读取"};
  }
  report(IssueKind::oversize_line, counts_.line_count, std::move(reason), front);
}

void MllogReader::read_line(std::string_view line) {
  ++counts_.line_count;
  std::size_t at = line.find(kTokenStem);
  if (cut_.is_waiting) {
    release_cut(at == std::string_view::npos ? line : std::string_view{});
  }
  while (at != std::string_view::npos) {
    const std::string_view text = line.substr(at);
    if (text.starts_with(kToken)) {
      at = read_record(line, at);
      continue;
    }
    if (text.starts_with(kOldToken)) {
      count_old_format(text);
    }
    at = line.find(kTokenStem, at + kTokenStem.size());
  }
}

/// Reads the record whose token stands at `token`; returns where the next token of the line stands.
std::size_t MllogReader::read_record(std::string_view line, std::size_t token) {
  const std::string_view text = line.substr(token);
  const std::string_view behind = text.substr(kToken.size());
  const std::size_t after_token = line.find(kTokenStem, token + kToken.size());
  const std::size_t spaces = std::min(behind.find_first_not_of(' '), behind.size());
  if (spaces == 0 && !behind.empty()) {
    if (behind.front() == '{' || behind.front() == '\t') {  // ":::MLLOGGER" and the like are prose
      malformed({"one space must stand behind the token", "标记之后必须有一个空格"}, text);
    }
    return after_token;
  }
  const MllogReading reading = json_.read(behind.substr(spaces), record_);
  if (reading.stop == JsonStop::cut_short && after_token == std::string_view::npos) {
    hold_cut(text);
    return after_token;
  }
  if (reading.stop != JsonStop::none || !reading.is_object) {
    malformed(why_unreadable(reading), line.substr(token, after_token - token));
    return after_token;
  }
  const std::size_t end = token + kToken.size() + spaces + reading.bytes;
  const std::size_t next = line.find(kTokenStem, end);
  const std::string_view rest = line.substr(end);
  if (next == std::string_view::npos &&
      rest.find_first_not_of(kStripped) != std::string_view::npos) {
    malformed({"text stands behind the record: '" + quote(rest) + "'",
               "记录之后还有文字：'" + quote(rest) + "'"},
              text);
    return next;
  }
  if (!has_shared_line_ && next != std::string_view::npos) {
    has_shared_line_ = true;
    report(IssueKind::noticed, counts_.line_count,
           {"several records stand on one line; all are read, the reference checker takes the last "
            "one only",
            "一行中有多条记录；此处全部读取，官方检查器只取最后一条"},
           line);
  }
  give(reading, line.substr(token, next - token));
  return next;
}

void MllogReader::give(const MllogReading& reading, std::string_view text) {
  record_.line = counts_.line_count;
  note_harmless(reading, text);
  if (reading.time_stamp == TimeStamp::other_text) {
    malformed({"time_ms is a string that is no number", "time_ms 是字符串且不是数字"}, text);
    return;
  }
  const bool is_whole =
      reading.has_key && reading.has_value && record_.has_metadata && record_.time_ms;
  if (!is_whole) {
    const std::string missing = missing_parts(reading, record_);
    malformed({"the record has no usable " + missing, "记录缺少可用的 " + missing}, text);
  }
  if (reading.has_key) {
    ++counts_.record_count;
    observer_.on_record(record_);
  }
}

void MllogReader::note_harmless(const MllogReading& reading, std::string_view text) {
  if (!has_numeric_text_time_ && reading.time_stamp == TimeStamp::numeric_text) {
    has_numeric_text_time_ = true;
    report(
        IssueKind::noticed, counts_.line_count,
        {"time_ms is written as a string; read as its number", "time_ms 写成了字符串；按数字读取"},
        text);
  }
  if (!has_extra_spaces_ && text[kToken.size() + 1] == ' ') {
    has_extra_spaces_ = true;
    report(IssueKind::noticed, counts_.line_count,
           {"more than one space behind :::MLLOG; read all the same",
            ":::MLLOG 之后不止一个空格；仍可读取"},
           text);
  }
}

void MllogReader::count_old_format(std::string_view text) {
  ++counts_.old_format_count;
  if (counts_.old_format_count == 1) {
    report(IssueKind::old_format, counts_.line_count,
           {"':::MLL' lines are the format of MLPerf v0.6 and older, which is not supported",
            "':::MLL' 行是 MLPerf v0.6 及更早版本的格式，不受支持"},
           text);
  }
}

/// The record's issue waits for the next line, which may hold the rest of it.
void MllogReader::hold_cut(std::string_view text) {
  cut_ = {true, counts_.line_count, quote(text)};
  ++counts_.malformed_count;
}

/// `next_line`: the line below when it holds no token, else empty.
void MllogReader::release_cut(std::string_view next_line) {
  if (!cut_.is_waiting) {
    return;
  }
  cut_.is_waiting = false;
  Text reason{"the record is cut in the middle of its JSON", "记录在 JSON 中途被截断"};
  if (!next_line.empty()) {
    const std::string below = quote(next_line);
    reason.en += fmt::format("; line {} below it reads '{}'", cut_.line + 1, below);
    reason.zh += fmt::format("；其下第 {} 行为 '{}'", cut_.line + 1, below);
  }
  observer_.on_issue(
      {IssueKind::malformed_record, {artifact_, cut_.line}, std::move(reason), cut_.text});
}

void MllogReader::malformed(Text reason, std::string_view text) {
  ++counts_.malformed_count;
  report(IssueKind::malformed_record, counts_.line_count, std::move(reason), text);
}

void MllogReader::report(IssueKind kind, std::size_t line, Text reason, std::string_view text) {
  observer_.on_issue({kind, {artifact_, line}, std::move(reason), quote(text)});
}

}  // namespace harness::parse
