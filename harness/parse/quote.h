#pragma once

#include <string>
#include <string_view>

// How an issue shows foreign bytes.

namespace harness::parse {

/// `raw` as printable UTF-8 of at most 160 bytes; of a longer one the front and the end, with "…"
/// between them.
std::string quote(std::string_view raw);

}  // namespace harness::parse
