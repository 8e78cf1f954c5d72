// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/system_memory.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

/// Counts all allocations from the C library by replacing its functions. Include it in one source of a program.
#if !defined(FORKMUNK_SANITIZED) && defined(__GLIBC__)
#define FORKMUNK_COUNTS_ALLOCATIONS 1

extern "C" {
// glibc's names of the replaced functions; its free() is not replaced.
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

/// Counts blocks from the C library in all threads, and from this thread's cache of released ones.
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
