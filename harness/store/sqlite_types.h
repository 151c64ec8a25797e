#pragma once

// The library's classes for headers of this room, which never include the library itself.

namespace SQLite {  // NOLINT(readability-identifier-naming): not ours to name
class Database;
class Statement;
}  // namespace SQLite
