#include "harness/model/verdict.h"

#include <algorithm>

#include "harness/base/error.h"

namespace harness::model {

std::string_view verdict_name(VerdictWord word) {
  switch (word) {
    case VerdictWord::pass:
      return "pass";
    case VerdictWord::waived:
      return "waived";
    case VerdictWord::inconclusive:
      return "inconclusive";
    case VerdictWord::fail:
      return "fail";
    case VerdictWord::error:
      return "error";
  }
  return "?";
}

base::Text verdict_title(VerdictWord word) {
  switch (word) {
    case VerdictWord::pass:
      return {"PASS", "通过"};
    case VerdictWord::waived:
      return {"WAIVED", "让步接收"};
    case VerdictWord::inconclusive:
      return {"INCONCLUSIVE", "无法判定"};
    case VerdictWord::fail:
      return {"FAIL", "不通过"};
    case VerdictWord::error:
      return {"ERROR", "出错"};
  }
  return base::same_in_both("?");
}

VerdictWord graver(VerdictWord a, VerdictWord b) {
  // fail > error > inconclusive > waived > pass: a criterion that was missed stays missed whatever
  // else broke.
  constexpr auto kRank = [](VerdictWord word) {
    switch (word) {
      case VerdictWord::pass:
        return 0;
      case VerdictWord::waived:
        return 1;
      case VerdictWord::inconclusive:
        return 2;
      case VerdictWord::error:
        return 3;
      case VerdictWord::fail:
        return 4;
    }
    return 4;
  };
  return kRank(b) > kRank(a) ? b : a;
}

int exit_code_of(VerdictWord word) {
  switch (word) {
    case VerdictWord::pass:
    case VerdictWord::waived:
      return static_cast<int>(base::ExitCode::pass);
    case VerdictWord::inconclusive:
      return static_cast<int>(base::ExitCode::inconclusive);
    case VerdictWord::fail:
      return static_cast<int>(base::ExitCode::fail);
    case VerdictWord::error:
      return static_cast<int>(base::ExitCode::error);
  }
  return static_cast<int>(base::ExitCode::bug);
}

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::launch:
      return "launch";
    case Stage::evidence:
      return "evidence";
    case Stage::validity:
      return "validity";
    case Stage::criteria:
      return "criteria";
    case Stage::score:
      return "score";
  }
  return "?";
}

base::Text stage_title(Stage stage) {
  switch (stage) {
    case Stage::launch:
      return {"launch", "启动"};
    case Stage::evidence:
      return {"evidence", "证据"};
    case Stage::validity:
      return {"validity", "有效性"};
    case Stage::criteria:
      return {"criteria", "验收指标"};
    case Stage::score:
      return {"score", "成绩"};
  }
  return base::same_in_both("?");
}

std::string_view reason_name(ReasonClass reason) {
  switch (reason) {
    case ReasonClass::none:
      return "none";
    case ReasonClass::missed_criterion:
      return "missed_criterion";
    case ReasonClass::invalid_run:
      return "invalid_run";
    case ReasonClass::evidence_missing:
      return "evidence_missing";
    case ReasonClass::unreadable_input:
      return "unreadable_input";
    case ReasonClass::launch_failed:
      return "launch_failed";
    case ReasonClass::aborted:
      return "aborted";
  }
  return "?";
}

}  // namespace harness::model
