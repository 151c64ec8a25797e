#include "harness/model/json_reader.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/base/number.h"

namespace harness::model {
namespace {

constexpr std::size_t kQuoteLimit = 60;  // bytes of a foreign word shown in a message
constexpr std::size_t kNameLimit = 64;

std::string quoted(std::string_view word) {
  return fmt::format("\"{}\"", base::printable(word, kQuoteLimit));
}

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_name(std::string_view word) {
  return !word.empty() && word.size() <= kNameLimit && is_lower_or_digit(word.front()) &&
         std::ranges::all_of(word,
                             [](char c) { return is_lower_or_digit(c) || c == '_' || c == '-'; });
}

base::Text suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = base::nearest(word, known);
  if (!near.empty()) {
    return {fmt::format("did you mean \"{}\"?", near), fmt::format("是否想写 \"{}\"？", near)};
  }
  const std::string all = base::join(known, ", ");
  return {"known here: " + all, "此处可用：" + all};
}

JsonReader::JsonReader(const base::JsonNode& node, const JsonDocument& document, std::string place)
    : node_(&node), document_(&document), place_(std::move(place)) {}

void JsonReader::refuse(const base::Text& happened, base::Text next) const {
  const bool is_root = place_.empty();
  throw base::Error(base::ErrorKind::usage,
                    {.tried = document_->tried,
                     .on = fmt::format("{}:{}", document_->path, node_->line),
                     .happened = {is_root ? happened.en : place_ + ": " + happened.en,
                                  is_root ? happened.zh : place_ + "：" + happened.zh},
                     .next = std::move(next)});
}

void JsonReader::expect_kind(base::JsonKind kind, const base::Text& next) const {
  const bool fits = node_->kind == kind || (kind == base::JsonKind::number && node_->is_number());
  if (!fits) {
    const base::Text wanted = base::kind_text(kind);
    const base::Text found = base::kind_text(node_->kind);
    refuse({fmt::format("{} expected, found {}", wanted.en, found.en),
            fmt::format("应为{}，实际是{}", wanted.zh, found.zh)},
           next);
  }
}

JsonReader JsonReader::child(std::string_view key, const base::JsonNode& node) const {
  const std::string shown = base::printable(key, kQuoteLimit);
  return {node, *document_, place_.empty() ? shown : fmt::format("{}.{}", place_, shown)};
}

void JsonReader::expect_keys(const std::vector<std::string>& known) const {
  for (const auto& [key, reader] : members()) {
    if (std::ranges::find(known, key) == known.end()) {
      reader.refuse({"unknown key", "未知的键"}, suggestion(key, known));
    }
  }
}

void JsonReader::expect_schema(std::string_view family, int version) const {
  const std::string wanted = fmt::format("{}/{}", family, version);
  if (members().empty() || !find("schema")) {
    refuse({"the key \"schema\" is missing", "缺少键 \"schema\""},
           {fmt::format(R"(put "schema": "{}" first)", wanted),
            fmt::format(R"(请在开头加上 "schema": "{}")", wanted)});
  }
  const JsonReader schema = member("schema");
  const std::string found = schema.read_string();
  if (found == wanted) {
    return;
  }
  const std::string prefix = fmt::format("{}/", family);
  const auto number = found.starts_with(prefix)
                          ? base::parse_integer(std::string_view(found).substr(prefix.size()))
                          : std::nullopt;
  if (number && *number > version) {
    schema.refuse(
        {fmt::format("{} is newer than {}: this version of accept is too old", quoted(found),
                     quoted(wanted)),
         fmt::format("{} 比 {} 新：当前的 accept 版本过旧", quoted(found), quoted(wanted))},
        {"install a newer accept, or write the file in the older form",
         "请安装更新的 accept，或改用旧格式书写该文件"});
  }
  schema.refuse({fmt::format("{} is not {}", quoted(found), quoted(wanted)),
                 fmt::format("{} 不是 {}", quoted(found), quoted(wanted))},
                {fmt::format("write \"{}\", or name another file", wanted),
                 fmt::format("请写 \"{}\"，或指定其他文件", wanted)});
}

JsonReader JsonReader::member(std::string_view key) const {
  if (auto found = find(key)) {
    return *std::move(found);
  }
  refuse({fmt::format("the key \"{}\" is missing", key), fmt::format("缺少键 \"{}\"", key)},
         {fmt::format("add \"{}\"", key), fmt::format("请补上 \"{}\"", key)});
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  const base::JsonNode* found = node_->find(key);
  return found == nullptr ? std::nullopt : std::optional(child(key, *found));
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  expect_kind(base::JsonKind::object, {"write { … }", "请写成 { … }"});
  std::vector<std::pair<std::string, JsonReader>> out;
  out.reserve(node_->members.size());
  for (const auto& [key, node] : node_->members) {
    out.emplace_back(key, child(key, node));
  }
  return out;
}

std::vector<JsonReader> JsonReader::items() const {
  expect_kind(base::JsonKind::array,
              {"write a list: [ … ], also for one entry", "请写成列表 [ … ]，只有一项时也一样"});
  std::vector<JsonReader> out;
  out.reserve(node_->items.size());
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    out.emplace_back(node_->items[i], *document_, fmt::format("{}[{}]", place_, i));
  }
  return out;
}

