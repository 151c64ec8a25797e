#include "harness/model/suite.h"

namespace harness::model {

std::string_view comparison_token(Comparison comparison) {
  switch (comparison) {
    case Comparison::at_most:
      return "<=";
    case Comparison::at_least:
      return ">=";
    case Comparison::less_than:
      return "<";
    case Comparison::greater_than:
      return ">";
    case Comparison::equal:
      return "=";
  }
  return "?";
}

std::string_view comparison_sign(Comparison comparison) {
  switch (comparison) {
    case Comparison::at_most:
      return "≤";
    case Comparison::at_least:
      return "≥";
    case Comparison::less_than:
      return "<";
    case Comparison::greater_than:
      return ">";
    case Comparison::equal:
      return "=";
  }
  return "?";
}

bool holds(double value, Comparison comparison, double limit) {
  switch (comparison) {
    case Comparison::at_most:
      return value <= limit;
    case Comparison::at_least:
      return value >= limit;
    case Comparison::less_than:
      return value < limit;
    case Comparison::greater_than:
      return value > limit;
    case Comparison::equal:
      return value <= limit && value >= limit;
  }
  return false;
}

std::string_view launcher_name(LauncherKind kind) {
  switch (kind) {
    case LauncherKind::process:
      return "process";
    case LauncherKind::podman:
      return "podman";
    case LauncherKind::docker:
      return "docker";
    case LauncherKind::apptainer:
      return "apptainer";
    case LauncherKind::enroot:
      return "enroot";
    case LauncherKind::ssh:
      return "ssh";
    case LauncherKind::slurm:
      return "slurm";
  }
  return "?";
}

}  // namespace harness::model
