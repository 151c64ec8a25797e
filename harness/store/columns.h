#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/store/process_identity.h"
#include "harness/store/tables.h"

// Walks the columns of a record by the table that describes it. Inside the room only.

namespace harness::store {

/// Calls visit(column name, value) for `value`; a text in two languages and a process are several
/// columns.
template <typename Value, typename Visit>
void visit_columns(std::string_view name, Value& value, Visit& visit) {
  using Plain = std::remove_const_t<Value>;
  if constexpr (std::is_same_v<Plain, base::Text>) {
    visit(std::string(name) + "_en", value.en);
    visit(std::string(name) + "_zh", value.zh);
  } else if constexpr (std::is_same_v<Plain, ProcessIdentity>) {
    visit(std::string(name) + "_pid", value.pid);
    visit(std::string(name) + "_boot_id", value.boot_id);
    visit(std::string(name) + "_start_ticks", value.start_ticks);
  } else {
    visit(std::string(name), value);
  }
}

/// Calls visit(column name, value) for each column of `record`, in the order of the table.
template <typename Record, typename Visit>
void for_each_column(Record& record, Visit visit) {
  std::apply(
      [&](const auto&... column) {
        (visit_columns(column.name, record.*column.member, visit), ...);
      },
      Table<std::remove_const_t<Record>>::kColumns);
}

template <typename Record>
std::vector<std::string> column_names() {
  const Record record;
  std::vector<std::string> names;
  for_each_column(record, [&](std::string name, const auto&) { names.push_back(std::move(name)); });
  return names;
}

}  // namespace harness::store
