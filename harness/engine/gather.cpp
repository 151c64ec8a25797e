#include "harness/engine/gather.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <system_error>
#include <utility>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/parse/recognize.h"
#include "harness/parse/results_json.h"
#include "harness/parse/training_log.h"
#include "harness/parse/training_metrics.h"

namespace harness::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunkBytes = 1U << 20U;
constexpr std::size_t kResultsLimitBytes = 1U << 20U;

model::TrainingRun read_training_log(const fs::path& path, const std::string& artifact) {
  base::InputFile file(path);
  parse::TrainingLogReader reader(artifact);
  std::vector<char> chunk(kChunkBytes);
  for (std::size_t count = file.read(chunk); count > 0; count = file.read(chunk)) {
    reader.feed({chunk.data(), count});
  }
  model::TrainingRun run = reader.finish();
  if (file.damage()) {
    ++run.malformed_count;  // what the rest held is unknown, so the log is not whole
    run.issues.push_back(
        {model::IssueKind::malformed_record, {artifact, run.line_count}, *file.damage(), ""});
  }
  return run;
}

parse::ArtifactKind kind_of(const fs::path& path) {
  base::InputFile file(path);
  std::array<char, 1U << 16U> head{};
  std::size_t filled = 0;
  while (filled < head.size()) {
    const std::size_t count = file.read(std::span(head).subspan(filled));
    if (count == 0) {
      break;
    }
    filled += count;
  }
  return parse::recognize({head.data(), filled});
}

/// Names under which programs leave text; a checkpoint of 100 GB beside a log is not read.
bool may_hold_results(const fs::path& path) {
  static const std::regex kPattern(R"(.*\.(txt|log|out|json|err)(\.gz)?|[^.]+)", std::regex::icase);
  return std::regex_match(path.filename().string(), kPattern);
}

bool is_result_file(const fs::path& path) {
  static const std::regex kPattern(R"(result_\d+\.txt(\.gz)?)");
  return std::regex_match(path.filename().string(), kPattern);
}

bool is_json_name(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

bool is_own_evidence_file(const fs::path& path) {
  static const std::array<std::string_view, 7> kNames{
      "verdict.json",   "suite.json",       "job.json",       "report.html",
      "report.zh.html", "environment.json", "MANIFEST.sha256"};
  return std::ranges::find(kNames, path.filename().string()) != kNames.end();
}

void read_results(const fs::path& path, const std::string& artifact, judge::RunEvidence& run) {
  try {
    run.results = parse::parse_results_json(base::read_file(path, kResultsLimitBytes), artifact);
  } catch (const base::Error& error) {
    const base::ErrorParts& parts = error.parts();
    run.unreadable.push_back(
        {model::IssueKind::unreadable,
         {artifact, 0},
         {parts.on + ": " + parts.happened.en, parts.on + "：" + parts.happened.zh},
         ""});
  }
}

bool says_something(const model::TrainingRun& run) {
  return run.record_count + run.malformed_count + run.old_format_count > 0;
}

/// What the files of one folder turned out to be.
class FolderReader {
 public:
  FolderReader(std::string name, const std::vector<fs::path>& files)
      : has_result_files_(std::ranges::any_of(files, is_result_file)) {
    gathered_.path = std::move(name);
    for (const fs::path& file : files) {
      if (!is_own_evidence_file(file)) {
        read(file);
      }
    }
  }

  Gathered take() {
    if (logs_.size() == 1 && results_.size() == 1) {
      logs_.front().results = std::move(results_.front().results);
      logs_.front().unreadable = std::move(results_.front().unreadable);
      results_.clear();
    }
    gathered_.runs = std::move(logs_);
    std::ranges::move(results_, std::back_inserter(gathered_.runs));
    return std::move(gathered_);
  }

 private:
  void read(const fs::path& file) {
    if (is_result_file(file)) {
      read_log(file, true);
    } else if (!may_hold_results(file)) {
      leave_unread(file);
    } else if (kind_of(file) == parse::ArtifactKind::results_json) {
      judge::RunEvidence& run = results_.emplace_back();
      run.name = file.filename().string();
      read_results(file, file.string(), run);
    } else {
      read_log(file, false);
    }
  }

  void read_log(const fs::path& file, bool is_result) {
    if (has_result_files_ && !is_result) {
      leave_unread(file);  // raw logs beside result_N.txt repeat the same records
      return;
    }
    judge::RunEvidence run;
    run.name = file.filename().string();
    run.training = read_training_log(file, file.string());
    if (is_result || says_something(*run.training)) {
      logs_.push_back(std::move(run));
    } else {
      leave_unread(file);
    }
  }

  void leave_unread(const fs::path& file) { gathered_.unread.push_back(file.string()); }

  bool has_result_files_;
  Gathered gathered_;
  std::vector<judge::RunEvidence> logs_;
  std::vector<judge::RunEvidence> results_;
};

/// Picks one line out of bytes that come in pieces; CR, LF and CRLF end a line, as in the parser.
class LinePicker {
 public:
  explicit LinePicker(std::size_t wanted) : wanted_(wanted) {}

  bool is_done() const { return number_ > wanted_; }
  const std::string& line() const { return line_; }

  void add(std::string_view bytes) {
    for (const char c : bytes) {
      const bool is_end = c == '\r' || (c == '\n' && !after_cr_);
      after_cr_ = c == '\r';
      number_ += is_end ? 1 : 0;
      if (number_ == wanted_ && c != '\r' && c != '\n' && line_.size() <= kLongestBytes) {
        line_ += c;
      }
    }
  }

 private:
  static constexpr std::size_t kLongestBytes = 4096;

  std::size_t wanted_;
  std::size_t number_ = 1;
  bool after_cr_ = false;
  std::string line_;
};

/// Line `wanted` (from 1), printable and shortened; empty when it cannot be read.
std::string quote_line(const fs::path& path, std::size_t wanted) {
  constexpr std::uintmax_t kLargestBytes = 1ULL << 30U;
  constexpr std::size_t kShownBytes = 120;
  std::error_code failed;
  if (wanted == 0 || fs::file_size(path, failed) > kLargestBytes || failed) {
    return "";
  }
  base::InputFile file(path);
  std::vector<char> chunk(kChunkBytes);
  LinePicker picker(wanted);
  for (std::size_t count = file.read(chunk); count > 0 && !picker.is_done();
       count = file.read(chunk)) {
    picker.add({chunk.data(), count});
  }
  // Of a record, what it says: the standing parts before its key say nothing here.
  const std::string& line = picker.line();
  const std::size_t token = line.find(":::MLLOG");
  const std::size_t key = token == std::string::npos ? token : line.find("\"key\"", token);
  const std::string_view shown =
      key == std::string::npos ? line : std::string_view(line).substr(key);
  return base::printable(base::trim(shown), kShownBytes);
}

}  // namespace

