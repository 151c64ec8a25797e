#include "harness/engine/suite_catalog.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/model/suite_json.h"

namespace harness::engine {
namespace {

constexpr std::size_t kFileLimitBytes = 1U << 20U;

bool is_file_name(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".json");
}

std::vector<std::filesystem::path> json_files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

[[noreturn]] void unknown(base::Text tried, const std::string& name,
                          const std::vector<std::string>& known) {
  const std::string near = base::nearest(name, known);
  const std::string all = base::join(known, ", ");
  const base::Text next = near.empty()
                              ? base::Text{"known: " + all, "可用：" + all}
                              : base::Text{fmt::format("did you mean '{}'? (known: {})", near, all),
                                           fmt::format("是否想用 '{}'？（可用：{}）", near, all)};
  throw base::Error(base::ErrorKind::usage,
                    {.tried = std::move(tried),
                     .on = name,
                     .happened = {"there is none of that name", "没有这个名称"},
                     .next = next});
}

}  // namespace

std::vector<model::Suite> SuiteCatalog::suites() const {
  std::vector<model::Suite> suites;
  for (const auto& path : json_files_in(data_folder_ / "suites")) {
    suites.push_back(model::decode_suite(base::read_file(path, kFileLimitBytes), path.string()));
  }
  std::ranges::sort(suites, {}, &model::Suite::name);
  return suites;
}

model::Suite SuiteCatalog::suite(const std::string& name_or_file) const {
  if (is_file_name(name_or_file)) {
    return model::decode_suite(base::read_file(name_or_file, kFileLimitBytes), name_or_file);
  }
  std::vector<std::string> known;
  for (model::Suite& suite : suites()) {
    if (suite.name == name_or_file) {
      return std::move(suite);
    }
    known.push_back(suite.name);
  }
  unknown({"find the suite", "查找套件"}, name_or_file, known);
}

std::vector<model::System> SuiteCatalog::systems() const {
  std::vector<model::System> systems;
  for (const auto& path : json_files_in(data_folder_ / "suites" / "systems")) {
    systems.push_back(model::decode_system(base::read_file(path, kFileLimitBytes), path.string()));
  }
  return systems;
}

model::System SuiteCatalog::system(const std::string& name_or_file) const {
  if (is_file_name(name_or_file)) {
    return model::decode_system(base::read_file(name_or_file, kFileLimitBytes), name_or_file);
  }
  std::vector<std::string> known;
  for (model::System& system : systems()) {
    if (system.name == name_or_file || std::ranges::count(system.aliases, name_or_file) > 0) {
      return std::move(system);
    }
    known.push_back(system.name);
  }
  unknown({"find the machine profile", "查找机型配置"}, name_or_file, known);
}

}  // namespace harness::engine
