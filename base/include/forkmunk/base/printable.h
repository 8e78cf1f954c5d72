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

/// Returns `text` as UTF-8 for terminals, JSON and pages: like utf8(), and each control character becomes '?'. Names
/// from outside (of files, bots, players) may contain any bytes. Valid text is unchanged.
[[nodiscard]] std::string printable(std::string_view text);

/// Returns printable(text), shortened to `bytes_max` bytes by leaving out its middle.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes_max = kLineBytesMax);

}  // namespace forkmunk
