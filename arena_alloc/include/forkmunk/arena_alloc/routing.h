// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_ARENA_ALLOC_ROUTING_H
#define FORKMUNK_ARENA_ALLOC_ROUTING_H

/// The C functions that an arena build of a C library calls instead of calloc, realloc and free.
///
/// New memory comes from the arena that contains `owner`, else from the thread's current arena (Arena::enter()), else
/// from malloc. A block's own arena grows and frees the block. The functions never throw and never return null: out of
/// memory, they abort with a message.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns zeroed memory. \param owner  the object that will use the memory, or null. \param kind  for walks over the
/// arena, below arena_alloc::kKindCount.
void* forkmunk_arena_allocate(size_t size_bytes, const void* owner, int kind);
void* forkmunk_arena_realloc(void* block, size_t size_bytes, const void* owner, int kind);
void forkmunk_arena_free(void* block);
/// Call Arena::try_extend() for a block in an arena, and Arena::reusable_bytes() of the owner's arena; 0 for other
/// memory.
int forkmunk_arena_extend(void* block, size_t size_bytes);
size_t forkmunk_arena_reusable_bytes(const void* owner, size_t size_bytes);
/// Returns the requested bytes; 0 unless `block` is an allocation of `kind` in an arena.
size_t forkmunk_arena_bytes(const void* block, int kind);

#ifdef __cplusplus
}
#endif

#endif
