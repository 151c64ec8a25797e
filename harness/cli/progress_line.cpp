#include "harness/cli/progress_line.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/base/utc_time.h"
#include "harness/cli/terminal.h"

namespace harness::cli {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{200};
constexpr std::chrono::seconds kHeartbeat{60};

}  // namespace

ProgressLine::ProgressLine(const base::Clock& clock, const OutputOptions& output)
    : clock_(clock),
      style_(style_of(output, STDERR_FILENO)),
      can_redraw_(can_redraw()),
      last_shown_(clock.steady_now()) {}

ProgressLine::~ProgressLine() {
  if (is_line_open_) {
    std::fputs("\r\x1b[K", stderr);
  }
}

void ProgressLine::show(const engine::RunProgress& progress) {
  const auto now = clock_.steady_now();
  const bool is_news = progress.evaluation_count > shown_evaluations_;
  if (can_redraw_) {
    if (now - last_shown_ >= kRedrawInterval || is_news) {
      std::fputs(("\r\x1b[K" + text_of(progress)).c_str(), stderr);
      std::fflush(stderr);
      is_line_open_ = true;
      last_shown_ = now;
    }
  } else if (is_news || now - last_shown_ >= kHeartbeat) {
    note(fmt::format("{}  {}", base::to_rfc3339(clock_.utc_now()), text_of(progress)));
    last_shown_ = now;
  }
  shown_evaluations_ = progress.evaluation_count;
}

std::string ProgressLine::text_of(const engine::RunProgress& progress) const {
  const bool zh = style_.language == base::Language::zh;
  const base::Text stage =
      progress.is_training ? base::Text{"train", "训练"} : base::Text{"start", "启动"};
  std::string text = fmt::format("▶ {}  {}  {}", zh ? "运行中" : "RUN",
                                 base::pad_right(stage.in(style_.language), 6),
                                 base::to_duration_text(progress.elapsed_s));
  if (progress.evaluation_value) {
    text += fmt::format("  {} {} {}", zh ? "第" : "evaluation", progress.evaluation_count,
                        zh ? "次评估" : "");
    text += fmt::format(" {} {}", progress.quality_metric,
                        base::format_significant(*progress.evaluation_value, 5));
  }
  if (progress.quality_target) {
    text += fmt::format("  {} {}", zh ? "目标" : "target",
                        base::format_figure(*progress.quality_target));
  }
  return report::fit_to_terminal(text, style_);
}

}  // namespace harness::cli
