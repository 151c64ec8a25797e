#pragma once

#include <chrono>
#include <string>

// Time as text. Everything stored is UTC in RFC 3339; a site's local time is for display only.

namespace harness::base {

/// "2026-11-30T01:30:00Z", whole seconds.
std::string to_rfc3339(std::chrono::system_clock::time_point time);

/// "20261130-013000", for names of folders and runs.
std::string to_compact_utc(std::chrono::system_clock::time_point time);

/// "1 h 02 min 03 s", "2 min 05 s", "12.3 s": a duration for people. Negative durations carry a
/// minus sign.
std::string to_duration_text(double seconds);

}  // namespace harness::base
