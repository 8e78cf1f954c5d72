#pragma once

#include <cstddef>

/// What address_region.cpp asks of the system, in one file per system: address_ranges_posix.cpp,
/// address_ranges_windows.cpp and address_ranges_wasm.cpp.
namespace forkmunk::arena_alloc {

/// Sizes and borders of ranges are multiples of it, and it of every machine's page.
inline constexpr std::size_t kPageBytes = std::size_t{1} << 16;

/// Reserves `size_bytes` that begin at a multiple of kRegionAlignmentBytes; null if there are none.
[[nodiscard]] std::byte* reserve_range(std::size_t size_bytes) noexcept;
/// A whole range, with the size that it was reserved with.
void release_range(std::byte* base, std::size_t size_bytes) noexcept;
/// Backs a part of a range with memory, or leaves what it has. \return false if the system has no more.
[[nodiscard]] bool commit_range(std::byte* begin, std::size_t size_bytes) noexcept;
/// What a range may take beyond its need, where the process's addresses are limited (ulimit -v): others come after it.
[[nodiscard]] std::size_t range_bytes_max() noexcept;

}  // namespace forkmunk::arena_alloc
