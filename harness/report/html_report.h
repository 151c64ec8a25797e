#pragma once

#include <string>

#include "harness/report/report.h"

// The answer as one page to keep: a single file without script, request or font, readable in light
// and dark, printed on A4. Its look lies in reports/: the caller reads the two files and passes
// their text.

namespace harness::report {

struct HtmlTemplates {
  std::string page;  ///< reports/run.mustache
  std::string css;   ///< reports/accept.css
};

/// A whole HTML document. Everything foreign in it is printable and escaped. Same report, same
/// bytes. Errors: environment, when the template cannot be read as Mustache.
std::string render_html(const Report& report, base::Language language,
                        const HtmlTemplates& templates);

}  // namespace harness::report
