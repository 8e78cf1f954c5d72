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

/// Limit of a thread's cache, counted as the blocks' sizes; pages that were never written to take no memory.
inline constexpr std::size_t kCachedBytesMax = std::size_t{64} << 20;

/// Releases a block of allocate_system() to the cache of the calling thread.
struct SystemDeleter {
  std::size_t size_bytes = 0;  ///< Of the block, as rounded up by allocate_system().

  void operator()(std::byte* block) const noexcept;
};

/// A block of system memory with one owner. It may be released on another thread than it was taken on.
using SystemBlock = std::unique_ptr<std::byte[], SystemDeleter>;

/// Takes `size_bytes`, aligned to kSystemAlignmentBytes, not zeroed: the block of that size that this thread released
/// last, or a new one. If the system refuses, the thread's cache is released and the request repeated.
/// \throws std::bad_alloc when the system has no memory left.
[[nodiscard]] SystemBlock allocate_system(std::size_t size_bytes);

/// This thread's cache: content and hits.
struct SystemCacheStatistics {
  std::size_t cached_bytes = 0;  ///< At most kCachedBytesMax.
  std::size_t cached_count = 0;
  std::uint64_t reused_count = 0;  ///< Blocks taken from the cache so far.
};
[[nodiscard]] SystemCacheStatistics system_cache_statistics() noexcept;

/// Returns this thread's cached blocks to the system. The end of a thread does so too.
void release_system_cache() noexcept;

}  // namespace forkmunk::arena_alloc
