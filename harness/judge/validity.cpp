#include "harness/judge/validity.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/base/utc_time.h"
#include "harness/judge/finding.h"

namespace harness::judge {
namespace {

using base::Text;
using model::Finding;
using model::IssueKind;
using model::ReasonClass;
using model::SourceRef;
using model::Stage;
using model::TrainingRun;
using model::VerdictWord;

constexpr std::size_t kQuotedPlaces = 5;

Finding finding(std::string check, VerdictWord verdict, ReasonClass reason, Text text) {
  return make_finding(Stage::validity, std::move(check), verdict, reason, std::move(text));
}

Finding passed(std::string check, Text text) {
  return finding(std::move(check), VerdictWord::pass, ReasonClass::none, std::move(text));
}

Finding invalid(std::string check, Text text) {
  return finding(std::move(check), VerdictWord::fail, ReasonClass::invalid_run, std::move(text));
}

Finding warning(std::string check, Text text) {
  Finding out = passed(std::move(check), std::move(text));
  out.is_warning = true;
  return out;
}

std::vector<SourceRef> places_of(const TrainingRun& run, IssueKind kind) {
  std::vector<SourceRef> places;
  for (const model::Issue& issue : run.issues) {
    if (issue.kind == kind && places.size() < kQuotedPlaces) {
      places.push_back(issue.source);
    }
  }
  return places;
}

/// "lines 12, 40" or "line 12" for the first few places.
std::string line_list(const std::vector<SourceRef>& places) {
  std::vector<std::string> numbers;
  numbers.reserve(places.size());
  for (const SourceRef& place : places) {
    numbers.push_back(std::to_string(place.line));
  }
  return base::join(numbers, ", ");
}

/// Nothing in the file is a record of a version we read: say what it is instead.
Finding unreadable(const TrainingRun& run) {
  Text text{"no :::MLLOG record in it", "文件中没有任何 :::MLLOG 记录"};
  std::vector<SourceRef> places{{run.artifact, 0}};
  const auto encoding = places_of(run, IssueKind::wrong_encoding);
  if (run.old_format_count > 0) {
    text = {fmt::format("it holds {} ':::MLL' lines, the format of MLPerf v0.6 and older, which is "
                        "unsupported, "
                        "and no :::MLLOG record",
                        run.old_format_count),
            fmt::format(
                "文件含有 {} 行 ':::MLL'（MLPerf v0.6 及更早的格式，不支持），没有 :::MLLOG 记录",
                run.old_format_count)};
    places = places_of(run, IssueKind::old_format);
  } else if (!encoding.empty()) {
    text = {"it is UTF-16 text, so no :::MLLOG record can be read; write it as UTF-8",
            "文件编码是 UTF-16，无法读取 :::MLLOG 记录；请转换为 UTF-8"};
    places = encoding;
  } else if (run.line_count == 0) {
    text = {"the log is empty: the run is incomplete or never wrote to it",
            "日志为空：训练未完成，或从未写入该文件"};
  } else if (run.malformed_count > 0) {
    text = {fmt::format("none of its {} :::MLLOG lines can be parsed", run.malformed_count),
            fmt::format("{} 行 :::MLLOG 均无法解析", run.malformed_count)};
    places = places_of(run, IssueKind::malformed_record);
  }
  Finding out =
      finding("readable_log", VerdictWord::error, ReasonClass::unreadable_input, std::move(text));
  out.stage = Stage::evidence;
  out.evidence = std::move(places);
  return out;
}

Finding check_run_start(const TrainingRun& run) {
  if (run.run_start_count == 1) {
    return passed("exactly_one_run_start", {"one run_start", "run_start 恰好一条"});
  }
  Finding out =
      run.run_start_count == 0
          ? invalid("exactly_one_run_start",
                    {"run_start is missing: the log is incomplete, or training never began",
                     "缺少 run_start：日志不完整，或训练从未开始"})
          : invalid("exactly_one_run_start",
                    {fmt::format(
                         "run_start stands {} times: two runs in one file, or a restarted clock",
                         run.run_start_count),
                     fmt::format("run_start 出现 {} 次：一个文件中有多次运行，或计时被重新开始",
                                 run.run_start_count)});
  for (const model::RunMark& mark : run.run_starts) {
    out.evidence.push_back({run.artifact, mark.line});
  }
  return out;
}

Finding check_run_stop(const TrainingRun& run) {
  if (run.run_stop_count == 1) {
    return passed("exactly_one_run_stop", {"one run_stop", "run_stop 恰好一条"});
  }
  Finding out =
      run.run_stop_count == 0
          ? invalid("exactly_one_run_stop",
                    {"run_stop is missing: the log is incomplete, the run was killed or aborted",
                     "缺少 run_stop：日志不完整，训练被终止或中止"})
          : invalid(
                "exactly_one_run_stop",
                {fmt::format("run_stop stands {} times: two runs in one file", run.run_stop_count),
                 fmt::format("run_stop 出现 {} 次：一个文件中有多次运行", run.run_stop_count)});
  for (const model::RunMark& mark : run.run_stops) {
    out.evidence.push_back({run.artifact, mark.line});
  }
  if (out.evidence.empty()) {
    out.evidence.push_back({run.artifact, run.line_count});
  }
  return out;
}

/// Order and direction of time between the only run_start and the only run_stop.
std::optional<Finding> check_time_order(const TrainingRun& run) {
  if (run.run_start_count != 1 || run.run_stop_count != 1) {
    return std::nullopt;
  }
  const model::RunMark& start = run.run_starts.front();
  const model::RunMark& stop = run.run_stops.front();
  Finding out =
      passed("time_runs_forward", {"run_stop after run_start", "run_stop 在 run_start 之后"});
  if (!start.time_ms || !stop.time_ms) {
    out = invalid("time_runs_forward", {"run_start or run_stop carries no time stamp",
                                        "run_start 或 run_stop 没有时间戳"});
  } else if (stop.line < start.line) {
    out = invalid("time_runs_forward", {"run_stop stands before run_start in the file",
                                        "文件中 run_stop 位于 run_start 之前"});
  } else if (*stop.time_ms <= *start.time_ms) {
    const double seconds = static_cast<double>(*start.time_ms - *stop.time_ms) / 1000.0;
    const std::string duration = base::to_duration_text(seconds);
    out = invalid(
        "time_runs_forward",
        {fmt::format("time runs backwards: run_stop is stamped {} before run_start", duration),
         fmt::format("时间倒流：run_stop 的时间戳比 run_start 早 {}", duration)});
  }
  out.evidence = {{run.artifact, start.line}, {run.artifact, stop.line}};
  return out;
}

std::optional<Finding> check_status(const TrainingRun& run) {
  if (run.run_stop_count != 1) {
    return std::nullopt;
  }
  const model::RunMark& stop = run.run_stops.front();
  Finding out = passed("run_stop_status", {"run_stop says success", "run_stop 状态为 success"});
  if (!stop.status) {
    out = invalid("run_stop_status", {"run_stop carries no status", "run_stop 没有状态"});
  } else if (*stop.status == "aborted") {
    out = invalid("run_stop_status",
                  {"run_stop says aborted: the run ended without reaching its target",
                   "run_stop 状态为 aborted（中止）：训练未达到目标即结束"});
    out.reason = ReasonClass::missed_criterion;
  } else if (*stop.status != "success") {
    const std::string status = base::printable(*stop.status, 60);
    out = invalid("run_stop_status",
                  {fmt::format("run_stop says '{}', neither success nor aborted", status),
                   fmt::format("run_stop 状态为 '{}'，既非 success 也非 aborted", status)});
  }
  out.evidence = {{run.artifact, stop.line}};
  return out;
}

Finding check_benchmark(const TrainingRun& run, const model::Suite& suite) {
  const std::string& expected = suite.mllog->benchmark;
  if (!run.benchmark) {
    Finding out =
        finding("benchmark", VerdictWord::inconclusive, ReasonClass::evidence_missing,
                {"the log does not say which benchmark it is (submission_benchmark is missing)",
                 "日志未说明所属基准（缺少 submission_benchmark）"});
    out.evidence = {{run.artifact, 0}};
    return out;
  }
  Finding out = passed("benchmark", {"benchmark " + expected, "基准 " + expected});
  if (run.benchmark->value != expected) {
    const std::string found = base::printable(run.benchmark->value, 60);
    out = finding(
        "benchmark", VerdictWord::error, ReasonClass::unreadable_input,
        {fmt::format("the log is of benchmark '{}', the suite judges '{}'", found, expected),
         fmt::format("日志属于基准 '{}'，而套件评判的是 '{}'", found, expected)});
  }
  out.evidence = {{run.artifact, run.benchmark->line}};
  return out;
}

Finding check_records(const TrainingRun& run) {
  if (run.malformed_count == 0) {
    return passed("readable_records", {fmt::format("{} records, all readable", run.record_count),
                                       fmt::format("{} 条记录，全部可读", run.record_count)});
  }
  auto places = places_of(run, IssueKind::malformed_record);
  const std::string lines = line_list(places);
  Finding out = invalid(
      "readable_records",
      {fmt::format(
           "{} malformed :::MLLOG line{} cannot be parsed (line {}); MLPerf rejects such a log",
           run.malformed_count, run.malformed_count == 1 ? "" : "s", lines),
       fmt::format("{} 行 :::MLLOG 损坏，无法解析（第 {} 行）；MLPerf 规则不接受这样的日志",
                   run.malformed_count, lines)});
  out.evidence = std::move(places);
  return out;
}

std::optional<Finding> check_unusable_evaluations(const TrainingRun& run) {
  const auto bad = std::ranges::count_if(run.evaluations, [](const auto& e) { return !e.value; });
  if (bad == 0) {
    return std::nullopt;
  }
  const model::EvaluationPoint& last = run.evaluations.back();
  if (!last.value) {
    Finding out = invalid("evaluation_values", {"the last eval_accuracy is no finite number",
                                                "最后一条 eval_accuracy 不是有限数值"});
    out.evidence = {{run.artifact, last.line}};
    return out;
  }
  Finding out =
      warning("evaluation_values",
              {fmt::format("{} eval_accuracy value(s) are no finite number; the last one is", bad),
               fmt::format("{} 条 eval_accuracy 不是有限数值；最后一条正常", bad)});
  out.evidence = places_of(run, IssueKind::value_unusable);
  return out;
}

Finding check_evaluations_present(const TrainingRun& run) {
  if (run.evaluation_count > 0) {
    return passed("evaluated", {fmt::format("{} evaluations", run.evaluation_count),
                                fmt::format("{} 次评估", run.evaluation_count)});
  }
  Finding out =
      invalid("evaluated", {"no eval_accuracy in the log: nothing shows that the model learned",
                            "日志中没有 eval_accuracy：无法证明模型有收敛"});
  out.evidence = {{run.artifact, 0}};
  return out;
}

}  // namespace

std::vector<Finding> check_validity(const TrainingRun& run, const model::Suite* suite) {
  if (run.record_count == 0) {
    return {unreadable(run)};
  }
  std::vector<Finding> findings;
  const auto add = [&findings](std::optional<Finding> found) {
    if (found) {
      findings.push_back(std::move(*found));
    }
  };
  if (suite != nullptr && suite->mllog) {
    add(check_benchmark(run, *suite));
  }
  add(check_records(run));
  add(check_run_start(run));
  add(check_run_stop(run));
  add(check_time_order(run));
  add(check_status(run));
  add(check_evaluations_present(run));
  add(check_unusable_evaluations(run));
  if (run.oversize_count > 0) {
    Finding out =
        warning("oversize_lines",
                {fmt::format("{} line(s) over 1 MiB were passed over", run.oversize_count),
                 fmt::format("跳过 {} 行超过 1 MiB 的内容", run.oversize_count)});
    out.evidence = places_of(run, IssueKind::oversize_line);
    add(std::move(out));
  }
  return findings;
}

}  // namespace harness::judge
