// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// The operations on ranges of addresses that arenas need from the system: POSIX, Windows and WebAssembly.
namespace forkmunk::arena_alloc {

/// The sizes and borders of ranges are multiples of kPageBytes, which is a multiple of the page size of every machine.
inline constexpr std::size_t kPageBytes = std::size_t{1} << 16;

/// Reserves `size_bytes` that begin at a multiple of kRegionAlignmentBytes; returns null if no such range is free.
[[nodiscard]] std::byte* reserve_range(std::size_t size_bytes) noexcept;
/// Releases a whole range. \param size_bytes  the size that the range was reserved with.
void release_range(std::byte* base, std::size_t size_bytes) noexcept;
/// Backs a part of a range with memory; keeps the memory that the part has. \return false if the system has no more.
[[nodiscard]] bool commit_range(std::byte* begin, std::size_t size_bytes) noexcept;
/// Returns how many bytes a range may have beyond its need, where the addresses of the process are limited (ulimit -v).
/// The rest is left for later ranges.
[[nodiscard]] std::size_t range_bytes_max() noexcept;

}  // namespace forkmunk::arena_alloc
