#include <cstdlib>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/error.h"
#include "harness/cli/commands.h"
#include "harness/cli/progress_line.h"
#include "harness/cli/signals.h"
#include "harness/cli/terminal.h"
#include "harness/engine/data_folder.h"
#include "harness/engine/report_details.h"
#include "harness/engine/run.h"
#include "harness/engine/suite_catalog.h"
#include "harness/launch/boost_process_runner.h"
#include "harness/launch/process_launcher.h"

namespace harness::cli {
namespace {

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
      all.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return all;
}

/// Debian's own interpreter first: the workloads' packages (python3-torch) belong to it, whatever
/// PATH holds.
std::string python_path() {
  if (const char* named = std::getenv("ACCEPT_PYTHON"); named != nullptr && *named != '\0') {
    return named;
  }
  return ::access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
}

std::uint64_t random_seed() {
  std::random_device device;
  return device() & 0x7FFFFFFFU;
}

engine::Placeholders placeholders_of(const RunOptions& options,
                                     const std::filesystem::path& data_folder) {
  engine::Placeholders values;
  values["PYTHON"] = python_path();
  values["WORKLOADS"] = std::filesystem::absolute(data_folder / "suites" / "workloads").string();
  values["SEED"] = std::to_string(options.seed.value_or(random_seed()));
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw base::Error(base::ErrorKind::usage,
                        {.tried = {"use --set", "使用 --set"},
                         .on = setting,
                         .happened = {"it is not NAME=VALUE", "格式不是 名称=值"},
                         .next = {"for example --set SEED=7", "例如 --set SEED=7"}});
    }
    values[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return values;
}

}  // namespace

int run_command(const RunOptions& options, const OutputOptions& output) {
  launch::BoostProcessRunner
      runner;  // first: it settles what children inherit, before any thread is there
  const SignalWatch signals;
  const base::SystemClock clock;
  const engine::SuiteCatalog catalog(engine::find_data_folder());
  engine::RunRequest request;
  request.suite = catalog.suite(options.suite);
  request.values = placeholders_of(options, catalog.data_folder());
  request.inherited_environment = own_environment();
  request.run_id = engine::make_run_id(clock, request.suite.name);
  request.evidence_folder =
      engine::prepare_evidence_folder(options.out.value_or("accept-runs/" + request.run_id));

  launch::ProcessLauncher launcher(runner, clock);
  report::Report report;
  {
    ProgressLine line(clock, output);
    report = engine::run_suite(
        request, launcher, clock,
        [&line](const engine::RunProgress& progress) { line.show(progress); }, signals.token());
  }
  if (signals.signal_number() != 0) {
    report.exit_code = base::graver_exit_code(report.exit_code, 128 + signals.signal_number());
  }
  print_report(report, output);
  const std::string page =
      request.evidence_folder /
      (language_of(output) == base::Language::zh ? "report.zh.html" : "report.html");
  engine::seal_run(report, engine::load_templates(catalog.data_folder()));
  if (output.format == OutputFormat::terminal) {
    print(page + "\n");  // last, alone on its line: a path to click or to copy
  }
  return report.exit_code;
}

}  // namespace harness::cli
