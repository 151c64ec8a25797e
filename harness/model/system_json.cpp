#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "harness/base/json.h"
#include "harness/model/json_reader.h"
#include "harness/model/suite_json.h"

namespace harness::model {
namespace {

constexpr int kSchemaVersion = 1;
constexpr int kGpusPerNodeLimit = 1'000;  // more is a slip
constexpr std::size_t kAliasLimit = 64;

ExpectationKind read_expectation_kind(const JsonReader& reader) {
  const std::string word = reader.read_word({"floor", "expected", "ceiling"});
  if (word == "floor") {
    return ExpectationKind::floor;
  }
  return word == "ceiling" ? ExpectationKind::ceiling : ExpectationKind::expected;
}

Expectation read_expectation(const JsonReader& reader) {
  reader.expect_keys({"quantity", "kind", "value", "unit", "condition", "source", "note"});
  Expectation expectation;
  expectation.quantity = reader.member("quantity").read_name();
  expectation.kind = read_expectation_kind(reader.member("kind"));
  expectation.value = reader.member("value").read_positive();
  expectation.unit = reader.member("unit").read_label();
  if (const auto condition = reader.find("condition")) {
    expectation.condition = condition->read_label();
  }
  expectation.source = reader.member("source").read_label();
  if (const auto note = reader.find("note")) {
    expectation.note = note->read_label();
  }
  return expectation;
}

bool is_same_claim(const Expectation& a, const Expectation& b) {
  return a.quantity == b.quantity && a.kind == b.kind && a.condition == b.condition &&
         a.source == b.source;
}

std::vector<Expectation> read_expectations(const JsonReader& list) {
  std::vector<Expectation> out;
  for (const JsonReader& item : list.items()) {
    Expectation expectation = read_expectation(item);
    if (std::ranges::any_of(out,
                            [&](const auto& other) { return is_same_claim(expectation, other); })) {
      item.refuse(
          {"the same quantity, kind, condition and source stand above",
           "上文已有相同的 quantity、kind、condition 和 source"},
          {"keep one, or say under which condition each holds", "请只保留一项，或写明各自的条件"});
    }
    out.push_back(std::move(expectation));
  }
  return out;
}

/// The name a vendor or cloud gives the machine: "BM.GPU.H100.8", "p5en.48xlarge".
std::string read_alias(const JsonReader& reader) {
  std::string alias = reader.read_string();
  const bool is_plain = std::ranges::all_of(alias, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
  if (alias.empty() || alias.size() > kAliasLimit || !is_plain) {
    reader.refuse({"no other name of a machine", "不是合法的机器别名"},
                  {"use letters, digits, _, - and ., at most 64",
                   "请使用字母、数字、_、- 和 .，最多 64 个字符"});
  }
  return alias;
}

}  // namespace

System decode_system(std::string_view text, const std::string& path) {
  const base::JsonNode root = base::parse_json(text, path);
  const JsonDocument document{.path = path, .tried = {"read the machine profile", "读取机器配置"}};
  const JsonReader reader(root, document);
  reader.expect_schema("accept-system", kSchemaVersion);
  reader.expect_keys({"schema", "name", "title", "aliases", "gpus_per_node", "gpu_model",
                      "peak_bf16_tflop_per_s", "peak_source", "expectations"});
  System system;
  system.name = reader.member("name").read_name();
  system.title = reader.member("title").read_text();
  if (const auto aliases = reader.find("aliases")) {
    for (const JsonReader& item : aliases->items()) {
      system.aliases.push_back(read_alias(item));
    }
  }
  system.gpus_per_node = reader.member("gpus_per_node").read_whole_number(1, kGpusPerNodeLimit);
  system.gpu_model = reader.member("gpu_model").read_label();
  if (const auto peak = reader.find("peak_bf16_tflop_per_s")) {
    system.peak_bf16_tflop_per_s = peak->read_positive();
    system.peak_source = reader.member("peak_source").read_label();
  } else if (const auto source = reader.find("peak_source")) {
    source->refuse({"a source without a figure", "只有出处，没有数值"},
                   {"add peak_bf16_tflop_per_s, or remove peak_source",
                    "请补上 peak_bf16_tflop_per_s，或去掉 peak_source"});
  }
  system.expectations = read_expectations(reader.member("expectations"));
  system.path = path;
  return system;
}

}  // namespace harness::model
