// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_ARENA_ALLOC_ROUTING_H
#define FORKMUNK_ARENA_ALLOC_ROUTING_H

/// The C functions that an arena build of a C library calls instead of calloc, realloc and free.
///
/// New memory comes from the arena that contains `owner`. Without an owner, it comes from the thread's current arena
/// (Arena::enter()), and without a current arena from malloc. The arena that a block came from grows and frees it. The
/// functions are for C and C++. They never throw and never return null: out of memory, they abort with a message.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns `size_bytes` of zeroed memory. \param owner  the object that will use the memory, or null.
/// \param kind  the kind of the allocation for walks over the arena, below arena_alloc::kKindCount.
void* forkmunk_arena_allocate(size_t size_bytes, const void* owner, int kind);
void* forkmunk_arena_realloc(void* block, size_t size_bytes, const void* owner, int kind);
void forkmunk_arena_free(void* block);
/// Call Arena::try_extend() for a block in an arena, and Arena::reusable_bytes() of the arena that contains `owner`.
/// Return 0 for other memory.
int forkmunk_arena_extend(void* block, size_t size_bytes);
size_t forkmunk_arena_reusable_bytes(const void* owner, size_t size_bytes);
/// Returns the bytes that were requested for `block`; 0 if `block` is not an allocation of `kind` in an arena.
size_t forkmunk_arena_bytes(const void* block, int kind);

#ifdef __cplusplus
}
#endif

#endif
