#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// For those who read a stranger's JSON into trees of values: nlohmann's walk over a tree calls itself for each level.
namespace forkmunk::io {

/// Deepest nesting of lists and objects that is let through; what we read has six levels at most.
inline constexpr std::size_t kJsonDepthMax = 64;

/// \throws Error if lists and objects are nested deeper than kJsonDepthMax. What is no JSON otherwise is left to the
/// parser.   Cost: one look at each byte.
void check_json_depth(std::string_view text);

/// A parser's complaint without what it says of itself, and with no more than an excerpt of what it quotes.
[[nodiscard]] std::string json_problem(std::string_view what);

}  // namespace forkmunk::io
