// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/base/per_thread.h>

/// The common part of the caches of released memory. Each thread has caches of its own, and empties them when it ends.
namespace forkmunk::arena_alloc {

// A thread whose objects are destroyed before the thread ends (per_thread.h) gets no caches, because nothing would
// empty them. AddressSanitizer gets no cache of blocks, so that it sees the true size of every block and each use after
// release; cached regions are poisoned.
#if defined(FORKMUNK_OWN_THREAD_LOCALS)
inline constexpr bool kCachesRegions = false;
#else
inline constexpr bool kCachesRegions = true;
#endif
#if defined(FORKMUNK_ASAN)
inline constexpr bool kCachesBlocks = false;
#else
inline constexpr bool kCachesBlocks = kCachesRegions;
#endif

/// Calls end() when its thread ends, if the thread used the object. The caches themselves have no destructors, so that
/// they can be used while a thread ends.
template <void (*end)() noexcept>
struct AtThreadEnd {
  bool awaited = false;
  ~AtThreadEnd() { end(); }
};

}  // namespace forkmunk::arena_alloc