std::vector<JsonReader> JsonReader::some_items() const {
  std::vector<JsonReader> out = items();
  if (out.empty()) {
    refuse({"the list is empty", "列表为空"}, {"name at least one entry", "请至少写一项"});
  }
  return out;
}

bool JsonReader::read_boolean() const {
  expect_kind(base::JsonKind::boolean,
              {"write true or false, without quotes", "请写 true 或 false，不加引号"});
  return node_->boolean;
}

double JsonReader::read_number() const {
  expect_kind(base::JsonKind::number,
              {"write digits without quotes, such as 0.8", "请写数字，不加引号，例如 0.8"});
  return node_->number;
}

double JsonReader::read_positive(std::optional<double> highest) const {
  const double value = read_number();
  const base::Text advice{"correct the number; its unit stands at the end of the key",
                          "请改正数值；单位见键名末尾"};
  const std::string found = base::format_number(value);
  if (value <= 0) {
    refuse({found + " is not greater than 0", found + " 不大于 0"}, advice);
  }
  if (highest && value > *highest) {
    const std::string top = base::format_number(*highest);
    refuse({fmt::format("{} is more than {}", found, top), fmt::format("{} 超过 {}", found, top)},
           advice);
  }
  return value;
}

int JsonReader::read_whole_number(int lowest, int highest) const {
  const double value = read_number();
  const bool is_whole = std::floor(value) >= value;
  if (!is_whole || value < lowest || value > highest) {
    const std::string found = base::format_number(value);
    refuse({fmt::format("{} is not a whole number from {} to {}", found, lowest, highest),
            fmt::format("{} 不是 {} 到 {} 之间的整数", found, lowest, highest)},
           {"correct the number", "请改正数值"});
  }
  return static_cast<int>(value);
}

std::string JsonReader::read_string() const {
  expect_kind(base::JsonKind::string, {"write it in quotes: \"…\"", "请加引号：\"…\""});
  if (node_->string.find('\0') != std::string::npos) {
    refuse({"the text holds a NUL byte", "文本中含有 NUL 字节"},
           {"remove \\u0000", "请删除 \\u0000"});
  }
  return node_->string;
}

std::string JsonReader::read_label() const {
  std::string label = read_string();
  if (base::trim(label).empty()) {
    refuse({"the text is empty", "文本为空"},
           {"fill it in, or leave the key out", "请填写内容，或去掉该键"});
  }
  if (base::printable(label, label.size()) != label) {
    refuse({"the text holds control characters", "文本中含有控制字符"},
           {"write plain words on one line", "请写成一行普通文字"});
  }
  return label;
}

base::Text JsonReader::read_text() const {
  if (node_->kind == base::JsonKind::string) {
    return base::same_in_both(read_label());
  }
  expect_keys({"en", "zh"});
  return {member("en").read_label(), member("zh").read_label()};
}

std::string JsonReader::read_name() const {
  std::string name = read_string();
  if (!is_name(name)) {
    refuse({fmt::format("{} is no name", quoted(name)),
            fmt::format("{} 不是合法的名称", quoted(name))},
           {"use a-z, 0-9, _ and -, at most 64, beginning with a letter or digit",
            "请使用 a-z、0-9、_ 和 -，最多 64 个字符，以字母或数字开头"});
  }
  return name;
}

std::string JsonReader::read_word(const std::vector<std::string>& known) const {
  std::string word = read_string();
  if (std::ranges::find(known, word) == known.end()) {
    refuse({fmt::format("{} is not known here", quoted(word)),
            fmt::format("此处不认识 {}", quoted(word))},
           suggestion(word, known));
  }
  return word;
}

}  // namespace harness::model
