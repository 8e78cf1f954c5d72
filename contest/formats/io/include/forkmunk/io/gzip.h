// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk::io {

[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

/// Decompresses one or more gzip members, optionally followed by zeros. Verifies checksums. \pre is_gzip(bytes),
/// bytes.size() < 4 GiB.
/// \throws Error, without a file name, if the data are truncated or corrupt, or decompress to more than `size_max`
/// bytes, at which decompression stops.
[[nodiscard]] std::string gunzip(std::string_view bytes, std::size_t size_max);

/// Compresses to one gzip member without a time or file name, so the same text gives the same bytes.
[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace forkmunk::io
