#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk {

/// Bytes that a line of complaint has at most.
inline constexpr std::size_t kLineBytesMax = 360;

/// `text` as UTF-8: each byte that is none becomes U+FFFD.
[[nodiscard]] std::string utf8(std::string_view text);

/// `text` as UTF-8 for terminals, JSON and pages: like utf8(), and each control character becomes '?'.
/// For names from outside (of files, bots, players), which may be any bytes. Text that is fine already stays as it is.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, of at most `bytes_max` bytes: the middle of a longer text is left out.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes_max = kLineBytesMax);

}  // namespace forkmunk
