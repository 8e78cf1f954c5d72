// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_TESTS_OWNED_ALLOCATION_H
#define FORKMUNK_TESTS_OWNED_ALLOCATION_H

/// Replaces the allocator of Chipmunk's sources in this folder.

#include <stddef.h>

#ifdef __cplusplus
#include <unordered_set>

namespace forkmunk::space {

struct OwnedMemory {
  OwnedMemory() = default;
  OwnedMemory(const OwnedMemory&) = delete;
  OwnedMemory& operator=(const OwnedMemory&) = delete;
  ~OwnedMemory();

  std::unordered_set<void*> blocks;
};
/// The present scene's memory, or null.
extern thread_local OwnedMemory* owned_memory;

}  // namespace forkmunk::space

extern "C" {
#endif
void* owned_calloc(size_t count, size_t size_bytes);
void* owned_realloc(void* block, size_t size_bytes);
void owned_free(void* block);
#ifdef __cplusplus
}
#else
#define cpcalloc owned_calloc
#define cprealloc owned_realloc
#define cpfree owned_free
#endif

#endif
