#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/model/suite.h"
#include "harness/model/system.h"

// The suites and machine profiles at hand, by name or by file.

namespace harness::engine {

class SuiteCatalog {
 public:
  explicit SuiteCatalog(std::filesystem::path data_folder) : data_folder_(std::move(data_folder)) {}

  /// All shipped suites, sorted by name. Errors: usage when one of them is wrong.
  std::vector<model::Suite> suites() const;
  /// The suite of that name, or in that file when `name_or_file` ends in .json or holds a '/'.
  /// Errors: usage, naming the nearest known suite.
  model::Suite suite(const std::string& name_or_file) const;
  std::vector<model::System> systems() const;
  /// By name, alias or file. Errors: as suite().
  model::System system(const std::string& name_or_file) const;

  const std::filesystem::path& data_folder() const { return data_folder_; }

 private:
  std::filesystem::path data_folder_;
};

}  // namespace harness::engine
