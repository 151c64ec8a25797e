#include "harness/engine/plan.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "harness/base/error.h"

namespace harness::engine {
namespace {

constexpr std::uint64_t kLogLimitBytes = 1ULL << 30U;

/// `text` with every ${NAME} replaced; names without a value are added to `missing` and left as
/// they are.
std::string fill(std::string_view text, const Placeholders& values,
                 std::set<std::string>& missing) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t start = text.find("${");
    const std::size_t end = start == std::string_view::npos ? start : text.find('}', start);
    if (end == std::string_view::npos) {
      break;
    }
    const std::string name(text.substr(start + 2, end - start - 2));
    filled += text.substr(0, start);
    if (const auto value = values.find(name); value != values.end()) {
      filled += value->second;
    } else {
      missing.insert(name);
    }
    text.remove_prefix(end + 1);
  }
  filled += text;
  return filled;
}

void refuse_missing(const model::Suite& suite, const std::set<std::string>& missing) {
  if (missing.empty()) {
    return;
  }
  const std::string names = base::join({missing.begin(), missing.end()}, ", ");
  throw base::Error(base::ErrorKind::usage,
                    {.tried = {"plan the run of suite", "规划套件"},
                     .on = suite.name,
                     .happened = {"no value for " + names, "缺少以下变量的值：" + names},
                     .next = {"give each as --set NAME=VALUE", "请用 --set 名称=值 逐一给出"}});
}

}  // namespace

bool may_inherit(const std::string& environment_name) {
  static constexpr std::array<std::string_view, 12> kNames{
      "PATH",  "HOME",   "USER", "LOGNAME",         "LANG",        "LC_ALL",
      "SHELL", "TMPDIR", "TZ",   "LD_LIBRARY_PATH", "VIRTUAL_ENV", "XDG_RUNTIME_DIR"};
  static constexpr std::array<std::string_view, 6> kPrefixes{"CUDA_", "NVIDIA_", "NCCL_",
                                                             "OMP_",  "UCX_",    "SLURM_"};
  return std::ranges::find(kNames, environment_name) != kNames.end() ||
         std::ranges::any_of(kPrefixes,
                             [&](std::string_view p) { return environment_name.starts_with(p); });
}

model::Job plan_job(const model::Suite& suite, const Placeholders& values,
                    const std::map<std::string, std::string>& inherited,
                    const std::filesystem::path& output_folder) {
  if (!suite.launch) {
    throw base::Error(
        base::ErrorKind::usage,
        {.tried = {"run the suite", "运行套件"},
         .on = suite.name,
         .happened = {"it has no launch block", "套件没有 launch 部分"},
         .next = {"judge results that exist with: accept check --suite " + suite.name + " PATH",
                  "可用 accept check --suite " + suite.name + " 路径 评判已有结果"}});
  }
  const model::LaunchBlock& launch = *suite.launch;
  std::set<std::string> missing;
  model::Job job;
  job.launcher = launch.launcher;
  for (const std::string& argument : launch.argv) {
    job.argv.push_back(fill(argument, values, missing));
  }
  for (const auto& [name, value] : inherited) {
    if (may_inherit(name)) {
      job.environment[name] = value;
    }
  }
  for (const auto& [name, value] : launch.environment) {
    job.environment[name] = fill(value, values, missing);
  }
  refuse_missing(suite, missing);
  job.output_folder = output_folder;
  job.wall_limit_s = launch.wall_limit_s;
  job.silence_limit_s = launch.silence_limit_s;
  job.termination_grace_s = launch.termination_grace_s;
  job.log_limit_bytes = kLogLimitBytes;
  return job;
}

}  // namespace harness::engine
