#pragma once

#include <optional>
#include <string_view>

// Tells text of another encoding than UTF-8 by its first bytes.

namespace harness::parse {

/// "UTF-16 LE" or "UTF-16 BE" when `head` (the front of a file) begins with that byte order mark or
/// has a NUL in nearly every second place; nothing otherwise. 64 bytes are enough.
std::optional<std::string_view> foreign_encoding(std::string_view head);

}  // namespace harness::parse
