#pragma once

#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "harness/base/text.h"

// The words of pages, charts and Markdown in both languages, by key: a template names them
// {{l.KEY}}. Sentences of a judgement are not here; they come with the verdict.

namespace harness::report {

struct Label {
  std::string_view key;
  std::string_view en;
  std::string_view zh;
};

/// All labels; those with {} are formats for fmt and take their arguments in the order given.
std::span<const Label> all_labels();

/// Errors: bug, when there is no such key.
std::string say(std::string_view key, base::Language language);

/// A label with its gaps filled in the order of the arguments.
template <typename... Arguments>
std::string fill(std::string_view key, base::Language language, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(say(key, language)), arguments...);
}

/// The title of a metric or figure; empty for a name that has none.
std::string figure_title(std::string_view name, base::Language language);

}  // namespace harness::report
