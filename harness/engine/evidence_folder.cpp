#include "harness/engine/evidence_folder.h"

#include <fmt/format.h>

#include "harness/base/files.h"

namespace harness::engine {

void write_manifest(const std::filesystem::path& folder) {
  constexpr const char* kName = "MANIFEST.sha256";
  std::string lines;
  for (const std::filesystem::path& file : base::files_below(folder)) {
    const std::string name = file.lexically_relative(folder).string();
    // sha256sum's own escape for names with a line break would be needed; a program of ours never
    // makes one.
    if (name != kName && name.find('\n') == std::string::npos) {
      lines += fmt::format("{}  {}\n", base::sha256_of_file(file), name);
    }
  }
  base::write_file_atomically(folder / kName, lines);
}

}  // namespace harness::engine