judge::RunEvidence read_file_as_run(const fs::path& path, const std::string& artifact) {
  judge::RunEvidence run;
  run.name = path.filename().string();
  const parse::ArtifactKind kind = kind_of(path);
  if (kind == parse::ArtifactKind::results_json ||
      (kind == parse::ArtifactKind::unknown && is_json_name(path))) {
    read_results(path, artifact, run);
  } else {
    run.training = read_training_log(path, artifact);
  }
  return run;
}

std::vector<Gathered> gather(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    return {Gathered{path, {read_file_as_run(path, path)}, {}}};
  }
  std::map<std::string, std::vector<fs::path>> folders;
  for (const fs::path& file : base::files_below(path)) {
    folders[file.parent_path().string()].push_back(file);
  }
  std::vector<Gathered> all;
  std::vector<std::string> unread;
  for (const auto& [folder, files] : folders) {
    Gathered one = FolderReader(folder, files).take();
    if (one.runs.empty()) {
      std::ranges::move(one.unread, std::back_inserter(unread));
    } else {
      all.push_back(std::move(one));
    }
  }
  if (all.empty()) {
    all.push_back(Gathered{path, {}, {}});
  }
  std::ranges::move(unread, std::back_inserter(all.front().unread));
  return all;
}

void measure(std::vector<judge::RunEvidence>& runs, const model::Suite* suite) {
  for (judge::RunEvidence& run : runs) {
    run.measurements.clear();
    if (run.training) {
      const model::MllogBlock unknown_benchmark{"", "", 0, {}};
      run.measurements = parse::measure_training(
          *run.training, suite != nullptr && suite->mllog ? *suite->mllog : unknown_benchmark);
    }
    if (run.results) {
      std::ranges::copy(run.results->measurements, std::back_inserter(run.measurements));
    }
  }
}

void quote_evidence(std::vector<model::Diagnosis>& diagnoses, const fs::path& folder) {
  for (model::Diagnosis& diagnosis : diagnoses) {
    if (diagnosis.quoted_line.empty() && !diagnosis.evidence.empty()) {
      const model::SourceRef& source = diagnosis.evidence.front();
      diagnosis.quoted_line = quote_line(folder / source.artifact, source.line);
    }
  }
}

}  // namespace harness::engine
