#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

#include <mimalloc.h>

/// Counts what the whole program asks the system for: these definitions stand before the libraries'. To be included by
/// one source of a test program that links mimalloc.
#ifndef FORKMUNK_SANITIZED
#define FORKMUNK_COUNTS_ALLOCATIONS 1

namespace {
std::atomic<long> allocation_count{0};

void* counted(void* memory) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  return memory;
}
}  // namespace

extern "C" {
void* malloc(std::size_t size) { return counted(mi_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return counted(mi_calloc(count, size)); }
void* realloc(void* memory, std::size_t size) { return counted(mi_realloc(memory, size)); }
void free(void* memory) { mi_free(memory); }
// Arenas' blocks and snapshots' buffers.
void* mi_malloc_aligned(std::size_t size, std::size_t alignment) noexcept {
  return counted(mi_heap_malloc_aligned(mi_heap_get_default(), size, alignment));
}
}
void* operator new(std::size_t size) { return counted(mi_new(size)); }
void operator delete(void* memory) noexcept { mi_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { mi_free(memory); }
#endif
