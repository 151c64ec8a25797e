#include "harness/judge/evidence.h"

#include <algorithm>

namespace harness::judge {

const model::Measurement* RunEvidence::find(std::string_view metric,
                                            const model::Evidence& evidence) const {
  const auto found = std::ranges::find_if(measurements, [&](const model::Measurement& m) {
    return m.metric == metric && m.evidence == evidence;
  });
  return found == measurements.end() ? nullptr : &*found;
}

}  // namespace harness::judge
