#include "harness/base/json.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/base/error.h"

namespace harness::base {
namespace {

constexpr std::size_t kDepthLimit = 64;
constexpr std::size_t kMemberLimit = 4096;

/// A char iterator that counts the lines it has passed in `line`, which outlives it.
class LineCountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCountingIterator(const char* at, std::size_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCountingIterator& operator++() {
    *line_ += *at_ == '\n' ? 1 : 0;
    ++at_;
    return *this;
  }
  bool operator==(const LineCountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const LineCountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* line_;
};

/// Builds the tree from nlohmann's events; a returned false stops the parser and `problem()` says
/// why.
class TreeBuilder {
 public:
  explicit TreeBuilder(const std::size_t* line) : line_(line) {}

  bool null() { return place({}); }
  bool boolean(bool value) {
    JsonNode node;
    node.kind = JsonKind::boolean;
    node.boolean = value;
    return place(std::move(node));
  }
  bool number_integer(std::int64_t value) { return place_number(static_cast<double>(value), true); }
  bool number_unsigned(std::uint64_t value) {
    return place_number(static_cast<double>(value), true);
  }
  bool number_float(double value, const std::string& /*text*/) {
    return place_number(value, false);
  }
  bool string(std::string& value) {
    JsonNode node;
    node.kind = JsonKind::string;
    node.string = std::move(value);
    return place(std::move(node));
  }
  static bool binary(std::vector<std::uint8_t>& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) { return open(JsonKind::object); }
  bool start_array(std::size_t /*size*/) { return open(JsonKind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (open_.back()->members.size() >=
        kMemberLimit) {  // also keeps the search for duplicates cheap
      return stop({fmt::format("an object has more than {} keys", kMemberLimit),
                   fmt::format("一个对象的键超过 {} 个", kMemberLimit)});
    }
    if (open_.back()->find(name) != nullptr) {
      return stop({fmt::format("the key \"{}\" occurs twice", printable(name, 60)),
                   fmt::format("键 \"{}\" 出现了两次", printable(name, 60))});
    }
    key_ = std::move(name);
    key_line_ = *line_;
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) {
    return stop(same_in_both(without_prefix(error.what())));
  }

  const std::optional<Text>& problem() const { return problem_; }
  JsonNode take_root() { return std::move(root_); }

 private:
  /// nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …"
  /// from the colon on.
  static std::string without_prefix(std::string_view message) {
    const std::size_t colon = message.find(": ");
    return printable(colon == std::string_view::npos ? message : message.substr(colon + 2), 300);
  }
  bool stop(Text problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool place_number(double value, bool is_integer) {
    if (!std::isfinite(value)) {
      return stop({"a number is beyond the range of a double", "数值超出双精度范围"});
    }
    JsonNode node;
    node.kind = is_integer ? JsonKind::integer : JsonKind::number;
    node.number = value;
    return place(std::move(node));
  }
  JsonNode* add(JsonNode node) {
    node.line = *line_;
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    JsonNode& parent = *open_.back();
    if (parent.kind == JsonKind::array) {
      return &parent.items.emplace_back(std::move(node));
    }
    node.line = key_line_;
    return &parent.members.emplace_back(std::move(key_), std::move(node)).second;
  }
  bool place(JsonNode node) {
    add(std::move(node));
    return true;
  }
  bool open(JsonKind kind) {
    if (open_.size() >= kDepthLimit) {
      return stop({fmt::format("nested deeper than {} levels", kDepthLimit),
                   fmt::format("嵌套超过 {} 层", kDepthLimit)});
    }
    JsonNode node;
    node.kind = kind;
    // Children of an open container move only while it is not the innermost one, so the pointer
    // stays valid.
    open_.push_back(add(std::move(node)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::size_t* line_;
  JsonNode root_;
  std::vector<JsonNode*> open_;
  std::string key_;
  std::size_t key_line_ = 1;
  std::optional<Text> problem_;
};

[[noreturn]] void refuse(const std::string& name, std::size_t line, Text happened, Text next) {
  throw Error(ErrorKind::usage, {.tried = {"read the JSON", "读取 JSON"},
                                 .on = fmt::format("{}:{}", name, line),
                                 .happened = std::move(happened),
                                 .next = std::move(next)});
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto found = std::ranges::find_if(members, [key](const auto& m) { return m.first == key; });
  return found == members.end() ? nullptr : &found->second;
}

Text kind_text(JsonKind kind) {
  switch (kind) {
    case JsonKind::null:
      return same_in_both("null");
    case JsonKind::boolean:
      return {"true or false", "布尔值"};
    case JsonKind::integer:
      return {"a whole number", "整数"};
    case JsonKind::number:
      return {"a number", "数值"};
    case JsonKind::string:
      return {"a string", "字符串"};
    case JsonKind::array:
      return {"a list", "列表"};
    case JsonKind::object:
      return {"an object", "对象"};
  }
  return same_in_both("?");
}

JsonNode parse_json(std::string_view content, const std::string& name) {
  if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF")) {
    refuse(name, 1, {"the file is UTF-16, not UTF-8", "文件编码是 UTF-16，不是 UTF-8"},
           {"write it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
            "请转换为 UTF-8（iconv -f UTF-16 -t UTF-8）"});
  }
  if (trim(content).empty()) {
    refuse(name, 1, {"the file is empty", "文件为空"},
           {"the program that should have written it ended early, or the disk was full",
            "写入它的程序可能提前结束，或磁盘已满"});
  }
  std::size_t line = 1;
  TreeBuilder builder(&line);
  const bool ok =
      nlohmann::json::sax_parse(LineCountingIterator(content.data(), &line),
                                LineCountingIterator(content.data() + content.size(), &line),
                                &builder, nlohmann::json::input_format_t::json,
                                /*strict=*/true, /*ignore_comments=*/true);
  if (!ok) {
    refuse(name, line, builder.problem().value_or(same_in_both("not JSON")), {});
  }
  return builder.take_root();
}

}  // namespace harness::base
