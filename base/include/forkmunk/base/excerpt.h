// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk {

inline constexpr std::size_t kExcerptCharactersMax = 80;

/// Returns the beginning of `text` on one line. Unprintable bytes become '?', a truncated end "...".
[[nodiscard]] std::string excerpt(std::string_view text);

/// Returns "a, b, c": the members `name` of `items`.
template <typename Items>
[[nodiscard]] std::string list_of_names(const Items& items) {
  std::string names;
  for (const auto& item : items) names += (names.empty() ? "" : ", ") + std::string(item.name);
  return names;
}

}  // namespace forkmunk
