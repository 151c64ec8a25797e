#include "harness/base/error.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace harness::base {
namespace {

/// Rank in the order 2 > 70 > 128+n > 1 > 4 > 3 > 5 > 0; unknown codes rank as a bug.
int rank_of(int code) {
  constexpr std::array<std::pair<int, int>, 7> kRanks{
      {{0, 0}, {5, 1}, {3, 2}, {4, 3}, {1, 4}, {70, 6}, {2, 7}}};
  if (code > 128 && code < 193) {
    return 5;
  }
  for (const auto& [known, rank] : kRanks) {
    if (known == code) {
      return rank;
    }
  }
  return 6;
}

}  // namespace

int graver_exit_code(int a, int b) {
  return rank_of(b) > rank_of(a) ? b : a;
}

Error::Error(ErrorKind kind, ErrorParts parts)
    : kind_(kind), parts_(std::move(parts)), what_(message(Language::en)) {}

ExitCode Error::exit_code() const {
  switch (kind_) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::environment:
      return ExitCode::error;
    case ErrorKind::busy:
      return ExitCode::busy;
    case ErrorKind::bug:
      return ExitCode::bug;
  }
  return ExitCode::bug;
}

std::string Error::message(Language language) const {
  const bool zh = language == Language::zh;
  const std::string on = parts_.on.empty() ? "" : fmt::format(" '{}'", printable(parts_.on));
  std::string out = zh ? fmt::format("无法{}{}：{}", parts_.tried.zh, on, parts_.happened.zh)
                       : fmt::format("cannot {}{}: {}", parts_.tried.en, on, parts_.happened.en);
  if (!parts_.next.empty()) {
    out += zh ? fmt::format("\n  下一步：{}", parts_.next.zh)
              : fmt::format("\n  next: {}", parts_.next.en);
  }
  return out;
}

Text system_error_text(int error_number) {
  constexpr std::array<std::pair<int, const char*>, 10> kChinese{{{ENOENT, "文件或目录不存在"},
                                                                  {EACCES, "权限不足"},
                                                                  {EPERM, "不允许的操作"},
                                                                  {ENOSPC, "磁盘空间已满"},
                                                                  {EROFS, "文件系统只读"},
                                                                  {EISDIR, "这是一个目录"},
                                                                  {ENOTDIR, "路径中的一段不是目录"},
                                                                  {EMFILE, "打开的文件过多"},
                                                                  {EEXIST, "已存在"},
                                                                  {EDQUOT, "超出磁盘配额"}}};
  const std::string english = std::generic_category().message(error_number);
  for (const auto& [known, chinese] : kChinese) {
    if (known == error_number) {
      return Text{english, chinese};
    }
  }
  return same_in_both(english);
}

}  // namespace harness::base
