#include "harness/engine/run.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/utc_time.h"
#include "harness/base/version.h"
#include "harness/engine/evidence_folder.h"
#include "harness/engine/gather.h"
#include "harness/engine/report_details.h"
#include "harness/judge/judge.h"
#include "harness/parse/training_log.h"
#include "harness/report/json_report.h"

namespace harness::engine {
namespace {

namespace fs = std::filesystem;

void write_job(const fs::path& folder, const model::Job& job) {
  // Names only of the inherited environment: values may hold secrets.
  std::vector<std::string> names;
  std::ranges::transform(job.environment, std::back_inserter(names),
                         [](const auto& entry) { return entry.first; });
  const nlohmann::ordered_json json{{"schema_version", 1},
                                    {"launcher", model::launcher_name(job.launcher)},
                                    {"argv", job.argv},
                                    {"environment_names", names},
                                    {"wall_limit_s", job.wall_limit_s},
                                    {"silence_limit_s", job.silence_limit_s}};
  base::write_file_atomically(
      folder / "job.json",
      json.dump(2, ' ', false, nlohmann::detail::error_handler_t::replace) + "\n");
}

/// Reads the program's standard output as it comes and tells what the training says.
class Follower {
 public:
  Follower(const model::Suite& suite, const base::Clock& clock, const ProgressObserver& observe)
      : log_("stdout.log"), clock_(clock), observe_(observe), started_(clock.steady_now()) {
    if (suite.mllog) {
      progress_.quality_metric = suite.mllog->quality_metric;
      const auto quality =
          std::ranges::find(suite.criteria, suite.mllog->quality_metric, &model::Criterion::metric);
      if (quality != suite.criteria.end()) {
        progress_.quality_target = quality->limit;
      }
    }
  }

  void add(base::OutputStream stream, std::string_view bytes) {
    if (stream == base::OutputStream::standard_output) {
      log_.feed(bytes);
    }
    const model::TrainingRun& run = log_.so_far();
    progress_.elapsed_s = std::chrono::duration<double>(clock_.steady_now() - started_).count();
    progress_.is_training = run.run_start_count > 0;
    progress_.evaluation_count = run.evaluation_count;
    progress_.evaluation_value =
        run.evaluations.empty() ? std::nullopt : run.evaluations.back().value;
    observe_(progress_);
  }

 private:
  parse::TrainingLogReader log_;
  const base::Clock& clock_;
  const ProgressObserver& observe_;
  std::chrono::steady_clock::time_point started_;
  RunProgress progress_;
};

/// What the run left, as evidence; files the suite declares and that are missing stay missing.
std::vector<judge::RunEvidence> collect(const RunRequest& request) {
  judge::RunEvidence run;
  run.name = request.suite.name;
  const auto take = [&](const std::optional<std::string>& name) {
    std::error_code ignored;
    if (!name || !fs::is_regular_file(request.evidence_folder / *name, ignored)) {
      return;
    }
    judge::RunEvidence found = read_file_as_run(request.evidence_folder / *name, *name);
    if (found.training) {
      run.training = std::move(found.training);
    }
    if (found.results) {
      run.results = std::move(found.results);
    }
    std::ranges::move(found.unreadable, std::back_inserter(run.unreadable));
  };
  take(request.suite.outputs.mllog);
  take(request.suite.outputs.results_json);
  if (!run.training && !run.results && run.unreadable.empty()) {
    return {};
  }
  return {std::move(run)};
}

report::Report make_report(const RunRequest& request, model::Attempt attempt) {
  judge::JudgeInput input;
  input.suite = &request.suite;
  input.requirement = judge::Requirement::declared;
  input.runs = collect(request);
  measure(input.runs, &request.suite);
  input.attempt = attempt;
  report::Subject subject;
  subject.verdict = judge::judge(input);
  quote_evidence(subject.verdict.diagnoses, request.evidence_folder);
  subject.path = request.evidence_folder.string();
  subject.suite_title = request.suite.title;
  subject.curves = evaluation_curves(input.runs, &request.suite);
  subject.suite = request.suite.name;
  subject.attempt = std::move(attempt);
  report::Report report;
  report.command = "run";
  report.version = base::kVersion;
  report.run_id = request.run_id;
  report.evidence_folder = request.evidence_folder.string();
  report.exit_code = model::exit_code_of(subject.verdict.word);
  report.subjects.push_back(std::move(subject));
  return report;
}

}  // namespace

std::string make_run_id(const base::Clock& clock, const std::string& suite) {
  return fmt::format("r-{}-{}", base::to_compact_utc(clock.utc_now()), suite);
}

fs::path prepare_evidence_folder(const fs::path& folder) {
  base::make_folder(folder);
  std::error_code failed;
  if (!fs::is_empty(folder, failed) || failed) {
    throw base::Error(base::ErrorKind::usage,
                      {.tried = {"use the output folder", "使用输出目录"},
                       .on = folder.string(),
                       .happened = {"it is not empty, and evidence is never overwritten",
                                    "目录非空，证据不会被覆盖"},
                       .next = {"name a new folder with --out", "请用 --out 指定新目录"}});
  }
  return fs::absolute(folder);
}

report::Report run_suite(const RunRequest& request, launch::Launcher& launcher,
                         const base::Clock& clock, const ProgressObserver& observe,
                         std::stop_token stop) {
  Placeholders values = request.values;
  values["OUT"] = request.evidence_folder.string();
  const model::Job job =
      plan_job(request.suite, values, request.inherited_environment, request.evidence_folder);
  if (job.launcher != model::LauncherKind::process) {
    throw base::Error(
        base::ErrorKind::environment,
        {.tried = {"run the suite", "运行套件"},
         .on = request.suite.name,
         .happened = {fmt::format("this version starts processes only, not '{}' jobs",
                                  model::launcher_name(job.launcher)),
                      fmt::format("此版本只能启动本机进程，不支持 '{}' 作业",
                                  model::launcher_name(job.launcher))},
         .next = {"start the job as usual and judge what it leaves: accept check --suite " +
                      request.suite.name + " PATH",
                  "请照常启动作业，然后评判其结果：accept check --suite " + request.suite.name +
                      " 路径"}});
  }
  base::write_file_atomically(request.evidence_folder / "suite.json", request.suite.text);
  write_job(request.evidence_folder, job);
  Follower follower(request.suite, clock, observe);
  model::Attempt attempt = launcher.launch(
      job, request.evidence_folder,
      [&follower](base::OutputStream stream, std::string_view bytes) {
        follower.add(stream, bytes);
      },
      std::move(stop));
  return make_report(request, std::move(attempt));
}

void seal_run(report::Report report, const report::HtmlTemplates& templates) {
  const fs::path folder = report.evidence_folder;
  report.subjects.front().artifacts = kept_files(folder);
  base::write_file_atomically(folder / "report.html",
                              report::render_html(report, base::Language::en, templates));
  base::write_file_atomically(folder / "report.zh.html",
                              report::render_html(report, base::Language::zh, templates));
  base::write_file_atomically(folder / "verdict.json", report::render_json(report));
  write_manifest(folder);
}

}  // namespace harness::engine
