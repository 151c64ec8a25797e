#include "harness/model/suite_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "harness/base/json.h"
#include "harness/base/sha256.h"
#include "harness/model/criterion_json.h"
#include "harness/model/json_reader.h"

namespace harness::model {
namespace {

constexpr int kSchemaVersion = 1;
constexpr int kCountLimit = 1'000'000;            // GPUs, nodes, runs: more is a slip
constexpr double kTimeLimitSeconds = 31'536'000;  // a year; a longer one is a slip of units
constexpr std::size_t kFileNameLimit = 255;       // bytes; POSIX NAME_MAX on Linux

constexpr std::array kLaunchers{LauncherKind::process,   LauncherKind::podman, LauncherKind::docker,
                                LauncherKind::apptainer, LauncherKind::enroot, LauncherKind::ssh,
                                LauncherKind::slurm};

bool runs_in_container(LauncherKind kind) {
  return kind == LauncherKind::podman || kind == LauncherKind::docker ||
         kind == LauncherKind::apptainer || kind == LauncherKind::enroot;
}

LauncherKind read_launcher(const JsonReader& reader) {
  std::vector<std::string> names;
  names.reserve(kLaunchers.size());
  for (const LauncherKind kind : kLaunchers) {
    names.emplace_back(launcher_name(kind));
  }
  const std::string name = reader.read_word(names);
  return *std::ranges::find(kLaunchers, name, launcher_name);
}

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::map<std::string, std::string> read_environment(const JsonReader& reader) {
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : reader.members()) {
    if (!is_variable_name(name)) {
      value.refuse({"no name of an environment variable", "不是合法的环境变量名"},
                   {"use letters, digits and _, beginning with a letter or _",
                    "请使用字母、数字和 _，以字母或 _ 开头"});
    }
    out.emplace(name, value.read_string());
  }
  return out;
}

/// A side of a mount; ':' and ',' divide the fields of podman's and pyxis' mount options.
std::string read_mount_path(const JsonReader& reader) {
  std::string path = reader.read_label();
  const bool is_rooted = path.starts_with('/') || path.starts_with("${");
  if (!is_rooted || path.find_first_of(":,") != std::string::npos ||
      path.find("..") != std::string::npos) {
    reader.refuse({"no path that can be mounted", "不是可挂载的路径"},
                  {"begin with / or a ${NAME}, without \"..\", ':' and ','",
                   "请以 / 或 ${NAME} 开头，不含 \"..\"、':' 和 ','"});
  }
  return path;
}

Mount read_mount(const JsonReader& reader) {
  reader.expect_keys({"host_path", "container_path", "read_only"});
  Mount mount;
  mount.host_path = read_mount_path(reader.member("host_path"));
  mount.container_path = read_mount_path(reader.member("container_path"));
  if (const auto read_only = reader.find("read_only")) {
    mount.read_only = read_only->read_boolean();
  }
  return mount;
}

/// 0 … `highest`.
double read_limit_s(const JsonReader& reader, double highest_s) {
  const double value_s = reader.read_number();
  return value_s >= 0 && value_s <= 0 ? 0 : reader.read_positive(highest_s);
}

void read_limits(const JsonReader& reader, LaunchBlock& launch) {
  launch.wall_limit_s = reader.member("wall_limit_s").read_positive(kTimeLimitSeconds);
  if (const auto silence = reader.find("silence_limit_s")) {
    launch.silence_limit_s = read_limit_s(*silence, kTimeLimitSeconds);
  }
  if (const auto grace = reader.find("termination_grace_s")) {
    launch.termination_grace_s = read_limit_s(*grace, kTimeLimitSeconds);
  }
}

void read_container(const JsonReader& reader, LaunchBlock& launch) {
  const auto image = reader.find("image");
  const auto mounts = reader.find("mounts");
  if (launch.launcher == LauncherKind::process && (image || mounts)) {
    (image ? *image : *mounts)
        .refuse({"the process launcher starts no container", "process 启动方式不使用容器"},
                {"remove image and mounts, or name podman, docker, apptainer, enroot or slurm",
                 "请去掉 image 和 mounts，或改用 podman、docker、apptainer、enroot、slurm"});
  }
  if (image || runs_in_container(launch.launcher)) {
    launch.image = reader.member("image").read_label();
  }
  if (mounts) {
    for (const JsonReader& item : mounts->items()) {
      launch.mounts.push_back(read_mount(item));
    }
  }
}

std::vector<std::string> read_argv(const JsonReader& reader, LauncherKind launcher) {
  std::vector<std::string> out;
  const bool may_be_empty = launcher != LauncherKind::process;  // others may run the image's own
  for (const JsonReader& item : may_be_empty ? reader.items() : reader.some_items()) {
    out.push_back(item.read_string());
  }
  if (!out.empty() && out.front().empty()) {
    reader.refuse({"the program has an empty name", "程序名为空"},
                  {"write the program first", "请先写程序名"});
  }
  return out;
}

LaunchBlock read_launch(const JsonReader& reader) {
  reader.expect_keys({"launcher", "argv", "environment", "image", "mounts", "nodes",
                      "gpus_per_node", "wall_limit_s", "silence_limit_s", "termination_grace_s"});
  LaunchBlock launch;
  launch.launcher = read_launcher(reader.member("launcher"));
  const auto argv = reader.find("argv");
  if (argv || launch.launcher == LauncherKind::process) {
    launch.argv = read_argv(reader.member("argv"), launch.launcher);
  }
  if (const auto environment = reader.find("environment")) {
    launch.environment = read_environment(*environment);
  }
  read_container(reader, launch);
  if (const auto nodes = reader.find("nodes")) {
    launch.nodes = nodes->read_whole_number(1, kCountLimit);
  }
  if (const auto gpus = reader.find("gpus_per_node")) {
    launch.gpus_per_node = gpus->read_whole_number(0, kCountLimit);
  }
  read_limits(reader, launch);
  return launch;
}

bool is_plain_file_name(std::string_view name) {
  return name.size() <= kFileNameLimit && name != "." && name.front() != '-' &&
         name.find('/') == std::string_view::npos && name.find("..") == std::string_view::npos;
}

/// A file of the output folder that is not named yet.
std::string read_output(const JsonReader& reader, std::vector<std::string>& named) {
  std::string name = reader.read_label();
  if (!is_plain_file_name(name)) {
    reader.refuse({"no plain file name", "不是普通的文件名"},
                  {"name a file of the output folder: no /, no \"..\", no leading -",
                   "请写输出目录中的文件名：不含 /、不含 \"..\"、不以 - 开头"});
  }
  if (std::ranges::find(named, name) != named.end()) {
    reader.refuse({"this file is named twice", "该文件名重复"},
                  {"give each output its own file", "请为每个输出写不同的文件名"});
  }
  named.push_back(name);
  return name;
}

Outputs read_outputs(const JsonReader& reader) {
  reader.expect_keys({"mllog", "results_json", "other"});
  Outputs outputs;
  std::vector<std::string> named;
  if (const auto mllog = reader.find("mllog")) {
    outputs.mllog = read_output(*mllog, named);
  }
  if (const auto results_json = reader.find("results_json")) {
    outputs.results_json = read_output(*results_json, named);
  }
  if (const auto other = reader.find("other")) {
    for (const JsonReader& item : other->items()) {
      outputs.other.push_back(read_output(item, named));
    }
  }
  return outputs;
}

MllogBlock read_mllog(const JsonReader& reader) {
  reader.expect_keys(
      {"benchmark", "quality_metric", "samples_per_epoch_num", "official_run_count"});
  MllogBlock mllog;
  mllog.benchmark = reader.member("benchmark").read_name();
  const JsonReader quality = reader.member("quality_metric");
  mllog.quality_metric = read_metric(quality);
  if (is_derived_from_mllog(mllog.quality_metric)) {
    quality.refuse({"this metric is worked out from the log, eval_accuracy does not carry it",
                    "该指标由日志推算得出，并不是 eval_accuracy 的值"},
                   {"name what eval_accuracy carries, such as log_perplexity",
                    "请写 eval_accuracy 所代表的指标，例如 log_perplexity"});
  }
  if (const auto factor = reader.find("samples_per_epoch_num")) {
    mllog.samples_per_epoch_num = factor->read_positive();
  }
  if (const auto count = reader.find("official_run_count")) {
    mllog.official_run_count = static_cast<std::size_t>(count->read_whole_number(1, kCountLimit));
  }
  return mllog;
}

ScalingReference read_reference(const JsonReader& reader) {
  reader.expect_keys({"gpus", "why"});
  return {.gpus = reader.member("gpus").read_whole_number(1, kCountLimit),
          .why = reader.member("why").read_text()};
}

ModelWork read_work(const JsonReader& reader) {
  reader.expect_keys({"parameters", "tokens", "flop_per_parameter_and_token", "source"});
  ModelWork work;
  work.parameters = reader.member("parameters").read_positive();
  work.tokens = reader.member("tokens").read_positive();
  if (const auto flop = reader.find("flop_per_parameter_and_token")) {
    work.flop_per_parameter_and_token = flop->read_positive();
  }
  work.source = reader.member("source").read_label();
  return work;
}

void read_head(const JsonReader& reader, Suite& suite) {
  suite.name = reader.member("name").read_name();
  suite.title = reader.member("title").read_text();
  if (const auto summary = reader.find("summary")) {
    suite.summary = summary->read_text();
  }
  if (const auto is_miniature = reader.find("is_miniature")) {
    suite.is_miniature = is_miniature->read_boolean();
  }
  if (const auto is_mlperf = reader.find("is_mlperf")) {
    suite.is_mlperf = is_mlperf->read_boolean();
  }
  if (const auto system = reader.find("system")) {
    suite.system = system->read_name();
  }
  if (const auto gpu_count = reader.find("gpu_count")) {
    suite.gpu_count = gpu_count->read_whole_number(1, kCountLimit);
  }
}

void read_blocks(const JsonReader& reader, Suite& suite) {
  if (const auto launch = reader.find("launch")) {
    suite.launch = read_launch(*launch);
    suite.outputs = read_outputs(reader.member("outputs"));
  } else if (const auto outputs = reader.find("outputs")) {
    suite.outputs = read_outputs(*outputs);
  }
  if (const auto mllog = reader.find("mllog")) {
    suite.mllog = read_mllog(*mllog);
  }
  if (const auto reference = reader.find("reference")) {
    suite.reference = read_reference(*reference);
  }
  if (const auto work = reader.find("work")) {
    suite.work = read_work(*work);
  }
}

void expect_blocks_agree(const JsonReader& reader, const Suite& suite) {
  if (suite.outputs.mllog && !suite.mllog) {
    reader.member("outputs").member("mllog").refuse(
        {"a log, but the suite has no \"mllog\" block", "声明了日志，但套件没有 \"mllog\" 段"},
        {"add \"mllog\" with benchmark and quality_metric",
         "请补上 \"mllog\" 段（benchmark 和 quality_metric）"});
  }
  if (suite.is_miniature && suite.is_mlperf) {
    reader.member("is_mlperf")
        .refuse(
            {"a miniature training is no MLPerf benchmark", "微型训练不是 MLPerf 基准"},
            {"keep one of is_miniature and is_mlperf", "is_miniature 与 is_mlperf 只能保留其一"});
  }
  if (!suite.launch || suite.launch->gpus_per_node == 0 || !suite.gpu_count) {
    return;
  }
  const auto launched =
      static_cast<std::int64_t>(suite.launch->nodes) * suite.launch->gpus_per_node;
  if (launched != *suite.gpu_count) {
    reader.member("gpu_count")
        .refuse(
            {fmt::format("the limits hold for {} GPUs, launch starts {}", *suite.gpu_count,
                         launched),
             fmt::format("限值针对 {} 块 GPU，而 launch 启动 {} 块", *suite.gpu_count, launched)},
            {"make nodes x gpus_per_node equal to gpu_count",
             "请使 nodes × gpus_per_node 等于 gpu_count"});
  }
}

}  // namespace

Suite decode_suite(std::string_view text, const std::string& path) {
  const base::JsonNode root = base::parse_json(text, path);
  const JsonDocument document{.path = path, .tried = {"read the suite", "读取套件"}};
  const JsonReader reader(root, document);
  reader.expect_schema("accept-suite", kSchemaVersion);
  reader.expect_keys({"schema", "name", "title", "summary", "is_miniature", "is_mlperf", "system",
                      "gpu_count", "launch", "outputs", "mllog", "reference", "work", "criteria"});
  Suite suite;
  read_head(reader, suite);
  read_blocks(reader, suite);
  expect_blocks_agree(reader, suite);
  suite.criteria = read_criteria(reader.member("criteria"), suite.mllog);
  suite.path = path;
  suite.digest = base::sha256_hex(text);
  suite.text = text;
  return suite;
}

}  // namespace harness::model
