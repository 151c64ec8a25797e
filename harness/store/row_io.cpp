#include "harness/store/row_io.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include "harness/base/error.h"

namespace harness::store {
namespace {

constexpr std::array kTriggers{RunTrigger::run, RunTrigger::nightly, RunTrigger::gate,
                               RunTrigger::imported, RunTrigger::replay};
constexpr std::array kStates{RunState::open, RunState::done, RunState::aborted, RunState::lost};
constexpr std::array kVerdicts{model::VerdictWord::pass, model::VerdictWord::waived,
                               model::VerdictWord::inconclusive, model::VerdictWord::fail,
                               model::VerdictWord::error};

[[noreturn]] void fail_on_stored(const std::string& word) {
  throw base::Error(
      base::ErrorKind::environment,
      {.tried = {"read the database", "读取数据库"},
       .on = "",
       .happened = {fmt::format("it holds {} where the program never writes that: it is damaged",
                                base::printable(word, 60)),
                    fmt::format("其中含有本程序不会写入的内容 {}：数据库已损坏",
                                base::printable(word, 60))},
       .next = {"run 'accept db check', then restore the newest backup that checks clean",
                "请运行 'accept db check'，然后恢复最近一份检查无误的备份"}});
}

template <typename Word, std::size_t kCount>
Word word_of(const SQLite::Statement& statement, int column, const std::array<Word, kCount>& words,
             std::string_view (*name)(Word)) {
  const std::string stored = statement.getColumn(column).getString();
  for (const Word word : words) {
    if (name(word) == stored) {
      return word;
    }
  }
  fail_on_stored("'" + stored + "'");
}

}  // namespace

std::string_view trigger_name(RunTrigger trigger) {
  switch (trigger) {
    case RunTrigger::run:
      return "run";
    case RunTrigger::nightly:
      return "nightly";
    case RunTrigger::gate:
      return "gate";
    case RunTrigger::imported:
      return "import";
    case RunTrigger::replay:
      return "replay";
  }
  return "?";
}

std::string_view state_name(RunState state) {
  switch (state) {
    case RunState::open:
      return "OPEN";
    case RunState::done:
      return "DONE";
    case RunState::aborted:
      return "ABORTED";
    case RunState::lost:
      return "LOST";
  }
  return "?";
}

void bind_null(SQLite::Statement& statement, int index) {
  statement.bind(index);
}

void bind_value(SQLite::Statement& statement, int index, const std::string& value) {
  statement.bind(index, value);
}

void bind_value(SQLite::Statement& statement, int index, std::string_view value) {
  statement.bind(index, std::string(value));
}

void bind_value(SQLite::Statement& statement, int index, bool value) {
  statement.bind(index, value ? 1 : 0);
}

void bind_value(SQLite::Statement& statement, int index, int value) {
  statement.bind(index, value);
}

void bind_value(SQLite::Statement& statement, int index, std::int64_t value) {
  statement.bind(index, value);
}

void bind_value(SQLite::Statement& statement, int index, double value) {
  if (!std::isfinite(value)) {
    throw base::Error(base::ErrorKind::bug, {.tried = {"store a figure", "存储数值"},
                                             .on = "",
                                             .happened = {"it is not finite", "数值不是有限数"},
                                             .next = {}});
  }
  statement.bind(index, value);
}

void bind_value(SQLite::Statement& statement, int index, RunTrigger value) {
  bind_value(statement, index, trigger_name(value));
}

void bind_value(SQLite::Statement& statement, int index, RunState value) {
  bind_value(statement, index, state_name(value));
}

void bind_value(SQLite::Statement& statement, int index, model::VerdictWord value) {
  bind_value(statement, index, model::verdict_name(value));
}

bool is_null(const SQLite::Statement& statement, int column) {
  return statement.isColumnNull(column);
}

template <>
std::string read_value(const SQLite::Statement& statement, int column) {
  return statement.getColumn(column).getString();
}

template <>
std::int64_t read_value(const SQLite::Statement& statement, int column) {
  return statement.getColumn(column).getInt64();
}

template <>
int read_value(const SQLite::Statement& statement, int column) {
  const auto number = read_value<std::int64_t>(statement, column);
  if (!std::in_range<int>(number)) {
    fail_on_stored(std::to_string(number));
  }
  return static_cast<int>(number);
}

template <>
bool read_value(const SQLite::Statement& statement, int column) {
  return read_value<std::int64_t>(statement, column) != 0;
}

template <>
double read_value(const SQLite::Statement& statement, int column) {
  const double number = statement.getColumn(column).getDouble();
  if (!std::isfinite(number)) {
    fail_on_stored("a number that is not finite");
  }
  return number;
}

template <>
RunTrigger read_value(const SQLite::Statement& statement, int column) {
  return word_of(statement, column, kTriggers, &trigger_name);
}

template <>
RunState read_value(const SQLite::Statement& statement, int column) {
  return word_of(statement, column, kStates, &state_name);
}

template <>
model::VerdictWord read_value(const SQLite::Statement& statement, int column) {
  return word_of(statement, column, kVerdicts, &model::verdict_name);
}

std::string parameter_list(std::size_t count) {
  return base::join(std::vector<std::string>(count, "?"), ", ");
}

}  // namespace harness::store
