#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/text.h"

// The commands as plain functions: options in, exit status out. command_line.cpp fills the options.

namespace harness::cli {

enum class OutputFormat { terminal, json, junit, html, markdown, csv };
enum class ColorChoice { automatic, always, never };

struct OutputOptions {
  OutputFormat format = OutputFormat::terminal;
  ColorChoice color = ColorChoice::automatic;
  std::optional<base::Language> language;  ///< nothing: ACCEPT_LANG, then the locale
  bool is_verbose = false;
};

struct CheckOptions {
  std::vector<std::string> paths;
  std::optional<std::string> suite;
  std::optional<std::string> system;
};

struct DiagnoseOptions {
  std::string folder;
  std::optional<std::string> context;
};

struct RunOptions {
  std::string suite;
  std::optional<std::string> out;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> settings;  ///< NAME=VALUE
};

struct SuitesOptions {
  std::string action = "list";  ///< list, show, check
  std::string name;             ///< of show and check: name or file
  std::optional<std::string> system;
};

int check_command(const CheckOptions& options, const OutputOptions& output);
int diagnose_command(const DiagnoseOptions& options, const OutputOptions& output);
int run_command(const RunOptions& options, const OutputOptions& output);
int suites_command(const SuitesOptions& options, const OutputOptions& output);

/// The whole program behind main(): reads the command line, runs the command, turns every Error
/// into its message and exit code.
int run_program(int argc, char** argv);

}  // namespace harness::cli
