// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_TESTS_OWNED_ALLOCATION_H
#define FORKMUNK_TESTS_OWNED_ALLOCATION_H

/// Included before each of Chipmunk's sources in the build of this folder: what it allocates is freed with its scene.

#include <stddef.h>

#ifdef __cplusplus
#include <unordered_set>

namespace forkmunk::space {

/// The C library's memory for a scene, freed with it.
struct OwnedMemory {
  OwnedMemory() = default;
  OwnedMemory(const OwnedMemory&) = delete;
  OwnedMemory& operator=(const OwnedMemory&) = delete;
  ~OwnedMemory();

  std::unordered_set<void*> blocks;
};
/// That of the scene at work; null: allocations are not noted.
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
