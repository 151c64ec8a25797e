#include "harness/store/record_hash.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include "harness/base/sha256.h"
#include "harness/store/columns.h"
#include "harness/store/row_io.h"

namespace harness::store {
namespace {

std::string canonical(const std::string& value) {
  return value;
}
std::string canonical(bool value) {
  return value ? "1" : "0";
}
std::string canonical(int value) {
  return std::to_string(value);
}
std::string canonical(std::int64_t value) {
  return std::to_string(value);
}
std::string canonical(double value) {
  std::array<char, 32> digits{};
  const double stored = value + 0.0;  // SQLite keeps -0.0 as 0
  const auto end = std::to_chars(digits.begin(), digits.end(), stored);
  return {digits.data(), end.ptr};
}
std::string canonical(RunTrigger value) {
  return std::string(trigger_name(value));
}
std::string canonical(RunState value) {
  return std::string(state_name(value));
}
std::string canonical(model::VerdictWord value) {
  return std::string(model::verdict_name(value));
}

template <typename Value>
std::string canonical_column(std::string_view name, const Value& value) {
  if constexpr (IsOptional<Value>::value) {
    return value ? canonical_column(name, *value) : "";
  } else {
    const std::string text = canonical(value);
    std::string line(name);
    line.append("=").append(std::to_string(text.size())).append(":").append(text).append("\n");
    return line;
  }
}

template <typename Record>
std::string canonical_row(const Record& record) {
  std::string row;
  for_each_column(record, [&](const std::string& name, const auto& value) {
    if (name != "record_sha256") {
      row += canonical_column(name, value);
    }
  });
  return row;
}

constexpr std::string_view kIsOfWholeRun = "node IS NULL AND gpu_index IS NULL AND rank IS NULL";

struct SectionRows {
  std::string_view name;
  std::string_view condition = "1";
  std::string_view order = "ordinal";
};

template <typename Record>
Section compute_section(SQLite::Database& database, std::int64_t run_key, SectionRows rows) {
  SQLite::Statement statement(
      database,
      fmt::format("SELECT ordinal, {} FROM {} WHERE run_key = ? AND {} ORDER BY {}",
                  column_list<Record>(), Table<Record>::kName, rows.condition, rows.order));
  bind_value(statement, 1, run_key);
  Section section{.name = std::string(rows.name)};
  base::Sha256 digest;
  while (statement.executeStep()) {
    digest.add(canonical_column("ordinal", read_value<std::int64_t>(statement, 0)));
    digest.add(canonical_row(read_record<Record>(statement, 1)));
    ++section.row_count;
  }
  section.sha256 = digest.hex_digest();
  return section;
}

Section compute_verdict_section(SQLite::Database& database, std::int64_t run_key) {
  SQLite::Statement statement(database,
                              "SELECT verdict_json FROM verdict_document WHERE run_key = ?");
  bind_value(statement, 1, run_key);
  const bool exists = statement.executeStep();
  return {.name = "verdict_json",
          .row_count = exists ? 1 : 0,
          .sha256 = base::sha256_hex(exists ? read_value<std::string>(statement, 0) : "")};
}

}  // namespace

std::vector<Section> compute_sections(SQLite::Database& database, std::int64_t run_key) {
  const std::string part_condition = fmt::format("NOT ({})", kIsOfWholeRun);
  constexpr std::string_view kMeasurementOrder = "metric, ordinal";
  std::vector<Section> sections;
  sections.push_back(compute_verdict_section(database, run_key));
  sections.push_back(compute_section<AttemptRecord>(database, run_key, {"attempt"}));
  sections.push_back(compute_section<MeasurementRecord>(
      database, run_key, {"run_measurement", kIsOfWholeRun, kMeasurementOrder}));
  sections.push_back(compute_section<MeasurementRecord>(
      database, run_key, {kPartMeasurements, part_condition, kMeasurementOrder}));
  sections.push_back(compute_section<EvaluationRecord>(database, run_key, {kEvaluations}));
  sections.push_back(compute_section<FindingRecord>(database, run_key, {"finding"}));
  sections.push_back(compute_section<ArtifactRecord>(database, run_key, {"artifact"}));
  sections.push_back(compute_section<EnvironmentEntry>(database, run_key, {"environment"}));
  std::erase_if(sections, [](const Section& section) { return section.row_count == 0; });
  std::ranges::sort(sections, {}, &Section::name);
  return sections;
}

std::string record_sha256(const RunRecord& run, const std::vector<Section>& sections) {
  base::Sha256 digest;
  digest.add("accept run record 1\n");
  digest.add(canonical_row(run));
  for (const Section& section : sections) {
    digest.add(canonical_column("section", section.name));
    digest.add(canonical_column("row_count", section.row_count));
    digest.add(canonical_column("sha256", section.sha256));
  }
  return digest.hex_digest();
}

}  // namespace harness::store
