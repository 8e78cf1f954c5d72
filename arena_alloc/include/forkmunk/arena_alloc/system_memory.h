#pragma once

#include <cstddef>
#include <memory>

namespace forkmunk::arena_alloc {

/// Alignment of every block taken from the system, in bytes: a cache line, so that a copy never splits one.
inline constexpr std::size_t kSystemAlignmentBytes = 64;

/// Gives a block of allocate_system() back.
struct SystemDeleter {
  void operator()(std::byte* block) const noexcept;
};

/// A block of system memory with one owner.
using SystemBlock = std::unique_ptr<std::byte[], SystemDeleter>;

/// Takes `size_bytes` from mimalloc, aligned to kSystemAlignmentBytes, not zeroed.
///
/// Only arenas' blocks and snapshots' buffers come from here. mimalloc itself cannot be the clonable heap: its pages,
/// free lists and thread data lie in segments of its own, mixed with other users' blocks, so that no range of bytes is
/// "the state" and none can be copied back (docs/decisions/0002-own-arena.md).
/// \throws std::bad_alloc when the system has no memory left.
[[nodiscard]] SystemBlock allocate_system(std::size_t size_bytes);

}  // namespace forkmunk::arena_alloc
