// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/base/per_thread.h>

/// The common part of the caches of released memory. Each thread has its own caches, and releases them when it ends.
namespace forkmunk::arena_alloc {

// Without caches AddressSanitizer sees every block's true size, and each use after release. Where a thread's objects
// are gone before it ends (per_thread.h), nothing would empty its caches.
#if defined(FORKMUNK_ASAN) || defined(FORKMUNK_OWN_THREAD_LOCALS)
inline constexpr bool kCaches = false;
#else
inline constexpr bool kCaches = true;
#endif

/// Calls end() when its thread ends, if the thread accessed the object before. The caches themselves have no
/// destructors, so that they can be used while a thread ends.
template <void (*end)() noexcept>
struct AtThreadEnd {
  bool awaited = false;
  ~AtThreadEnd() { end(); }
};

}  // namespace forkmunk::arena_alloc
