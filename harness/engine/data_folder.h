#pragma once

#include <filesystem>
#include <string>

// Where this program's own data lies (suites, schemas): it must be found from any working
// directory.

namespace harness::engine {

/// The folder that holds suites/ and schemas/: ACCEPT_DATA_DIR when set; else ../share/accept
/// beside the binary (installed, or unpacked from the tar.gz); else the source tree the binary was
/// built in. Errors: environment, when none of them has a suites folder.
std::filesystem::path find_data_folder();

}  // namespace harness::engine
