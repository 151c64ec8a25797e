#include "harness/report/labels.h"

#include <algorithm>
#include <array>

#include "harness/base/error.h"
#include "harness/model/metric.h"

namespace harness::report {
namespace {

constexpr std::array kLabels{
    // Page
    Label{"report", "Acceptance report", "验收报告"},
    Label{"skip", "Skip to content", "跳到正文"},
    Label{"run", "run", "运行"},
    Label{"suite", "Suite", "套件"},
    Label{"system", "system", "机型"},
    Label{"exit_code", "exit code {}", "退出码 {}"},
    Label{"judged", "{} judged", "共评判 {} 项"},
    Label{"overview", "What was judged", "评判对象"},
    Label{"subject", "Subject", "对象"},
    Label{"answer", "Result", "结论"},
    // Cause
    Label{"likely_cause", "Likely cause", "可能原因"},
    Label{"evidence", "Evidence", "证据"},
    Label{"next", "Next", "下一步"},
    Label{"no_known_cause", "No known cause", "暂无已知原因"},
    Label{"collect_more", "It reads everything in the folder and changes nothing.",
          "读取该目录中的全部内容，不做任何改动。"},
    Label{"look_below", "The checks that did not pass name file and line below.",
          "下方未通过的检查项列出了文件和行号。"},
    // Figures and stages
    Label{"figures", "Figures against their limits", "实测值与限值"},
    Label{"more_figures", "{} more in the table below", "其余 {} 项见下表"},
    Label{"all_figures", "All figures: {}", "全部数值：{} 项"},
    Label{"figure", "Figure", "数值"},
    Label{"value", "Value", "值"},
    Label{"unknown", "unknown", "未知"},
    Label{"not_measured", "not measured", "未测得"},
    Label{"how_judged", "How the verdict came about", "判定过程"},
    Label{"check", "Check", "检查项"},
    Label{"measured", "Measured", "实测"},
    Label{"limit", "Limit", "限值"},
    Label{"margin", "Margin", "裕量"},
    Label{"verdict", "Verdict", "判定"},
    Label{"finding", "Finding", "结果"},
    Label{"warning", "warning", "警告"},
    Label{"count_passed", "{} of {}", "{} / {}"},
    Label{"count_failed", "{} of {} failed", "{} / {} 不通过"},
    Label{"count_warned", ", warnings: {}", "，{} 条警告"},
    Label{"rows_hidden", "{} more rows, in the JSON report only", "另有 {} 行，仅见 JSON 报告"},
    Label{"limit_from", "limit: {}", "限值出处：{}"},
    Label{"room", "{} room{}", "余 {}{}"},
    Label{"over", "{} over{}", "超出 {}{}"},
    Label{"short", "{} short{}", "低 {}{}"},
    Label{"instead_of", ". {} instead of {}", "。{}，应为 {}"},
    Label{"comma", ", ", "，"},
    Label{"more_evidence", " and {} more", "，另有 {} 处"},
    Label{"about_launch", "how the workload ended", "工作负载如何结束"},
    Label{"about_evidence", "what the run left behind", "运行留下的内容"},
    Label{"about_validity", "a run that broke the rules is invalid, not slow",
          "违规的运行是无效，而不是慢"},
    Label{"about_criteria", "figures against their limits", "实测值对照限值"},
    Label{"about_score", "one figure over all runs", "全部运行合计"},
    Label{"not_judged", "Not judged", "未评判"},
    Label{"why", "Why", "原因"},
    Label{"not_read", "Not read: no parser knows these files", "未读取：没有解析器能识别这些文件"},
    Label{"and_more", "and {} more", "另有 {} 个"},
    // Evaluation curve
    Label{"evaluation", "Evaluation against target", "评估曲线与目标"},
    Label{"evaluation_only", "Evaluation", "评估曲线"},
    Label{"as_table", "As table", "以表格显示"},
    Label{"evaluations_of", "Evaluations: {}, in {}", "{} 次评估，来自 {}"},
    Label{"last_evaluations", "The last {} of {} evaluations in {}",
          "最后 {} 次评估（共 {} 次），来自 {}"},
    Label{"no_usable_value", "Evaluations: {}, in {}; none has a usable value.",
          "{} 次评估均没有可用的数值，来自 {}。"},
    Label{"time_s", "time since run_start, s", "自 run_start 起的时间，s"},
    Label{"samples", "samples", "样本数"},
    Label{"axis_time", "time since run_start, {}", "自 run_start 起的时间，{}"},
    Label{"axis_samples", "trained samples", "已训练样本数"},
    Label{"axis_number", "evaluation, in file order", "评估序号（按文件顺序）"},
    Label{"axis_starts", "{} (axis starts at {})", "{}（纵轴从 {} 起）"},
    Label{"target", "target {}", "目标 {}"},
    Label{"time_limit", "limit {}", "限值 {}"},
    Label{"last_point", "{} at {}", "{}，{}"},
    Label{"evaluation_number", "evaluation {}", "第 {} 次评估"},
    Label{"samples_at", "{} samples", "{} 个样本"},
    Label{"chart_of", "{}, evaluations: {}.", "{}，共 {} 次评估。"},
    Label{"chart_met", " Ends at {}, which meets the target {}.", "最后为 {}，达到目标 {}。"},
    Label{"chart_missed", " Ends at {}, which misses the target {}.", "最后为 {}，未达到目标 {}。"},
    Label{"chart_ends", " Ends at {}.", "最后为 {}。"},
    Label{"chart_late", " That is after the time limit of {}.", "已超过时间限值 {}。"},
    Label{"chart_limit", " Time limit {}.", "时间限值 {}。"},
    Label{"chart_gaps", " {} without a usable value: drawn as gaps.",
          "其中 {} 次没有可用的数值，以缺口表示。"},
    // Run
    Label{"environment", "Environment", "环境"},
    Label{"part", "Part", "部件"},
    Label{"run_and_evidence", "Run and evidence", "运行与证据"},
    Label{"attempt", "Attempt", "次序"},
    Label{"state", "State", "状态"},
    Label{"started", "Started", "开始"},
    Label{"ended", "Ended", "结束"},
    Label{"duration", "Duration", "用时"},
    Label{"exit", "Exit", "退出"},
    Label{"exit_is", "code {}", "退出码 {}"},
    Label{"signal_is", "signal {}", "信号 {}"},
    Label{"stderr", "End of its standard error", "标准错误输出的末尾"},
    Label{"dropped", "{} bytes of log beyond the limit were counted, not kept.",
          "日志超出上限的 {} 字节只计数，未保存。"},
    Label{"evidence_folder", "Evidence folder", "证据目录"},
    Label{"files", "Files with SHA-256: {}", "{} 个文件及其 SHA-256"},
    Label{"file", "File", "文件"},
    Label{"size", "Size", "大小"},
    Label{"state_COMPLETED", "completed", "已完成"},
    Label{"state_FAILED", "ended with an error", "出错结束"},
    Label{"state_KILLED", "killed by a signal", "被信号终止"},
    Label{"state_NOT_STARTED", "could not be started", "未能启动"},
    Label{"state_WALL_LIMIT", "ended by accept: wall limit", "由 accept 终止：超过时限"},
    Label{"state_SILENCE_LIMIT", "ended by accept: silent for too long",
          "由 accept 终止：长时间无输出"},
    Label{"state_ABORTED", "ended by the user", "被用户终止"},
    Label{"made_by",
          "accept {}. All times are UTC. The same evidence and suite give the same verdict.",
          "accept {}。所有时间均为 UTC。证据与套件相同，判定即相同。"},
};

// Figures of judge/figures.cpp that are no metrics.
constexpr std::array kFigureTitles{
    Label{"benchmark", "benchmark in the log", "日志中的基准"},
    Label{"final_eval_value", "last evaluation", "最后一次评估"},
    Label{"quality_target", "quality target", "质量目标"},
    Label{"run_stop_status", "status of run_stop", "run_stop 状态"},
    Label{"evaluation_count", "evaluations", "评估次数"},
    Label{"record_count", "records in the log", "日志记录数"},
    Label{"malformed_lines", "malformed lines", "格式错误的行数"},
    Label{"old_format_lines", "lines in the old format", "旧格式的行数"},
    Label{"results_json_time_to_train_s", "time to train in results.json",
          "results.json 中的训练时间"},
    Label{"runs", "runs", "运行次数"},
    Label{"valid_runs", "valid runs", "有效运行次数"},
    Label{"time_to_train_s_per_run", "time to train per run", "各次运行的训练时间"},
};

std::string in(const Label& label, base::Language language) {
  return std::string(language == base::Language::zh ? label.zh : label.en);
}

}  // namespace

std::span<const Label> all_labels() {
  return kLabels;
}

std::string say(std::string_view key, base::Language language) {
  const auto* const found = std::ranges::find(kLabels, key, &Label::key);
  if (found == kLabels.end()) {
    throw base::Error(base::ErrorKind::bug,
                      {.tried = {"look up a label", "查找标签"},
                       .on = std::string(key),
                       .happened = {"it is not in the table", "标签表中没有它"},
                       .next = {}});
  }
  return in(*found, language);
}

std::string figure_title(std::string_view name, base::Language language) {
  if (const model::Metric* metric = model::find_metric(name); metric != nullptr) {
    return metric->title().in(language);
  }
  const auto* const found = std::ranges::find(kFigureTitles, name, &Label::key);
  return found == kFigureTitles.end() ? "" : in(*found, language);
}

}  // namespace harness::report
