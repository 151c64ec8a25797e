#pragma once

#include <string>
#include <string_view>

// Text inside XML.

namespace harness::report {

/// Printable text (base::printable) with the five XML characters escaped: fit for an element and
/// for an attribute.
std::string xml_text(std::string_view text);

}  // namespace harness::report
