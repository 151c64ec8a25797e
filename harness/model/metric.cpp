#include "harness/model/metric.h"

#include <algorithm>
#include <array>

#include "harness/base/error.h"

namespace harness::model {
namespace {

// Sources: MLPerf Training rules (time to train, quality targets), the site's results.json
// contract.
constexpr std::array kMetrics{
    Metric{"time_to_train_s", "s", Better::lower, "time to train", "训练时间"},
    Metric{"olympic_mean_s", "s", Better::lower, "olympic mean of time to train",
           "训练时间（去极值平均）"},
    Metric{"final_loss", "", Better::lower, "final loss", "最终损失"},
    Metric{"mlm_accuracy", "", Better::higher, "masked-LM accuracy", "掩码语言模型准确率"},
    Metric{"auc", "", Better::higher, "AUC", "AUC"},
    Metric{"log_perplexity", "", Better::lower, "log perplexity", "对数困惑度"},
    Metric{"eval_loss_nats_per_byte", "", Better::lower, "evaluation loss", "评估损失"},
    Metric{"scaling_efficiency", "", Better::higher, "scaling efficiency", "扩展效率"},
    Metric{"time_per_sample_s", "s", Better::lower, "time per sample", "每样本时间"},
    Metric{"samples_to_converge", "samples", Better::lower, "samples to converge",
           "收敛所需样本数"},
    Metric{"samples_per_s", "samples/s", Better::higher, "throughput", "吞吐量"},
    Metric{"startup_time_s", "s", Better::lower, "start-up time", "启动时间"},
    Metric{"evaluation_time_s", "s", Better::lower, "evaluation time", "评估时间"},
    Metric{"gpu_count", "", Better::neither, "GPUs", "GPU 数量"},
    Metric{"target_time_to_train_s", "s", Better::neither, "target named in the file",
           "文件中声明的目标时间"},
};

}  // namespace

std::span<const Metric> all_metrics() {
  return kMetrics;
}

const Metric* find_metric(std::string_view name) {
  const auto* const found = std::ranges::find(kMetrics, name, &Metric::name);
  return found == kMetrics.end() ? nullptr : &*found;
}

const Metric& metric_named(std::string_view name) {
  const Metric* metric = find_metric(name);
  if (metric == nullptr) {
    throw base::Error(base::ErrorKind::bug,
                      {.tried = {"look up a metric", "查找指标"},
                       .on = std::string(name),
                       .happened = {"it is not in the table", "指标表中没有它"},
                       .next = {}});
  }
  return *metric;
}

}  // namespace harness::model
