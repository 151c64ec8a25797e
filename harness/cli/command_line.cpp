#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/base/version.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"

namespace harness::cli {
namespace {

using base::ExitCode;

constexpr const char* kFooter =
    R"(Exit codes: 0 pass  1 fail  2 usage  3 inconclusive  4 error  5 busy  70 bug  128+n signal n
Examples:
  accept check results.json                       judge a site's results.json
  accept check --suite gpt3 RESULTS_FOLDER        judge MLPerf result logs
  accept run --suite smoke                        train the miniature here and judge it)";

/// Everything the command line can say.
struct Parsed {
  OutputOptions output;
  CheckOptions check;
  DiagnoseOptions diagnose;
  RunOptions run;
  SuitesOptions suites;
  std::string format = "terminal";
  std::string color = "auto";
  std::string language;
  bool wants_json = false;
  std::function<int()> command;
};

void add_output_options(CLI::App& app, Parsed& parsed) {
  app.add_option("--format", parsed.format, "terminal, json, junit, html, md or csv")
      ->check(CLI::IsMember({"terminal", "json", "junit", "html", "md", "csv"}))
      ->option_text("FORMAT");
  app.add_flag("--json", parsed.wants_json, "short for --format json");
  app.add_option("--lang", parsed.language, "en or zh (default: ACCEPT_LANG, then the locale)")
      ->check(CLI::IsMember({"en", "zh"}))
      ->option_text("LANG");
  app.add_option("--color", parsed.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("WHEN");
  app.add_flag("-v,--verbose", parsed.output.is_verbose,
               "show every check, also those that passed");
}

void add_check(CLI::App& app, Parsed& parsed) {
  CLI::App* command =
      app.add_subcommand("check", "Judge result logs, results.json files or folders of them");
  command
      ->add_option("PATH", parsed.check.paths,
                   "result log, results.json, or a folder with several runs")
      ->required();
  command->add_option("--suite", parsed.check.suite,
                      "suite by name or file (default: by what the log says)");
  command->add_option("--system", parsed.check.system, "machine profile by name or file");
  add_output_options(*command, parsed);
  command->callback([&parsed] {
    parsed.command = [&parsed] { return check_command(parsed.check, parsed.output); };
  });
}

void add_diagnose(CLI::App& app, Parsed& parsed) {
  CLI::App* command =
      app.add_subcommand("diagnose", "Say what went wrong from a folder of outputs");
  command->add_option("DIR", parsed.diagnose.folder, "folder with outputs of one run")->required();
  command->add_option("--context", parsed.diagnose.context,
                      "JSON file with what you know: exit_code, required_runs, benchmark");
  add_output_options(*command, parsed);
  command->callback([&parsed] {
    parsed.command = [&parsed] { return diagnose_command(parsed.diagnose, parsed.output); };
  });
}

void add_run(CLI::App& app, Parsed& parsed) {
  CLI::App* command =
      app.add_subcommand("run", "Launch a suite, follow it and judge what it leaves");
  command->add_option("--suite", parsed.run.suite, "suite by name or file")->required();
  command->add_option("--out", parsed.run.out,
                      "evidence folder, new or empty (default: accept-runs/RUN)");
  command->add_option("--seed", parsed.run.seed,
                      "random seed of the training (default: random, logged)");
  command->add_option("--set", parsed.run.settings, "NAME=VALUE for a ${NAME} of the suite")
      ->allow_extra_args(false);
  add_output_options(*command, parsed);
  command->callback(
      [&parsed] { parsed.command = [&parsed] { return run_command(parsed.run, parsed.output); }; });
}

CLI::App* add_suites_action(CLI::App& suites, const std::string& action,
                            const std::string& description, Parsed& parsed) {
  CLI::App* command = suites.add_subcommand(action, description);
  add_output_options(*command, parsed);
  command->callback([&parsed, action] {
    parsed.suites.action = action;
    parsed.command = [&parsed] { return suites_command(parsed.suites, parsed.output); };
  });
  return command;
}

void add_suites(CLI::App& app, Parsed& parsed) {
  CLI::App* suites = app.add_subcommand("suites", "List, show and check suites");
  suites->require_subcommand(1);
  add_suites_action(*suites, "list", "the suites at hand", parsed);
  CLI::App* show =
      add_suites_action(*suites, "show", "one suite with its criteria and their sources", parsed);
  CLI::App* check = add_suites_action(
      *suites, "check", "is this suite well-formed, and can its limits be met?", parsed);
  show->add_option("SUITE", parsed.suites.name, "name or file")->required();
  check->add_option("SUITE", parsed.suites.name, "name or file")->required();
  check->add_option("--system", parsed.suites.system,
                    "machine profile by name or file (default: the suite's own)");
}

void settle_output(Parsed& parsed) {
  const std::map<std::string, OutputFormat> formats{
      {"terminal", OutputFormat::terminal}, {"html", OutputFormat::html},
      {"md", OutputFormat::markdown},       {"csv", OutputFormat::csv},
      {"json", OutputFormat::json},         {"junit", OutputFormat::junit}};
  const std::map<std::string, ColorChoice> colors{{"auto", ColorChoice::automatic},
                                                  {"always", ColorChoice::always},
                                                  {"never", ColorChoice::never}};
  parsed.output.format = parsed.wants_json ? OutputFormat::json : formats.at(parsed.format);
  parsed.output.color = colors.at(parsed.color);
  if (!parsed.language.empty()) {
    parsed.output.language = parsed.language == "zh" ? base::Language::zh : base::Language::en;
  }
}

/// The command nearest to a first word that names none.
std::string did_you_mean(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || *argv[1] == '-') {
    return "";
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  const bool is_known = std::ranges::find(names, argv[1]) != names.end();
  return is_known ? "" : base::nearest(argv[1], names);
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  note(fmt::format("accept: {}", base::printable(error.what(), 500)));
  if (const std::string near = did_you_mean(app, argc, argv); !near.empty()) {
    note(fmt::format("  did you mean: accept {}", near));
  } else {
    note("  next: accept --help, or accept COMMAND --help");
  }
  return static_cast<int>(ExitCode::usage);
}

int parse_and_run(CLI::App& app, Parsed& parsed, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(fmt::format("accept {}\n", base::kVersion));
    return 0;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, argc, argv);
  }
  settle_output(parsed);
  return parsed.command();
}

}  // namespace

int run_program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves (head, less) is no failure of ours
  Parsed parsed;
  try {
    CLI::App app(
        "accept judges GPU clusters: a suite goes in, a verdict with its evidence comes out.",
        "accept");
    app.set_version_flag("--version", std::string(base::kVersion));
    app.footer(kFooter);
    app.require_subcommand(1);
    app.fallthrough();
    add_check(app, parsed);
    add_run(app, parsed);
    add_diagnose(app, parsed);
    add_suites(app, parsed);
    return parse_and_run(app, parsed, argc, argv);
  } catch (const base::Error& error) {
    note("accept: " + error.message(language_of(parsed.output)));
    return static_cast<int>(error.exit_code());
  } catch (const std::bad_alloc&) {
    note("accept: out of memory");
    return static_cast<int>(ExitCode::error);
  } catch (const std::exception& error) {
    note(fmt::format("accept: internal error, please report it: {}",
                     base::printable(error.what(), 500)));
    return static_cast<int>(ExitCode::bug);
  }
}

}  // namespace harness::cli
