#pragma once

#include <string>

#include "harness/cli/commands.h"
#include "harness/report/report.h"
#include "harness/report/terminal_report.h"

// What the terminal can show, and the two streams: answers to standard output, everything else to
// standard error.

namespace harness::cli {

/// The language: --lang, then ACCEPT_LANG, then LC_ALL, LC_MESSAGES, LANG.
base::Language language_of(const OutputOptions& output);

/// Colour only on a terminal, never with NO_COLOR or TERM=dumb, unless --color says otherwise.
report::TerminalStyle style_of(const OutputOptions& output, int file_descriptor);

/// True when standard error is a terminal and CI is not set: then a live line may be redrawn.
bool can_redraw();

/// Writes the report in the asked format to standard output. Errors: environment when it cannot be
/// written.
void print_report(const report::Report& report, const OutputOptions& output);

/// Standard output, in one go. Errors: environment.
void print(const std::string& text);

/// One line to standard error.
void note(const std::string& text);

}  // namespace harness::cli
