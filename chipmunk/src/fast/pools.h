#ifndef FORKMUNK_FAST_POOLS_H
#define FORKMUNK_FAST_POOLS_H

/// How Chipmunk's pools grow in the space's build: by one element where memory follows a buffer, else into a free
/// chunk, else by a new buffer of a few elements.

#include <chipmunk/chipmunk_private.h>

/// Elements that a pool has got.
typedef struct cpPoolElements {
  char* first;
  size_t count;
} cpPoolElements;

/* A power of two near the square root of a count. What a last buffer leaves unused then costs about as much as the
 * headers of all. */
static inline size_t cpPoolRoot(int count) { return (size_t)1 << (33 - __builtin_clz((unsigned int)count | 1)) / 2; }

/// \param buffers  of the pool, and others. \param count  of elements in new memory.
static inline cpPoolElements cpPoolGrow(cpArray* buffers, int kind, size_t element_bytes, size_t count) {
  enum { kBuffersTried = 4 };
  for (int i = buffers->num - 1; i >= 0 && i >= buffers->num - kBuffersTried; --i) {
    char* const buffer = (char*)buffers->arr[i];
    const size_t bytes = forkmunk_arena_bytes(buffer, kind);
    if (bytes != 0 && forkmunk_arena_extend(buffer, bytes + element_bytes)) {
      const cpPoolElements added = {buffer + bytes, 1};
      return added;
    }
  }
  const size_t reusable = forkmunk_arena_reusable_bytes(buffers, element_bytes) / element_bytes;
  if (reusable != 0 && reusable < count) count = reusable;
  const cpPoolElements added = {(char*)forkmunk_chipmunk_allocate(count * element_bytes, buffers, kind), count};
  cpArrayPush(buffers, added.first);
  return added;
}

/* For a source of Chipmunk's, whose pools take CP_BUFFER_BYTES by cpcalloc() and list them by cpArrayPush(): the bytes
 * of what the pool got, which is listed; and its address, kept since the bytes were asked for. */
static __thread cpPoolElements cpPoolAdded __attribute__((unused));
#define FORKMUNK_POOL_BYTES(buffers, kind, type, fresh) \
  ((cpPoolAdded = cpPoolGrow(buffers, FORKMUNK_KIND_##kind, sizeof(type), fresh)).count * sizeof(type))
#define FORKMUNK_POOL_CALLOC(count, size)                                               \
  (__builtin_strcmp(#size, "CP_BUFFER_BYTES") == 0                                      \
       ? (void*)cpPoolAdded.first                                                       \
       : forkmunk_chipmunk_allocate((size_t)(count) * (size), FORKMUNK_OWNER_OF(#size), \
                                    forkmunk_kind(#size, __func__)))

#endif
