// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

/// Blocks for arenas, worlds and snapshots, and a small cache of released ones.
///
/// A fork takes a block, writes a small part of it, and usually releases it soon. Allocating from the system each time
/// would cost more than the copies, because of the page faults. So each thread keeps released blocks, up to
/// kCachedBytesMax, and reuses them first (docs/decisions/0005-released-blocks.md). The rest of the program keeps its
/// malloc.
namespace forkmunk::arena_alloc {

/// Alignment of every block taken from the system, in bytes: a cache line, so that a copy never splits one.
inline constexpr std::size_t kSystemAlignmentBytes = 64;

/// The limit of the cache of a thread, as the sum of the sizes of blocks. Pages that were never written to take no
/// memory.
inline constexpr std::size_t kCachedBytesMax = std::size_t{64} << 20;

/// Releases a block of allocate_system() to the cache of the calling thread.
struct SystemDeleter {
  std::size_t size_bytes = 0;  ///< The size of the block, as rounded up by allocate_system().

  void operator()(std::byte* block) const noexcept;
};

/// A block of system memory with one owner. Any thread may release the block.
using SystemBlock = std::unique_ptr<std::byte[], SystemDeleter>;

/// Returns a block of `size_bytes`, aligned to kSystemAlignmentBytes and not zeroed: the block of this size that the
/// calling thread released last, or a new block. If the system refuses, releases the cache of the thread and tries
/// again. \throws std::bad_alloc when the system has no memory left.
[[nodiscard]] SystemBlock allocate_system(std::size_t size_bytes);

/// The content and the hits of the cache of a thread.
struct SystemCacheStatistics {
  std::size_t cached_bytes = 0;  ///< At most kCachedBytesMax.
  std::size_t cached_count = 0;
  std::uint64_t reused_count = 0;  ///< The number of blocks taken from the cache so far.
};
/// Returns the statistics of the cache of the calling thread.
[[nodiscard]] SystemCacheStatistics system_cache_statistics() noexcept;

/// Returns the cached blocks of the calling thread to the system. This also happens at the end of a thread.
void release_system_cache() noexcept;

}  // namespace forkmunk::arena_alloc
