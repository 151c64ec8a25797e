#include "harness/cli/commands.h"

int main(int argc, char** argv) {
  return harness::cli::run_program(argc, argv);
}
