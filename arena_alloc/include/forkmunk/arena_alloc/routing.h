#ifndef FORKMUNK_ARENA_ALLOC_ROUTING_H
#define FORKMUNK_ARENA_ALLOC_ROUTING_H

/// The C functions that an arena build of a C library calls instead of calloc, realloc and free.
///
/// They work on the arena that Arena::make_current() named on this thread. Included by C and by C++.
/// They never throw and never return null: a full arena aborts, saying so.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void* forkmunk_arena_calloc(size_t count, size_t size_bytes);
void* forkmunk_arena_realloc(void* block, size_t size_bytes);
void forkmunk_arena_free(void* block);

#ifdef __cplusplus
}
#endif

#endif
