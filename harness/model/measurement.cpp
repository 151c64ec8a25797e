#include "harness/model/measurement.h"

#include <fmt/format.h>

namespace harness::model {

std::string SourceRef::to_string() const {
  return line == 0 ? artifact : fmt::format("{}:{}", artifact, line);
}

std::string Evidence::to_string() const {
  switch (kind) {
    case EvidenceKind::results_json:
      return "results_json";
    case EvidenceKind::mllog:
      return "mllog";
    case EvidenceKind::sweep:
      return "sweep";
    case EvidenceKind::tool:
      return "tool:" + tool;
  }
  return "?";
}

}  // namespace harness::model
