#include "harness/report/report.h"

namespace harness::report {

model::VerdictWord Report::word() const {
  if (subjects.empty()) {
    return model::VerdictWord::inconclusive;
  }
  model::VerdictWord word = model::VerdictWord::pass;
  for (const Subject& subject : subjects) {
    word = model::graver(word, subject.verdict.word);
  }
  return word;
}

}  // namespace harness::report
