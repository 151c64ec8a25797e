// Plays the field cases of a folder against the real command: `accept diagnose DIR --context FILE
// --json`. Prints every disagreement and ends with "agree N of M"; kinds that are not built yet are
// counted apart.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/launch/boost_process_runner.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::set<std::string> kBuiltKinds{"parse:mllog", "score:olympic"};

/// The cases' names of figures → ours, with the factor from our unit to theirs.
struct FigureName {
  std::string ours;
  double factor = 1;
};
const std::map<std::string, FigureName> kFigures{
    {"final_eval_accuracy", {"final_eval_value"}},
    {"last_eval_accuracy", {"final_eval_value"}},
    {"target", {"quality_target"}},
    {"run_status", {"run_stop_status"}},
    {"evals_seen", {"evaluation_count"}},
    {"mllog_lines", {"record_count"}},
    {"score_min", {"olympic_mean_s", 1.0 / 60}},
};

std::string corpus_folder() {
  const char* named = std::getenv("ACCEPT_CORPUS_FIELD_CASES");
  return named != nullptr && *named != '\0'
             ? named
             : std::string(ACCEPT_SOURCE_DIR) + "/../shared/data/field-cases";
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

struct Answer {
  int exit_code = -1;
  std::string output;
  Json json;
};

Answer run_diagnose(const fs::path& folder, const fs::path& context) {
  harness::launch::BoostProcessRunner runner;
  harness::base::ProcessSpec spec;
  spec.argv = {ACCEPT_BINARY,    "diagnose", folder.string(), "--context",
               context.string(), "--json",   "--lang",        "en"};
  spec.environment = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"}};
  spec.wall_limit = std::chrono::seconds(60);
  Answer answer;
  const auto outcome =
      runner.run(spec,
                 [&answer](harness::base::OutputStream stream, std::string_view bytes) {
                   if (stream == harness::base::OutputStream::standard_output) {
                     answer.output += bytes;
                   }
                 },
                 {});
  answer.exit_code = outcome.end == harness::base::ProcessEnd::exited ? outcome.exit_code : -1;
  answer.json = Json::parse(answer.output, nullptr, false);
  return answer;
}

/// Everything the answer says in words.
std::string words_of(const Json& answer) {
  std::string words;
  for (const Json& subject : answer["subjects"]) {
    words += subject["headline"]["en"].get<std::string>() + "\n";
    for (const Json& finding : subject["findings"]) {
      const bool is_quiet = finding["verdict"] == "pass" && !finding["warning"].get<bool>();
      words += is_quiet ? "" : finding["text"]["en"].get<std::string>() + "\n";
    }
  }
  for (const Json& diagnosis : answer["diagnosis"]) {
    words += diagnosis["cause"]["en"].get<std::string>() + "\n" +
             diagnosis["next"]["en"].get<std::string>() + "\n";
  }
  return lower(words);
}

bool has_warning(const Json& answer) {
  for (const Json& subject : answer["subjects"]) {
    for (const Json& finding : subject["findings"]) {
      if (finding["warning"].get<bool>()) {
        return true;
      }
    }
  }
  return false;
}

/// In the cases, warn = pass with a warning, or inconclusive; error = error, or inconclusive with
/// nothing measured.
bool verdict_agrees(const std::string& expected, const Json& answer) {
  const std::string verdict = answer["verdict"];
  for (const std::string& word : harness::base::split(expected, '|')) {
    const bool is_warning =
        word == "warn" && ((verdict == "pass" && has_warning(answer)) || verdict == "inconclusive");
    const bool is_error = word == "error" && verdict == "inconclusive";
    if (verdict == word || is_warning || is_error) {
      return true;
    }
  }
  return false;
}

std::string figure_problem(const std::string& name, const Json& expected, const Json& figures) {
  const auto known = kFigures.find(name);
  const FigureName ours = known == kFigures.end() ? FigureName{name} : known->second;
  if (!figures.contains(ours.ours)) {
    return "figure " + name + ": no figure " + ours.ours;
  }
  const Json& value = figures[ours.ours];
  bool agrees = value == expected;
  if (expected.is_number_integer() && value.is_number() && ours.factor == 1.0) {
    agrees = value.get<double>() == expected.get<double>();
  } else if (expected.is_number() && value.is_number()) {
    const double want = expected.get<double>();
    agrees = std::fabs(value.get<double>() * ours.factor - want) <= 0.01 * std::fabs(want);
  }
  return agrees ? "" : "figure " + name + ": expected " + expected.dump() + ", got " + value.dump();
}

/// The outcomes a machine can look for; the rest of must_not is read by people.
std::string forbidden_outcome(const std::string& outcome, const Answer& answer) {
  const bool passed =
      outcome == "pass" && answer.json["verdict"] == "pass" && !has_warning(answer.json);
  const bool is_nan =
      outcome == "nan" && lower(answer.json["figures"].dump()).find("nan") != std::string::npos;
  return passed || is_nan ? "must not: " + outcome : "";
}

std::vector<std::string> problems_of(const Json& expected, const Answer& answer) {
  if (answer.json.is_discarded() || !answer.json.contains("verdict")) {
    return {"no JSON answer, exit code " + std::to_string(answer.exit_code)};
  }
  std::vector<std::string> problems;
  if (answer.json["exit_code"] != answer.exit_code) {
    problems.push_back("exit code " + std::to_string(answer.exit_code) +
                       " is not the one in the answer");
  }
  const std::string wanted = expected["verdict"];
  if (!verdict_agrees(wanted, answer.json)) {
    problems.push_back("verdict: expected " + wanted + ", got " +
                       answer.json["verdict"].get<std::string>());
  }
  const std::string words = words_of(answer.json);
  for (const Json& entry : expected.value("diagnosis_contains", Json::array())) {
    const auto choices = harness::base::split(entry.get<std::string>(), '|');
    if (std::ranges::none_of(choices, [&](const std::string& c) {
          return words.find(lower(c)) != std::string::npos;
        })) {
      problems.push_back("words: none of \"" + entry.get<std::string>() + "\"");
    }
  }
  const Json figures = expected.value("figures", Json::object());
  for (const auto& [name, value] : figures.items()) {
    if (const std::string problem = figure_problem(name, value, answer.json["figures"]);
        !problem.empty()) {
      problems.push_back(problem);
    }
  }
  for (const Json& outcome : expected.value("must_not", Json::array())) {
    if (const std::string problem = forbidden_outcome(outcome.get<std::string>(), answer);
        !problem.empty()) {
      problems.push_back(problem);
    }
  }
  return problems;
}

/// The case's input files alone: case.json holds the answer and must not be seen.
Answer play(const fs::path& folder, const Json& field_case, const fs::path& scratch) {
  fs::remove_all(scratch);
  fs::create_directories(scratch / "outputs");
  for (const Json& name : field_case["input_files"]) {
    fs::copy_file(folder / name.get<std::string>(), scratch / "outputs" / name.get<std::string>());
  }
  std::ofstream(scratch / "context.json") << field_case.value("context", Json::object()).dump();
  return run_diagnose(scratch / "outputs", scratch / "context.json");
}

}  // namespace

