#include "harness/model/attempt.h"

namespace harness::model {

std::string_view attempt_state_name(AttemptState state) {
  switch (state) {
    case AttemptState::completed:
      return "COMPLETED";
    case AttemptState::failed:
      return "FAILED";
    case AttemptState::killed:
      return "KILLED";
    case AttemptState::not_started:
      return "NOT_STARTED";
    case AttemptState::wall_limit:
      return "WALL_LIMIT";
    case AttemptState::silence_limit:
      return "SILENCE_LIMIT";
    case AttemptState::aborted:
      return "ABORTED";
  }
  return "?";
}

}  // namespace harness::model
