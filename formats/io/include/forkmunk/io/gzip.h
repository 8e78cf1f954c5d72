#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk::io {

/// Whether `bytes` begin with gzip's two magic bytes.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

/// The text in `bytes`: one gzip member or several, and then nothing but zeros. Checksums are verified.
///
/// \pre is_gzip(bytes), and there are fewer than 4 GiB of them.
/// \throws Error, without naming a file, if the data are truncated or corrupt or hold more than `size_max` bytes.
/// Inflating stops there, so that a small file cannot fill the memory.
[[nodiscard]] std::string gunzip(std::string_view bytes, std::size_t size_max);

/// `text` as one gzip member. The same text gives the same bytes: no time and no file name are in them.
[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace forkmunk::io
