// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk {

/// The maximum size of a line of an error message.
inline constexpr std::size_t kLineBytesMax = 360;

/// Returns `text` as UTF-8: each invalid byte becomes U+FFFD.
[[nodiscard]] std::string utf8(std::string_view text);

/// Returns `text` as UTF-8 for terminals, JSON and pages: like utf8(), and each control character becomes '?'.
/// It is for names from outside (of files, bots, players), which may be any bytes. Valid text is unchanged.
[[nodiscard]] std::string printable(std::string_view text);

/// Returns printable(text), at most `bytes_max` bytes of it: the middle of a longer text is left out.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes_max = kLineBytesMax);

}  // namespace forkmunk
