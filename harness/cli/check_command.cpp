#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "harness/engine/check.h"
#include "harness/engine/data_folder.h"

namespace harness::cli {

int check_command(const CheckOptions& options, const OutputOptions& output) {
  const engine::SuiteCatalog catalog(engine::find_data_folder());
  const report::Report report =
      engine::check({options.paths, options.suite, options.system}, catalog);
  print_report(report, output);
  return report.exit_code;
}

}  // namespace harness::cli
