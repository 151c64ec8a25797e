#pragma once

#include <cstddef>
#include <string_view>

// Which parser a file is for, told by its content and never by its name.

namespace harness::parse {

enum class ArtifactKind { mllog, results_json, unknown };

/// How much of a file's front recognize() wants to see; shorter files as they are.
inline constexpr std::size_t kRecognizeBytes = std::size_t{1} << 16U;

/// The first format of the registry (recognize.cpp) whose mark stands in `head`. `unknown` is no
/// verdict on the file: a log may begin with more than 64 KiB of other text.
ArtifactKind recognize(std::string_view head);

}  // namespace harness::parse