int main() {
  const fs::path corpus = corpus_folder();
  if (!fs::is_directory(corpus)) {
    std::printf("skipped: no corpus (%s)\n", corpus.c_str());
    return 0;
  }
  const fs::path scratch =
      fs::temp_directory_path() / ("accept-field-cases-" + std::to_string(getpid()));
  std::size_t agreed = 0;
  std::size_t judged = 0;
  std::map<std::string, std::size_t> not_yet;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(corpus)) {
    if (fs::exists(entry.path() / "case.json")) {
      folders.push_back(entry.path());
    }
  }
  std::ranges::sort(folders);
  for (const fs::path& folder : folders) {
    std::ifstream file(folder / "case.json");
    const Json field_case = Json::parse(file);
    const std::string kind = field_case["command_kind"];
    if (!kBuiltKinds.contains(kind)) {
      ++not_yet[kind];
      continue;
    }
    ++judged;
    const std::vector<std::string> problems =
        problems_of(field_case["expected"], play(folder, field_case, scratch));
    agreed += problems.empty() ? 1 : 0;
    for (const std::string& problem : problems) {
      std::printf("%s: %s\n", folder.filename().c_str(), problem.c_str());
    }
  }
  fs::remove_all(scratch);
  std::size_t waiting = 0;
  for (const auto& [kind, count] : not_yet) {
    waiting += count;
  }
  std::printf("not yet: %zu cases of %zu kinds\n", waiting, not_yet.size());
  std::printf("agree %zu of %zu\n", agreed, judged);
  return agreed == judged ? 0 : 1;
}
