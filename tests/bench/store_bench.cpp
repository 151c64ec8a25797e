// How long the list and a one-year trend take once the store holds years of nights.
//   store_bench [MEASUREMENTS [FOLDER]]    default: 3,000,000 in a folder that is removed again
// Each run goes the way of every run (begin, finish, record hash); so it also prints what that
// costs.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/base/utc_time.h"
#include "harness/store/store.h"

namespace {

namespace fs = std::filesystem;
using harness::store::MeasurementRecord;
using harness::store::RunContents;
using harness::store::RunRecord;
using harness::store::Store;

constexpr int kNights = 3 * 365;
constexpr int kNodes = 8;
constexpr int kGpusPerNode = 8;
const std::vector<std::string> kSuites{"gpt3", "nccl_allreduce", "storage_read", "pcie_p2p"};

double milliseconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// 21 repeats by the clock on the wall, and the processor time that the median one took: on a
/// machine that others use too, the two differ.
void report(const std::string& name, const std::function<void()>& action) {
  std::vector<double> times;
  std::vector<double> processor_times;
  for (int i = 0; i < 21; ++i) {
    const std::clock_t start = std::clock();
    times.push_back(milliseconds_of(action));
    processor_times.push_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  const double first = times.front();
  std::ranges::sort(times);
  std::ranges::sort(processor_times);
  std::cout << fmt::format(
      "{:<42} median {:7.2f} ms  slowest {:7.2f} ms  first {:7.2f} ms  processor {:7.2f} ms\n",
      name, times[times.size() / 2], times.back(), first,
      processor_times[processor_times.size() / 2]);
}

MeasurementRecord figure(const std::string& metric, int number) {
  return {.metric = metric,
          .value = 300.0 + (0.37 * (number % 101)),
          .unit = "GB/s",
          .evidence = "tool:nccl-tests",
          .artifact = "result_0.txt",
          .line = number};
}

/// `count` figures: 20 of the whole run, then as many metrics of each GPU as fit.
RunContents contents_of(int count) {
  RunContents contents;
  for (int i = 0; i < std::min(count, 20); ++i) {
    contents.measurements.push_back(figure(fmt::format("run_figure_{}_gb_per_s", i), i));
  }
  for (int i = 20; i < count; ++i) {
    const int gpu = i % (kNodes * kGpusPerNode);
    MeasurementRecord part =
        figure(fmt::format("gpu_figure_{}_gb_per_s", i / (kNodes * kGpusPerNode)), i);
    part.node = fmt::format("node{:03}", gpu / kGpusPerNode);
    part.gpu_index = gpu % kGpusPerNode;
    part.rank = gpu;
    contents.measurements.push_back(part);
  }
  for (int i = 0; i < 8; ++i) {
    contents.findings.push_back({.stage = "criteria", .check = fmt::format("check_{}", i)});
    contents.environment.push_back({.key = fmt::format("version_{}", i), .value = "535.129.03"});
  }
  return contents;
}

RunRecord run_of(int night, const std::string& suite) {
  const auto start = std::chrono::sys_days{std::chrono::January / 1 / 2024} +
                     std::chrono::days(night) + std::chrono::minutes(90);
  return {.run_id = fmt::format("r-{}-{}", harness::base::to_compact_utc(start), suite),
          .suite = suite,
          .system = "dgx-h100",
          .cluster = "prod-a",
          .trigger = harness::store::RunTrigger::nightly,
          .state = harness::store::RunState::done,
          .verdict = night % 17 == 0 ? harness::model::VerdictWord::fail
                                     : harness::model::VerdictWord::pass,
          .exit_code = 0,
          .started_utc = harness::base::to_rfc3339(start),
          .ended_utc = harness::base::to_rfc3339(start + std::chrono::hours(3)),
          .configuration = "8x8",
          .node_count = kNodes,
          .gpu_count = kNodes * kGpusPerNode,
          .image_digest = fmt::format("sha256:{:064x}", night / 30),
          .is_miniature = suite == "pcie_p2p" && night % 50 == 0,
          .evidence_folder = "/var/lib/accept/runs/x",
          .verdict_json = std::string(20000, ' ')};
}

void fill(Store& store, int measurement_count) {
  const int per_run = measurement_count / (kNights * static_cast<int>(kSuites.size()));
  const RunContents contents = contents_of(per_run);
  for (int night = 0; night < kNights; ++night) {
    for (const std::string& suite : kSuites) {
      const RunRecord run = run_of(night, suite);
      store.begin_run(run);
      store.finish_run(run, contents);
    }
  }
}

void query(const Store& store) {
  const std::string last_year = run_of(kNights - 365, "gpt3").started_utc;
  report("list, newest 50", [&] { store.list_runs({}); });
  report("list, newest 50 failed of one suite",
         [&] { store.list_runs({.suite = "gpt3", .verdict = harness::model::VerdictWord::fail}); });
  report("list, newest 50 of a cluster without runs",
         [&] { store.list_runs({.cluster = "nowhere"}); });
  harness::store::SeriesQuery trend{
      .metric = "run_figure_7_gb_per_s", .suite = "nccl_allreduce", .since_utc = last_year};
  std::size_t points = 0;
  report("trend, one year, whole run", [&] { points = store.series(trend).size(); });
  std::cout << fmt::format("  {} points\n", points);
  trend.metric = "gpu_figure_5_gb_per_s";
  trend.scope = harness::store::SeriesScope::each_part;
  report("trend, one year, each of 64 GPUs", [&] { points = store.series(trend).size(); });
  std::cout << fmt::format("  {} points\n", points);
  report("find by prefix", [&] { store.find_run("r-20260101-013000-g"); });
  report("measurements of a run",
         [&] { store.measurements_of(run_of(kNights - 9, "gpt3").run_id); });
}

void care(Store& store, const fs::path& folder) {
  std::size_t problems = 0;
  std::cout << fmt::format("check: {:.1f} s",
                           milliseconds_of([&] { problems = store.check().size(); }) / 1000);
  std::cout << fmt::format(", {} problems\n", problems);
  std::cout << fmt::format("backup: {:.1f} s\n",
                           milliseconds_of([&] { store.backup_to(folder / "backup.db"); }) / 1000);
  harness::store::PruneCounts counts;
  const double prune_ms = milliseconds_of([&] {
    counts = store.prune({.older_than_utc = "2026-01-01T00:00:00Z", .keep_newest = 30},
                         harness::store::PruneMode::apply, "2027-01-01T00:00:00Z");
  });
  std::cout << fmt::format("prune: {:.1f} s, {} runs, {} measurements\n", prune_ms / 1000,
                           counts.runs, counts.measurements);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const int count = arguments.empty() ? 3000000 : std::stoi(arguments[0]);
  const fs::path folder = arguments.size() > 1 ? fs::path(arguments[1])
                                               : fs::temp_directory_path() / "accept-store-bench";
  fs::remove(folder / "accept.db");
  {
    Store store =
        Store::open(folder / "accept.db", fs::path(ACCEPT_SOURCE_DIR) / "schemas" / "sql");
    const double fill_ms = milliseconds_of([&] { fill(store, count); });
    const int runs = kNights * static_cast<int>(kSuites.size());
    std::cout << fmt::format("stored {} runs, about {} measurements: {:.1f} s, {:.2f} ms a run\n",
                             runs, count, fill_ms / 1000, fill_ms / runs);
  }
  {
    Store store =
        Store::open(folder / "accept.db", fs::path(ACCEPT_SOURCE_DIR) / "schemas" / "sql");
    std::cout << fmt::format("database: {} MB\n", fs::file_size(folder / "accept.db") / 1000000);
    query(store);
    care(store, folder);
  }
  if (arguments.size() < 2) {
    fs::remove_all(folder);
  }
  return EXIT_SUCCESS;
}
