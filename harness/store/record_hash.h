#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/records.h"
#include "harness/store/sqlite_types.h"

// The hash of an ended run: SHA-256 over the canonical form of its row and one digest per kind of
// rows that hang on it. Tells damage and edits by hand; it is no signature. Inside the room only.
//
// Canonical form of a row: each column that is not NULL as "name=length:bytes", one a line, in the
// order of columns.h; numbers in their shortest decimal form. A section's digest is over its rows
// in key order. Changing a form makes all stored hashes wrong; so a column that a later schema adds
// may be NULL, and a table that it adds is a further section.

namespace harness::store {

struct Section {
  std::string name;
  std::int64_t row_count = 0;
  std::string sha256;

  bool operator==(const Section&) const = default;
};

/// The sections whose rows can be pruned.
constexpr std::string_view kPartMeasurements = "part_measurement";
constexpr std::string_view kEvaluations = "evaluation";

/// The sections of the run that have rows, computed from them, by name. Throws SQLite exceptions.
std::vector<Section> compute_sections(SQLite::Database& database, std::int64_t run_key);

/// The record hash; `run.record_sha256` and `run.verdict_json` are left out.
std::string record_sha256(const RunRecord& run, const std::vector<Section>& sections);

}  // namespace harness::store
