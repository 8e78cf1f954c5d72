// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk::io {

/// Returns whether `bytes` begins with gzip's two magic bytes.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

/// Decompresses `bytes`: one or more gzip members, optionally followed by zeros. Checksums are verified.
///
/// \pre is_gzip(bytes), bytes.size() < 4 GiB.
/// \throws Error, without a file name, if the data are truncated or corrupt, or decompress to more than `size_max`
/// bytes. Decompression stops at that size, so that a small file cannot fill the memory.
[[nodiscard]] std::string gunzip(std::string_view bytes, std::size_t size_max);

/// Compresses `text` to one gzip member without a time or file name, so the same text gives the same bytes.
[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace forkmunk::io
