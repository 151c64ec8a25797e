#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/base/text.h"

// File systems on which a SQLite database with a write-ahead log must not lie: its index is shared
// memory, which hosts cannot share, and its locks are often not kept there.

namespace harness::store {

/// Why the database at `path` (or its nearest folder that exists) must lie elsewhere, and where;
/// nothing when the place will do. Errors: environment when the place cannot be asked.
std::optional<base::Text> unsuitable_file_system(const std::filesystem::path& path);

/// The same for `f_type` as statfs(2) gives it.
std::optional<base::Text> unsuitable_file_system_type(std::uint64_t f_type);

/// The same for a type as /proc/mounts gives it: "lustre", "nfs4", "fuse.sshfs".
std::optional<base::Text> unsuitable_file_system_named(std::string_view mount_type);

}  // namespace harness::store
