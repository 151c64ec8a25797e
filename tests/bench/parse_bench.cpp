// How fast logs become TrainingRuns, from file bytes on: parse_bench FOLDER [PASSES]
// Reads every file of FOLDER (plain text), PASSES times, and prints one line a pass:
// lines, records, wall seconds, CPU seconds, million lines per second of CPU time.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "harness/base/files.h"
#include "harness/base/number.h"
#include "harness/parse/training_log.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunkBytes = std::size_t{1} << 16U;

struct Pass {
  std::size_t lines = 0;
  std::size_t records = 0;
  double wall_s = 0;
  double cpu_s = 0;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + (static_cast<double>(time.tv_usec) / 1e6);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void read_log(const fs::path& path, std::vector<char>& chunk, Pass& pass) {
  harness::base::InputFile file(path);
  harness::parse::TrainingLogReader reader(path.string());
  for (std::size_t count = file.read(chunk); count > 0; count = file.read(chunk)) {
    reader.feed({chunk.data(), count});
  }
  const harness::model::TrainingRun run = reader.finish();
  pass.lines += run.line_count;
  pass.records += run.record_count;
}

Pass read_all(const std::vector<fs::path>& logs) {
  std::vector<char> chunk(kChunkBytes);
  Pass pass;
  const auto wall_began = std::chrono::steady_clock::now();
  const double cpu_began_s = cpu_seconds();
  for (const fs::path& log : logs) {
    read_log(log, chunk, pass);
  }
  pass.cpu_s = cpu_seconds() - cpu_began_s;
  pass.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_began).count();
  return pass;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) {
      fmt::print(stderr, "usage: parse_bench FOLDER [PASSES]\n");
      return 2;
    }
    const auto passes = argc > 2 ? harness::base::parse_integer(argv[2]).value_or(1) : 1;
    const std::vector<fs::path> logs = harness::base::files_below(argv[1]);
    for (std::int64_t i = 0; i < passes; ++i) {
      const Pass pass = read_all(logs);
      fmt::print("{} {} {:.4f} {:.4f} {:.2f}\n", pass.lines, pass.records, pass.wall_s, pass.cpu_s,
                 static_cast<double>(pass.lines) / pass.cpu_s / 1e6);
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
