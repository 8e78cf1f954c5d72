// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/system_memory.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

/// Counts the allocations of the whole program from the C library, operator new included: these definitions replace the
/// libraries'. Include in one source of a test program.
#if !defined(FORKMUNK_SANITIZED) && defined(__GLIBC__)
#define FORKMUNK_COUNTS_ALLOCATIONS 1

extern "C" {
// glibc's own names of the functions replaced here; its free() works for all of them.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace forkmunk::tests {

inline std::atomic<long> call_count{0};

inline void* counted(void* memory) noexcept {
  call_count.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

/// Blocks allocated so far, by any thread from the C library, or by this one from its cache of released ones.
inline long allocation_count() noexcept {
  return call_count + static_cast<long>(arena_alloc::system_cache_statistics().reused_count);
}

}  // namespace forkmunk::tests

extern "C" {
void* malloc(std::size_t size) noexcept { return forkmunk::tests::counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) noexcept {
  return forkmunk::tests::counted(__libc_calloc(count, size));
}
void* realloc(void* memory, std::size_t size) noexcept {
  return forkmunk::tests::counted(__libc_realloc(memory, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return forkmunk::tests::counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  *memory = forkmunk::tests::counted(__libc_memalign(alignment, size));
  return *memory == nullptr ? ENOMEM : 0;
}
}
#endif
