#ifndef FORKMUNK_FAST_POOLS_H
#define FORKMUNK_FAST_POOLS_H

/// How Chipmunk's pools grow in the space's build: by one element where memory follows a buffer, else into a free
/// chunk, else by a new buffer of a few elements. Chipmunk lists a pool's buffers in an array, `allocatedBuffers`,
/// which serves to free them. Here that is the last buffer, and each buffer begins with the one before it: a chunk of
/// the arena has room for this where an even count of elements, or one of a multiple of 16 bytes, does not fill it.

#include <chipmunk/chipmunk_private.h>

typedef struct cpPoolBuffer {
  struct cpPoolBuffer* before;
} __attribute__((aligned(8))) cpPoolBuffer; /* layout::PoolBuffer; its elements have doubles */

/// Elements that a pool has got.
typedef struct cpPoolElements {
  char* first;
  size_t count;
} cpPoolElements;

/* A power of two near the square root of a count, 2 at least. What a last buffer leaves unused then costs about as much
 * as the headers of all. */
static inline size_t cpPoolRoot(int count) { return (size_t)1 << (33 - __builtin_clz((unsigned int)count | 1)) / 2; }

/// A new buffer of a pool; its elements.
char* cpPoolAdd(cpArray** buffers, const void* owner, int kind, size_t bytes);
/// \param buffers  of the pool, and others. \param count  of elements in new memory.
cpPoolElements cpPoolGrow(cpArray** buffers, const void* owner, int kind, size_t element_bytes, size_t count);
void cpPoolFree(cpArray* buffers);

/* For a source of Chipmunk's, whose pools take CP_BUFFER_BYTES by cpcalloc(), and whose only arrays list buffers: the
 * bytes of what the pool got; and its address, kept since the bytes were asked for. */
static __thread cpPoolElements cpPoolAdded __attribute__((unused));
#define FORKMUNK_POOL_BYTES(owner, kind, type, fresh)                                                             \
  ((cpPoolAdded = cpPoolGrow(&owner->allocatedBuffers, owner, FORKMUNK_KIND_##kind, sizeof(type), fresh)).count * \
   sizeof(type))
#define FORKMUNK_POOL_CALLOC(count, size)                                               \
  (__builtin_strcmp(#size, "CP_BUFFER_BYTES") == 0                                      \
       ? (void*)cpPoolAdded.first                                                       \
       : forkmunk_chipmunk_allocate((size_t)(count) * (size), FORKMUNK_OWNER_OF(#size), \
                                    forkmunk_kind(#size, __func__)))

#endif
