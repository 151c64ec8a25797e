#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "harness/base/text.h"
#include "harness/model/verdict.h"
#include "harness/report/labels.h"

// What a page template is filled with, as JSON values: text (escaped by the template), lists, true
// and false. Every text is printable. The keys are those of reports/run.mustache.

namespace harness::report {

using PageValue = nlohmann::ordered_json;

/// Text, or false when it is empty: a template looks a missing key up in the part around it.
PageValue text_or_false(const std::string& text);

/// word, word_title.
void set_verdict(PageValue& part, model::VerdictWord word, base::Language language);

/// check_name, check_title (or false).
void set_check(PageValue& part, const std::string& check, base::Language language);

/// True for pass and waived: nobody has to act.
bool is_quiet(model::VerdictWord word);

/// Each line of a text of ours printable: logs are quoted in some.
std::string page_text(const base::Text& text, base::Language language);

}  // namespace harness::report
