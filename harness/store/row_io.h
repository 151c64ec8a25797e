#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "harness/base/text.h"
#include "harness/store/columns.h"
#include "harness/store/records.h"
#include "harness/store/sqlite_types.h"

// Records to bound parameters and from result columns. Inside the room only.

namespace harness::store {

// Parameters and columns count from 1 and 0, as in SQLite.

void bind_null(SQLite::Statement& statement, int index);
void bind_value(SQLite::Statement& statement, int index, const std::string& value);
void bind_value(SQLite::Statement& statement, int index, std::string_view value);
void bind_value(SQLite::Statement& statement, int index, bool value);
void bind_value(SQLite::Statement& statement, int index, int value);
void bind_value(SQLite::Statement& statement, int index, std::int64_t value);
/// Errors: bug when `value` is not finite.
void bind_value(SQLite::Statement& statement, int index, double value);
void bind_value(SQLite::Statement& statement, int index, RunTrigger value);
void bind_value(SQLite::Statement& statement, int index, RunState value);
void bind_value(SQLite::Statement& statement, int index, model::VerdictWord value);
template <typename Value>
void bind_value(SQLite::Statement& statement, int index, const std::optional<Value>& value) {
  value ? bind_value(statement, index, *value) : bind_null(statement, index);
}

bool is_null(const SQLite::Statement& statement, int column);
/// Errors: environment when a stored word or number is none that we write (a damaged file).
template <typename Value>
Value read_value(const SQLite::Statement& statement, int column);
template <>
std::string read_value(const SQLite::Statement& statement, int column);
template <>
bool read_value(const SQLite::Statement& statement, int column);
template <>
int read_value(const SQLite::Statement& statement, int column);
template <>
std::int64_t read_value(const SQLite::Statement& statement, int column);
template <>
double read_value(const SQLite::Statement& statement, int column);
template <>
RunTrigger read_value(const SQLite::Statement& statement, int column);
template <>
RunState read_value(const SQLite::Statement& statement, int column);
template <>
model::VerdictWord read_value(const SQLite::Statement& statement, int column);

template <typename Value>
std::optional<Value> read_optional(const SQLite::Statement& statement, int column) {
  return is_null(statement, column) ? std::nullopt
                                    : std::optional(read_value<Value>(statement, column));
}

template <typename Value>
struct IsOptional : std::false_type {};
template <typename Value>
struct IsOptional<std::optional<Value>> : std::true_type {};

/// Binds all columns of `record` from parameter `first` on.
template <typename Record>
void bind_record(SQLite::Statement& statement, int first, const Record& record) {
  int index = first;
  for_each_column(record, [&](const std::string&, const auto& value) {
    bind_value(statement, index, value);
    ++index;
  });
}

/// The record in the columns from `first` on.
template <typename Record>
Record read_record(const SQLite::Statement& statement, int first) {
  Record record;
  int column = first;
  for_each_column(record, [&](const std::string&, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (IsOptional<Value>::value) {
      value = read_optional<typename Value::value_type>(statement, column);
    } else {
      value = read_value<Value>(statement, column);
    }
    ++column;
  });
  return record;
}

/// "a, b, c": the columns of the table, each with `prefix` before it.
template <typename Record>
std::string column_list(std::string_view prefix = "") {
  std::vector<std::string> names = column_names<Record>();
  for (std::string& name : names) {
    name.insert(0, prefix);
  }
  return base::join(names, ", ");
}

/// "?, ?, ?" for `count` parameters.
std::string parameter_list(std::size_t count);

}  // namespace harness::store
