#pragma once

#include <forkmunk/arena_alloc/poison.h>

/// What the caches of released memory have in common: each thread has its own, and gives it back when it ends.
namespace forkmunk::arena_alloc {

// AddressSanitizer is to see every block's true size, and each use of one that was released.
#ifdef FORKMUNK_ASAN
inline constexpr bool kCaches = false;
#else
inline constexpr bool kCaches = true;
#endif

/// Calls end() when its thread ends, if it was touched before. The caches themselves have no destructors, so that they
/// can be asked while a thread ends.
template <void (*end)() noexcept>
struct AtThreadEnd {
  bool awaited = false;
  ~AtThreadEnd() { end(); }
};

}  // namespace forkmunk::arena_alloc
