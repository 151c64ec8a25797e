#include "harness/judge/diagnosis.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/base/number.h"

namespace harness::judge {
namespace {

using base::Text;
using model::Diagnosis;
using model::EvidenceKind;
using model::Finding;
using model::VerdictWord;
using Findings = std::vector<Finding>;

const Finding* find_failed(const Findings& findings, std::string_view check) {
  const auto found = std::ranges::find_if(findings, [check](const Finding& f) {
    return f.check == check && f.verdict != VerdictWord::pass;
  });
  return found == findings.end() ? nullptr : &*found;
}

const Finding* find_passed(const Findings& findings, std::string_view check) {
  const auto found = std::ranges::find_if(findings, [check](const Finding& f) {
    return f.check == check && f.verdict == VerdictWord::pass;
  });
  return found == findings.end() ? nullptr : &*found;
}

Diagnosis diagnosis(std::string rule, Text cause, Text next, const Finding& finding) {
  Diagnosis out;
  out.rule = std::move(rule);
  out.cause = std::move(cause);
  out.next = std::move(next);
  out.evidence = finding.evidence;
  return out;
}

const Finding* quality_finding(const JudgeInput& input, const Findings& findings) {
  if (input.suite == nullptr || !input.suite->mllog) {
    return nullptr;
  }
  return find_failed(findings, input.suite->mllog->quality_metric);
}

/// Site rule 1. Source: requirements, section 5: "scaling efficiency < 0.8: the communication layer
/// is not tuned".
std::optional<Diagnosis> scaling_below_limit(const JudgeInput& /*input*/,
                                             const Findings& findings) {
  const Finding* scaling = find_failed(findings, "scaling_efficiency");
  if (scaling == nullptr || scaling->verdict != VerdictWord::fail) {
    return std::nullopt;
  }
  return diagnosis(
      "scaling_below_limit",
      {fmt::format("the communication layer is not tuned: scaling efficiency {} is below {}",
                   base::format_figure(*scaling->measured), base::format_figure(*scaling->limit)),
       fmt::format("通信层（communication layer）未调优：扩展效率 {} 低于 {}",
                   base::format_figure(*scaling->measured), base::format_figure(*scaling->limit))},
      {"run all_reduce_perf of nccl-tests over the same GPUs with NCCL_DEBUG=INFO; the log must "
       "show NET/IB and "
       "GDRDMA, not NET/Socket, and the bus bandwidth must match the fabric",
       "在同一批 GPU 上以 NCCL_DEBUG=INFO 运行 nccl-tests 的 all_reduce_perf：日志应出现 NET/IB 和 "
       "GDRDMA 而非 "
       "NET/Socket，总线带宽应与网络规格相符"},
      *scaling);
}

/// Site rule 2. Source: requirements, section 5: "time on target but final loss above its limit:
/// check mixed precision, GradScaler growth_factor must be 2.0".
std::optional<Diagnosis> loss_above_limit_in_time(const JudgeInput& /*input*/,
                                                  const Findings& findings) {
  const Finding* loss = find_failed(findings, "final_loss");
  const bool in_time = find_passed(findings, "time_to_train_s") != nullptr &&
                       find_failed(findings, "time_to_train_s") == nullptr;
  if (loss == nullptr || loss->verdict != VerdictWord::fail || !in_time) {
    return std::nullopt;
  }
  return diagnosis(
      "loss_above_limit_in_time",
      {"mixed precision: the time is on target but the loss is not, so GradScaler growth_factor is "
       "probably not 2.0",
       "混合精度设置：训练时间达标但损失未达标，GradScaler 的 growth_factor 很可能不是 2.0"},
      {"grep -rn growth_factor in the training code and its configuration; set GradScaler "
       "growth_factor to 2.0 and run again",
       "在训练代码及其配置中执行 grep -rn growth_factor；将 GradScaler 的 growth_factor 设为 2.0 "
       "后重新运行"},
      *loss);
}

std::optional<Diagnosis> success_below_target(const JudgeInput& input, const Findings& findings) {
  const Finding* quality = quality_finding(input, findings);
  const bool says_success = find_passed(findings, "run_stop_status") != nullptr;
  if (quality == nullptr || !quality->measured || quality->verdict != VerdictWord::fail ||
      !says_success) {
    return std::nullopt;
  }
  return diagnosis(
      "success_below_target",
      {fmt::format("the log claims success, yet its last value {} misses the target {}: the "
                   "workload was started "
                   "with another target, or success was forced",
                   base::format_figure(*quality->measured), base::format_figure(*quality->limit)),
       fmt::format("日志声称成功，但最后的值 {} 未达到目标 "
                   "{}：工作负载可能使用了其他目标值，或被强制标记为成功",
                   base::format_figure(*quality->measured), base::format_figure(*quality->limit))},
      {"check the target in the run's configuration and that FORCE_SUCCESS_STATUS is not set, then "
       "run again",
       "检查运行配置中的目标值，并确认未设置 FORCE_SUCCESS_STATUS，然后重新运行"},
      *quality);
}

Text killed_text(int exit_code) {
  const int signal = exit_code > 128 ? exit_code - 128 : 0;
  if (signal == 9) {
    return {
        "the program was killed (exit code 137, SIGKILL): out of memory, or the scheduler's time "
        "limit",
        "程序被强制终止（退出码 137，SIGKILL）：内存不足，或到达调度器时限"};
  }
  return signal > 0
             ? Text{fmt::format("the program was ended by signal {} (exit code {})", signal,
                                exit_code),
                    fmt::format("程序被信号 {} 终止（退出码 {}）", signal, exit_code)}
             : Text{fmt::format("the program ended with exit code {} before its run was over",
                                exit_code),
                    fmt::format("程序在训练完成前以退出码 {} 结束", exit_code)};
}

std::optional<Diagnosis> log_incomplete(const JudgeInput& input, const Findings& findings) {
  const Finding* stop = find_failed(findings, "exactly_one_run_stop");
  if (stop == nullptr || input.runs.empty() || !input.runs.front().training ||
      input.runs.front().training->run_stop_count > 0) {
    return std::nullopt;
  }
  const Text cause = input.known.exit_code && *input.known.exit_code != 0
                         ? killed_text(*input.known.exit_code)
                         : Text{"the run was killed, or its log was copied before the end",
                                "训练被终止，或日志在结束前被复制"};
  return diagnosis(
      "log_incomplete", cause,
      {"look for the end of the job: its scheduler state (sacct -j JOB -o State,ExitCode) and the "
       "kernel log of its nodes (dmesg -T | grep -iE 'killed process|Xid')",
       "查看作业如何结束：调度器状态（sacct -j JOB -o State,ExitCode）以及各节点内核日志"
       "（dmesg -T | grep -iE 'killed process|Xid'）"},
      *stop);
}

std::optional<Diagnosis> clock_stepped(const JudgeInput& /*input*/, const Findings& findings) {
  const Finding* time = find_failed(findings, "time_runs_forward");
  if (time == nullptr) {
    return std::nullopt;
  }
  return diagnosis(
      "clock_stepped",
      {"the node's clock was set during the run, or the log was put together from several runs",
       "运行期间节点时钟被调整，或日志由多次运行拼接而成"},
      {"check time synchronisation on the node that wrote the log (chronyc tracking) and run again",
       "在写日志的节点上检查时间同步（chronyc tracking），然后重新运行"},
      *time);
}

std::optional<Diagnosis> several_runs_in_one_log(const JudgeInput& input,
                                                 const Findings& findings) {
  const Finding* start = find_failed(findings, "exactly_one_run_start");
  if (start == nullptr || input.runs.empty() || !input.runs.front().training ||
      input.runs.front().training->run_start_count < 2) {
    return std::nullopt;
  }
  return diagnosis("several_runs_in_one_log",
                   {"the log holds more than one run, or the program restarted its clock: no time "
                    "can be taken from it",
                    "日志包含多次运行，或程序重新开始了计时：无法从中得出训练时间"},
                   {"give every run a log of its own (a new file per start) and run again",
                    "为每次运行使用独立的日志文件，然后重新运行"},
                   *start);
}

std::optional<Diagnosis> records_damaged(const JudgeInput& /*input*/, const Findings& findings) {
  const Finding* records = find_failed(findings, "readable_records");
  if (records == nullptr) {
    return std::nullopt;
  }
  return diagnosis(
      "records_damaged",
      {"several processes wrote into one line, or a line was cut: those records are malformed",
       "多个进程写入了同一行，或某行被截断：这些记录已损坏（malformed）"},
      {"let rank 0 alone write :::MLLOG lines, one write per line (srun -l keeps ranks apart)",
       "只让 0 号进程写 :::MLLOG 行，并且每行一次写入（srun -l 可区分各进程）"},
      *records);
}

/// A file that should hold results and holds nothing that can be read.
std::optional<Diagnosis> nothing_readable(const JudgeInput& /*input*/, const Findings& findings) {
  const Finding* json = find_failed(findings, "readable_artifact");
  const Finding* log = find_failed(findings, "readable_log");
  if (json != nullptr) {
    return diagnosis(
        "results_json_unreadable",
        {"the file is damaged or was cut: its writer ended early, or the disk was full",
         "文件损坏或被截断：写入程序提前结束，或磁盘已满"},
        {"look at the end of the run's own log and at df -h of that file system; copy the file "
         "again "
         "if it was copied",
         "查看该次运行日志的末尾，并用 df -h 检查该文件系统；若文件是复制来的，请重新复制"},
        *json);
  }
  if (log == nullptr || log->text.en.find(":::MLL'") != std::string::npos) {
    return std::nullopt;
  }
  return diagnosis("not_a_result_log",
                   {"this is not the log of an MLPerf workload, or the workload never got as far "
                    "as its first record",
                    "这不是 MLPerf 工作负载的日志，或工作负载未运行到写出第一条记录"},
                   {"name the file with lines ':::MLLOG {…}' (result_N.txt, or the raw log of rank "
                    "0); if there is "
                    "none, its end says why the program stopped",
                    "请指定含有 ':::MLLOG {…}' 行的文件（result_N.txt，或 0 "
                    "号进程的原始日志）；若没有，请看日志末尾了解程序为何停止"},
                   *log);
}

/// The issue of a results.json that says most: what was written wrongly before what is absent.
const model::Issue* telling_issue(const JudgeInput& input) {
  const model::Issue* absent = nullptr;
  for (const RunEvidence& run : input.runs) {
    if (!run.results || run.results->issues.empty()) {
      continue;
    }
    const std::vector<model::Issue>& issues = run.results->issues;
    const auto wrong =
        std::ranges::find(issues, model::IssueKind::value_unusable, &model::Issue::kind);
    if (wrong != issues.end()) {
      return &*wrong;
    }
    absent = absent == nullptr ? &issues.front() : absent;
  }
  return absent;
}

/// A figure that is needed stands in results.json in a way that cannot be used.
std::optional<Diagnosis> results_value_unusable(const JudgeInput& input, const Findings& findings) {
  const bool is_missed = std::ranges::any_of(findings, [](const Finding& f) {
    return f.reason == model::ReasonClass::evidence_missing &&
           f.evidence_kind == model::Evidence{EvidenceKind::results_json, {}};
  });
  const model::Issue* issue = is_missed ? telling_issue(input) : nullptr;
  if (issue == nullptr) {
    return std::nullopt;
  }
  Diagnosis out;
  out.rule = "results_value_unusable";
  out.cause = issue->reason;
  out.next = {
      "correct the program that writes results.json and run again; a figure is never guessed",
      "请修正写 results.json 的程序后重新运行；数值绝不靠猜测"};
  out.evidence = {issue->source};
  return out;
}

std::optional<Diagnosis> old_log_format(const JudgeInput& /*input*/, const Findings& findings) {
  const Finding* log = find_failed(findings, "readable_log");
  if (log == nullptr || log->text.en.find(":::MLL'") == std::string::npos) {
    return std::nullopt;
  }
  return diagnosis(
      "old_log_format",
      {"the workload is of MLPerf v0.6 or older: its ':::MLL' lines are another format",
       "该工作负载属于 MLPerf v0.6 或更早版本：':::MLL' 行是另一种格式"},
      {"run a v3.0 implementation, whose lines begin with :::MLLOG",
       "请使用 v3.0 的实现，其日志行以 :::MLLOG 开头"},
      *log);
}

bool last_value_is_not_finite(const JudgeInput& input) {
  return std::ranges::any_of(input.runs, [](const RunEvidence& run) {
    return run.training && !run.training->evaluations.empty() &&
           !run.training->evaluations.back().value;
  });
}

std::optional<Diagnosis> diverged(const JudgeInput& input, const Findings& findings) {
  const Finding* values = find_failed(findings, "evaluation_values");
  if (values == nullptr || !last_value_is_not_finite(input)) {
    return std::nullopt;
  }
  return diagnosis(
      "diverged",
      {"training diverged, or the evaluation did not run: its last value is no number",
       "训练发散，或评估未正常执行：最后的值不是数值"},
      {"look at the evaluations before it; repeat on one node with the same seed to tell numerics "
       "from "
       "a bad exchange between nodes",
       "查看之前的各次评估；用相同随机种子在单节点上重复，以区分数值问题与节点间通信问题"},
      *values);
}

/// Source: field reports of runs that level off below their target: shards built wrongly, not
/// faulty machines.
std::optional<Diagnosis> stopped_below_target(const JudgeInput& input, const Findings& findings) {
  const Finding* quality = quality_finding(input, findings);
  const Finding* status = find_failed(findings, "run_stop_status");
  const bool is_aborted =
      status != nullptr && status->reason == model::ReasonClass::missed_criterion;
  if (!is_aborted || quality == nullptr || !quality->measured ||
      quality->verdict != VerdictWord::fail) {
    return std::nullopt;
  }
  const std::string last = base::format_figure(*quality->measured);
  const std::string target = base::format_figure(*quality->limit);
  return diagnosis(
      "stopped_below_target",
      {fmt::format("the training levelled off at {} below its target {}: more often the data set "
                   "(preprocessing, "
                   "shuffle, missing shards) or the hyper-parameters than the machine",
                   last, target),
       fmt::format("训练停滞在 {}，未达到目标 "
                   "{}：多为数据集（预处理、打乱、分片缺失）或超参数问题，而非机器问题",
                   last, target)},
      {"compare checksums and counts of the data shards with those of a run that converged, then "
       "the "
       "hyper-parameters at the head of both logs",
       "与收敛过的运行比对数据分片的校验和与数量，再比对两份日志开头的超参数"},
      *quality);
}

/// Last resort for a run that is merely slow: which figures tell slow steps from slow convergence.
std::optional<Diagnosis> slow_without_known_cause(const JudgeInput& input,
                                                  const Findings& findings) {
  const Finding* time = find_failed(findings, "time_to_train_s");
  if (time == nullptr || time->verdict != VerdictWord::fail) {
    return std::nullopt;
  }
  const bool has_log = std::ranges::any_of(
      input.runs, [](const RunEvidence& run) { return run.training.has_value(); });
  const Text next = has_log
                        ? Text{"compare time_per_sample_s and samples_to_converge with those of a run that passed "
                               "(accept check --json LOG): the first speaks of the machine, the second of convergence",
                               "将 time_per_sample_s 与 samples_to_converge 同通过的运行对比（accept check --json "
                               "日志）：前者反映机器，后者反映收敛"}
                        : Text{"judge the run's log too, accept check result_0.txt: it tells slow steps from slow "
                               "convergence, which results.json cannot",
                               "再评判该次运行的日志 accept check result_0.txt：它能区分步速慢与收敛慢，而 "
                               "results.json 不能"};
  return diagnosis("slow_without_known_cause",
                   {"no known cause: loss and scaling say nothing against it",
                    "暂无已知原因：损失与扩展效率均未见异常"},
                   next, *time);
}

std::optional<Diagnosis> workload_not_started(const JudgeInput& input, const Findings& findings) {
  const Finding* attempt = find_failed(findings, "attempt");
  if (attempt == nullptr || !input.attempt || input.attempt->last_error_lines.empty()) {
    return std::nullopt;
  }
  Diagnosis out = diagnosis(
      "workload_error_text", {"the workload's own last words are below", "工作负载最后的输出见下"},
      {"read the end of stderr.log in the evidence folder", "查看证据目录中 stderr.log 的末尾"},
      *attempt);
  out.quoted_line = input.attempt->last_error_lines;
  return out;
}

}  // namespace

std::vector<Diagnosis> diagnose(const JudgeInput& input, const Findings& findings) {
  // First cause first: what makes the input unusable, then what broke the run, then what made it
  // slow or wrong.
  constexpr std::array kRules{
      &workload_not_started, &nothing_readable,     &results_value_unusable,
      &old_log_format,       &log_incomplete,       &several_runs_in_one_log,
      &clock_stepped,        &records_damaged,      &diverged,
      &success_below_target, &stopped_below_target, &loss_above_limit_in_time,
      &scaling_below_limit};
  std::vector<Diagnosis> causes;
  for (const auto& rule : kRules) {
    if (auto cause = rule(input, findings)) {
      causes.push_back(std::move(*cause));
    }
  }
  if (causes.empty()) {
    if (auto cause = slow_without_known_cause(input, findings)) {
      causes.push_back(std::move(*cause));
    }
  }
  return causes;
}

}  // namespace harness::judge
