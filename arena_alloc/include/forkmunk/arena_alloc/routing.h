#ifndef FORKMUNK_ARENA_ALLOC_ROUTING_H
#define FORKMUNK_ARENA_ALLOC_ROUTING_H

/// The C functions that an arena build of a C library calls instead of calloc, realloc and free.
///
/// New memory belongs to the arena that `owner` lies in; without an owner to the one that is current on this thread
/// (Arena::enter()); and to malloc where neither is there. What was allocated is grown and freed where it is.
/// Included by C and by C++. They never throw and never return null: without memory they abort, saying so.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `size_bytes` of zeroed memory. \param owner  the object that it is for, or null. \param kind  what walks over the
/// arena are told of it: below arena_alloc::kKindCount.
void* forkmunk_arena_allocate(size_t size_bytes, const void* owner, int kind);
void* forkmunk_arena_realloc(void* block, size_t size_bytes, const void* owner, int kind);
void forkmunk_arena_free(void* block);

#ifdef __cplusplus
}
#endif

#endif
