#include "harness/report/page_values.h"

#include <nlohmann/json.hpp>

#include "harness/report/figure_text.h"

namespace harness::report {

PageValue text_or_false(const std::string& text) {
  return text.empty() ? PageValue(false) : PageValue(text);
}

void set_verdict(PageValue& part, model::VerdictWord word, base::Language language) {
  part["word"] = model::verdict_name(word);
  part["word_title"] = model::verdict_title(word).in(language);
}

void set_check(PageValue& part, const std::string& check, base::Language language) {
  part["check_name"] = base::printable(check);
  part["check_title"] = text_or_false(figure_title(check, language));
}

bool is_quiet(model::VerdictWord word) {
  return word == model::VerdictWord::pass || word == model::VerdictWord::waived;
}

std::string page_text(const base::Text& text, base::Language language) {
  return printable_lines(text.in(language));
}

}  // namespace harness::report
