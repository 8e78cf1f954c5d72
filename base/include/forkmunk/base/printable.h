#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk {

/// Maximum bytes of a line of an error message.
inline constexpr std::size_t kLineBytesMax = 360;

/// `text` as UTF-8: each invalid byte becomes U+FFFD.
[[nodiscard]] std::string utf8(std::string_view text);

/// `text` as UTF-8 for terminals, JSON and pages: like utf8(), and each control character becomes '?'.
/// For names from outside (of files, bots, players), which may be any bytes. Valid text is unchanged.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, of at most `bytes_max` bytes: the middle of a longer text is left out.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes_max = kLineBytesMax);

}  // namespace forkmunk
