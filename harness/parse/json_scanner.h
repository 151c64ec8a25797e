#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// A forward scanner over one JSON value that stands somewhere in a line of a log. It tells where
// the value ends and whether the line ends first, takes bytes that are not UTF-8 and the literals
// NaN, Infinity and -Infinity as Python writes and reads them, and allocates only for strings with
// escapes. Knows no key and no record.

namespace harness::parse {

/// Why scanning stopped. `cut_short`: the text ends inside the value.
enum class JsonStop { none, cut_short, broken, too_deep };

class JsonScanner {
 public:
  static constexpr int kDepthLimit = 64;

  /// `text` and `scratch` must outlive the scanner; `scratch` holds the last string that had
  /// escapes.
  JsonScanner(std::string_view text, std::string& scratch)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), scratch_(scratch) {}

  JsonStop stop() const { return stop_; }

  /// How far the scanner has come, in bytes.
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

  /// The next byte behind white space, not consumed; NUL at the end of the text.
  char peek() {
    skip_space();
    return at_ == end_ ? '\0' : *at_;
  }

  /// Each of the following consumes one thing. On anything else it returns false or nothing, stays
  /// there and says why in stop().
  bool take(char expected) {
    skip_space();
    if (at_ == end_ || *at_ != expected) {
      return fail(JsonStop::broken);
    }
    ++at_;
    return true;
  }
  bool take_word(std::string_view word);
  /// The string without quotes and escapes (a lone surrogate becomes U+FFFD). Valid until the next
  /// one is read.
  std::optional<std::string_view> read_string();
  /// A number as written, by the grammar of JSON: "-1.5e3".
  std::optional<std::string_view> read_number();
  /// Any one value; read_raw() gives its text as written.
  bool skip_value();
  std::optional<std::string_view> read_raw();

  /// One object; `on_member(key)` must consume the value. The key is valid until the next string is
  /// read.
  template <class OnMember>
  bool read_object(OnMember on_member) {
    if (!enter('{')) {
      return false;
    }
    if (peek() == '}') {
      return leave('}');
    }
    do {
      const std::optional<std::string_view> key = read_string();
      if (!key || !take(':') || !on_member(*key)) {
        return false;
      }
    } while (take_comma());
    return leave('}');
  }
  /// As read_object; gives the object's text as written.
  template <class OnMember>
  std::optional<std::string_view> read_raw_object(OnMember on_member) {
    skip_space();
    const char* start = at_;
    if (!read_object(on_member)) {
      return std::nullopt;
    }
    return std::string_view(start, static_cast<std::size_t>(at_ - start));
  }

 private:
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) {
      ++at_;
    }
  }
  bool take_comma() {
    const bool is_comma = peek() == ',';
    at_ += is_comma ? 1 : 0;
    return is_comma;
  }
  bool fail(JsonStop why);
  bool enter(char opening);
  bool leave(char closing);
  bool take_digits();
  bool skip_array();
  std::optional<std::string_view> read_escaped_string(const char* start);
  bool append_escape();
  std::optional<char32_t> read_hex4();

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string& scratch_;
  JsonStop stop_ = JsonStop::none;
  int depth_ = 0;
};

}  // namespace harness::parse
