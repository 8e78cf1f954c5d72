#pragma once

#include <forkmunk/arena_alloc/poison.h>

/// Common to the caches of released memory: each thread has its own, and releases it at its end.
namespace forkmunk::arena_alloc {

// Without caches AddressSanitizer sees every block's true size, and each use after release.
#ifdef FORKMUNK_ASAN
inline constexpr bool kCaches = false;
#else
inline constexpr bool kCaches = true;
#endif

/// Calls end() when its thread ends, if it was accessed before. The caches themselves have no destructors, so that they
/// can be used while a thread ends.
template <void (*end)() noexcept>
struct AtThreadEnd {
  bool awaited = false;
  ~AtThreadEnd() { end(); }
};

}  // namespace forkmunk::arena_alloc
