// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk {

inline constexpr std::size_t kLineBytesMax = 360;

/// Returns `text` as UTF-8: each invalid byte becomes U+FFFD.
[[nodiscard]] std::string utf8(std::string_view text);

/// Returns utf8(text) for terminals, JSON and pages, with '?' for each control character. Names from outside may
/// contain any bytes.
[[nodiscard]] std::string printable(std::string_view text);

/// Returns printable(text), without its middle beyond `bytes_max`.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes_max = kLineBytesMax);

}  // namespace forkmunk
