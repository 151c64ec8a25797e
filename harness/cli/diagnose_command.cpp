#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "harness/engine/check.h"
#include "harness/engine/data_folder.h"

namespace harness::cli {

int diagnose_command(const DiagnoseOptions& options, const OutputOptions& output) {
  const engine::SuiteCatalog catalog(engine::find_data_folder());
  const engine::OperatorContext context =
      options.context ? engine::read_context(*options.context) : engine::OperatorContext{};
  const report::Report report = engine::diagnose(options.folder, context, catalog);
  if (!context.unused.empty() && output.format == OutputFormat::terminal) {
    const bool zh = language_of(output) == base::Language::zh;
    note((zh ? "accept: 上下文中未使用的键：" : "accept: not used from the context: ") +
         base::printable(base::join(context.unused, ", ")));
  }
  print_report(report, output);
  return report.exit_code;
}

}  // namespace harness::cli
