#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

/// Blocks for arenas, worlds and snapshots, and a small cache of those that were given back.
///
/// A fork takes a block, of whose bytes it touches a few, and mostly gives it back soon. Asking the system each time
/// would cost more than the copies: its pages have to be mapped anew. So each thread keeps what it released, up to
/// kCachedBytesMax, and takes from there first (docs/decisions/0005-released-blocks.md). The rest of the program keeps
/// the malloc it has.
namespace forkmunk::arena_alloc {

/// Alignment of every block taken from the system, in bytes: a cache line, so that a copy never splits one.
inline constexpr std::size_t kSystemAlignmentBytes = 64;

/// The most that one thread keeps, counted as the blocks' sizes; pages that were never written to take no memory.
inline constexpr std::size_t kCachedBytesMax = std::size_t{64} << 20;

/// Gives a block of allocate_system() back, to the cache of the thread that it runs on.
struct SystemDeleter {
  std::size_t size_bytes = 0;  ///< The block's, rounded up as allocate_system() did.

  void operator()(std::byte* block) const noexcept;
};

/// A block of system memory with one owner. It may be released on another thread than it was taken on.
using SystemBlock = std::unique_ptr<std::byte[], SystemDeleter>;

/// Takes `size_bytes`, aligned to kSystemAlignmentBytes, not zeroed: the block of that size which this thread released
/// last, or a new one. When the system has none, what the thread keeps goes back to it first.
/// \throws std::bad_alloc when the system has no memory left.
[[nodiscard]] SystemBlock allocate_system(std::size_t size_bytes);

/// What this thread keeps, and how often that was of use.
struct SystemCacheStatistics {
  std::size_t cached_bytes = 0;  ///< At most kCachedBytesMax.
  std::size_t cached_count = 0;
  std::uint64_t reused_count = 0;  ///< Blocks taken from the cache so far.
};
[[nodiscard]] SystemCacheStatistics system_cache_statistics() noexcept;

/// Gives all that this thread keeps back to the system. The end of a thread does so too.
void release_system_cache() noexcept;

}  // namespace forkmunk::arena_alloc
