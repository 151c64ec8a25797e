#include "harness/parse/mllog_json.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>

#include "harness/base/number.h"
#include "harness/base/text.h"

namespace harness::parse {
namespace {

using model::MllogEventType;
using model::MllogRecord;
using model::MllogValue;
using model::MllogValueKind;

constexpr std::size_t kRawValueLimitBytes = 200;
constexpr double kLargestTimeMs = 9007199254740992.0;  // 2^53: differences of two stay exact

/// A number beyond double: true when it is too small (then it is 0, as in Python), false when too
/// large.
bool is_underflow(std::string_view number) {
  const std::size_t exponent = number.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    return number[exponent + 1] == '-';
  }
  return number.starts_with("0") || number.starts_with("-0");
}

/// The number a raw JSON value stands for; nothing when it is no number or too large for double.
std::optional<double> finite_number(std::string_view raw) {
  const std::size_t first_digit = raw.starts_with('-') ? 1 : 0;
  if (first_digit == raw.size() || raw[first_digit] < '0' || raw[first_digit] > '9') {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (error == std::errc::result_out_of_range) {
    return is_underflow(raw) ? std::optional(0.0) : std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> to_time_ms(std::optional<double> value) {
  if (!value || !std::isfinite(*value) || std::fabs(*value) > kLargestTimeMs) {
    return std::nullopt;
  }
  return std::llround(*value);
}

MllogEventType event_type_named(std::string_view name) {
  if (name == "POINT_IN_TIME") {
    return MllogEventType::point_in_time;
  }
  if (name == "INTERVAL_START") {
    return MllogEventType::interval_start;
  }
  return name == "INTERVAL_END" ? MllogEventType::interval_end : MllogEventType::unknown;
}

/// Reads the members of one record; each function consumes one value.
class RecordFiller {
 public:
  RecordFiller(JsonScanner& scanner, MllogRecord& record, MllogReading& reading)
      : scanner_(scanner), record_(record), reading_(reading) {}

  bool take_member(std::string_view key) {
    if (key == "key") {
      return take_key();
    }
    if (key == "value") {
      reading_.has_value = true;
      return take_value();
    }
    if (key == "time_ms") {
      return take_time();
    }
    if (key == "event_type") {
      return take_event_type();
    }
    return key == "metadata" ? take_metadata() : scanner_.skip_value();
  }

 private:
  bool take_key() {
    reading_.has_key = scanner_.peek() == '"';
    if (!reading_.has_key) {
      return scanner_.skip_value();
    }
    const auto text = scanner_.read_string();
    record_.key.assign(text.value_or(std::string_view{}));
    return text.has_value();
  }

  bool take_event_type() {
    record_.event_type = MllogEventType::unknown;
    if (scanner_.peek() != '"') {
      return scanner_.skip_value();
    }
    const auto text = scanner_.read_string();
    record_.event_type = event_type_named(text.value_or(std::string_view{}));
    return text.has_value();
  }

  bool take_time() {
    record_.time_ms.reset();
    if (scanner_.peek() == '"') {
      const auto text = scanner_.read_string();
      record_.time_ms =
          to_time_ms(base::parse_number(base::trim(text.value_or(std::string_view{}))));
      reading_.time_stamp = record_.time_ms ? TimeStamp::numeric_text : TimeStamp::other_text;
      return text.has_value();
    }
    const auto raw = scanner_.read_raw();
    record_.time_ms = to_time_ms(finite_number(raw.value_or(std::string_view{})));
    reading_.time_stamp = record_.time_ms ? TimeStamp::number : TimeStamp::none;
    return raw.has_value();
  }

  bool take_value() {
    MllogValue& value = record_.value;
    value.number = 0;
    value.text.clear();
    record_.throughput.reset();
    const char first = scanner_.peek();
    if (first == '"') {
      value.kind = MllogValueKind::string;
      const auto text = scanner_.read_string();
      value.text.assign(text.value_or(std::string_view{}));
      return text.has_value();
    }
    const auto raw =
        first == '{'
            ? scanner_.read_raw_object([this](std::string_view key) { return take_figure(key); })
            : scanner_.read_raw();
    if (!raw) {
      return false;
    }
    describe_value(*raw);
    return true;
  }

  /// Fills kind and number from a value that is no string.
  void describe_value(std::string_view raw) {
    MllogValue& value = record_.value;
    const std::optional<double> number = finite_number(raw);
    if (number) {
      value.kind = MllogValueKind::number;
      value.number = *number;
    } else if (raw == "null") {
      value.kind = MllogValueKind::null;
    } else if (raw == "true" || raw == "false") {
      value.kind = MllogValueKind::boolean;
      value.number = raw == "true" ? 1 : 0;
    } else {
      const bool is_nested = raw.front() == '{' || raw.front() == '[';
      value.kind = is_nested ? MllogValueKind::other : MllogValueKind::not_finite;
      value.text.assign(raw.substr(0, kRawValueLimitBytes));
    }
  }

  /// A member of value {"throughput": …}.
  bool take_figure(std::string_view key) {
    if (key != "throughput") {
      return scanner_.skip_value();
    }
    return take_number(record_.throughput);
  }

  bool take_metadata() {
    record_.has_metadata = scanner_.peek() == '{';
    record_.epoch_num.reset();
    record_.first_epoch_num.reset();
    record_.epoch_count.reset();
    record_.status.reset();
    if (!record_.has_metadata) {
      return scanner_.skip_value();
    }
    return scanner_.read_object([this](std::string_view key) { return take_metadata_member(key); });
  }

  bool take_metadata_member(std::string_view key) {
    if (key == "epoch_num") {
      return take_number(record_.epoch_num);
    }
    if (key == "first_epoch_num") {
      return take_number(record_.first_epoch_num);
    }
    if (key == "epoch_count") {
      return take_number(record_.epoch_count);
    }
    return key == "status" ? take_status() : scanner_.skip_value();
  }

  bool take_status() {
    record_.status.reset();
    if (scanner_.peek() != '"') {
      return scanner_.skip_value();
    }
    const auto text = scanner_.read_string();
    record_.status = text;
    return text.has_value();
  }

  /// A finite number into `field`; anything else leaves it empty.
  bool take_number(std::optional<double>& field) {
    const auto raw = scanner_.read_raw();
    field = finite_number(raw.value_or(std::string_view{}));
    return raw.has_value();
  }

  JsonScanner& scanner_;
  MllogRecord& record_;
  MllogReading& reading_;
};

/// Empties `record` and keeps the memory of its strings.
void reset(MllogRecord& record) {
  record.time_ms.reset();
  record.event_type = MllogEventType::unknown;
  record.key.clear();
  record.value.kind = MllogValueKind::missing;
  record.value.number = 0;
  record.value.text.clear();
  record.has_metadata = false;
  record.epoch_num.reset();
  record.first_epoch_num.reset();
  record.epoch_count.reset();
  record.status.reset();
  record.throughput.reset();
}

}  // namespace

MllogReading MllogJson::read(std::string_view text, MllogRecord& record) {
  reset(record);
  MllogReading reading;
  JsonScanner scanner(text, scratch_);
  reading.is_object = scanner.peek() == '{' || scanner.position() == text.size();
  if (reading.is_object) {
    RecordFiller filler(scanner, record, reading);
    scanner.read_object([&filler](std::string_view key) { return filler.take_member(key); });
  } else {
    scanner.skip_value();
  }
  reading.stop = scanner.stop();
  reading.bytes = scanner.position();
  return reading;
}

}  // namespace harness::parse
