// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

/// A fork takes a block, writes a small part of it, and usually releases it soon. Page faults would cost more than the
/// copies, so each thread keeps up to kCachedBytesMax of released blocks (docs/decisions/0005-released-blocks.md).
namespace forkmunk::arena_alloc {

/// In bytes: a cache line, so that a copy never splits one.
inline constexpr std::size_t kSystemAlignmentBytes = 64;

/// The limit of a thread's cache, as the sum of sizes. Untouched pages take no memory.
inline constexpr std::size_t kCachedBytesMax = std::size_t{64} << 20;

/// Releases a block to the cache of the calling thread.
struct SystemDeleter {
  std::size_t size_bytes = 0;  ///< As rounded up by allocate_system().

  void operator()(std::byte* block) const noexcept;
};

/// A block with one owner. Any thread may release it.
using SystemBlock = std::unique_ptr<std::byte[], SystemDeleter>;

/// Returns a block that is aligned to kSystemAlignmentBytes and not zeroed: the block of this size that the calling
/// thread released last, or a new one. If the system refuses, releases the thread's cache and tries again. \throws
/// std::bad_alloc.
[[nodiscard]] SystemBlock allocate_system(std::size_t size_bytes);

struct SystemCacheStatistics {
  std::size_t cached_bytes = 0;
  std::size_t cached_count = 0;
  std::uint64_t reused_count = 0;  ///< Blocks taken from the cache so far.
};
/// Describes the cache of the calling thread.
[[nodiscard]] SystemCacheStatistics system_cache_statistics() noexcept;

/// Returns the thread's cached blocks to the system, as the end of a thread does.
void release_system_cache() noexcept;

}  // namespace forkmunk::arena_alloc
