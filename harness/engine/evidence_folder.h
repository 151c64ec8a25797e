#pragma once

#include <filesystem>

// The seal of an evidence folder.

namespace harness::engine {

/// Writes MANIFEST.sha256 over every other file below `folder`, in the form `sha256sum -c` reads.
/// Errors: environment.
void write_manifest(const std::filesystem::path& folder);

}  // namespace harness::engine
