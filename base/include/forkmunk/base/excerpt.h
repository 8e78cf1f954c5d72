// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk {

inline constexpr std::size_t kExcerptCharactersMax = 80;

/// Returns the beginning of `text` on one line. Unprintable bytes become '?', a truncated end "...".
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace forkmunk
