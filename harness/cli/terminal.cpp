#include "harness/cli/terminal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "harness/base/error.h"
#include "harness/engine/data_folder.h"
#include "harness/engine/report_details.h"
#include "harness/report/csv_report.h"
#include "harness/report/html_report.h"
#include "harness/report/json_report.h"
#include "harness/report/junit_report.h"
#include "harness/report/markdown_report.h"

namespace harness::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The first of the locale variables that says something, as setlocale would read them.
std::string locale_of(const char* category) {
  for (const char* name : {"LC_ALL", category, "LANG"}) {
    if (std::string value = environment(name); !value.empty()) {
      return value;
    }
  }
  return "";
}

bool is_utf8_locale() {
  std::string locale = locale_of("LC_CTYPE");
  std::ranges::transform(locale, locale.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

}  // namespace

base::Language language_of(const OutputOptions& output) {
  if (output.language) {
    return *output.language;
  }
  std::string choice = environment("ACCEPT_LANG");
  if (choice.empty()) {
    choice = locale_of("LC_MESSAGES");
  }
  return choice.starts_with("zh") ? base::Language::zh : base::Language::en;
}

report::TerminalStyle style_of(const OutputOptions& output, int file_descriptor) {
  report::TerminalStyle style;
  const bool wants_none = !environment("NO_COLOR").empty() || environment("TERM") == "dumb";
  style.has_color =
      output.color == ColorChoice::always ||
      (output.color == ColorChoice::automatic && ::isatty(file_descriptor) == 1 && !wants_none);
  style.language = language_of(output);
  style.has_unicode = is_utf8_locale() || style.language == base::Language::zh;
  constexpr std::size_t kReadableColumns = 100;
  style.wrap_columns = ::isatty(file_descriptor) == 1 ? kReadableColumns : 0;
  style.shows_all = output.is_verbose;
  return style;
}

bool can_redraw() {
  return ::isatty(STDERR_FILENO) == 1 && environment("CI").empty() && environment("TERM") != "dumb";
}

void print(const std::string& text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0 && errno == EPIPE) {
      return;  // the reader (head, less) has seen enough
    }
    if (count < 0) {
      throw base::Error(base::ErrorKind::environment,
                        {.tried = {"write to standard output", "写标准输出"},
                         .on = "",
                         .happened = base::system_error_text(errno),
                         .next = {}});
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void note(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
}

void print_report(const report::Report& report, const OutputOptions& output) {
  switch (output.format) {
    case OutputFormat::terminal:
      print(report::render_terminal(report, style_of(output, STDOUT_FILENO)));
      return;
    case OutputFormat::json:
      print(report::render_json(report));
      return;
    case OutputFormat::junit:
      print(report::render_junit(report, language_of(output)));
      return;
    case OutputFormat::html:
      print(report::render_html(report, language_of(output),
                                engine::load_templates(engine::find_data_folder())));
      return;
    case OutputFormat::markdown:
      print(report::render_markdown(report, language_of(output)));
      return;
    case OutputFormat::csv:
      print(report::render_csv(report, language_of(output)));
      return;
  }
}

}  // namespace harness::cli
