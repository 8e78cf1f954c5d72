#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk {

/// Bytes of a strange value that a message shows.
inline constexpr std::size_t kExcerptCharactersMax = 80;

/// The beginning of `text` on one line, for messages: what cannot be printed becomes '?', and what is cut off "...".
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace forkmunk
