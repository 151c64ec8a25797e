#pragma once

#include <string>
#include <utility>

#include "harness/model/verdict.h"

// The parts every finding has, in one call.

namespace harness::judge {

inline model::Finding make_finding(model::Stage stage, std::string check,
                                   model::VerdictWord verdict, model::ReasonClass reason,
                                   base::Text text) {
  model::Finding out;
  out.stage = stage;
  out.check = std::move(check);
  out.verdict = verdict;
  out.reason = reason;
  out.text = std::move(text);
  return out;
}

}  // namespace harness::judge
