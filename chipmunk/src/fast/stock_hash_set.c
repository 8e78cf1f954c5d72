/* Chipmunk's own cpHashSet.c, unchanged, but for the growth of its pool. An odd count of bins fills a chunk of the
 * arena. */
#include "fast/pools.h"

#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES \
  FORKMUNK_POOL_BYTES(set->allocatedBuffers, HASH_SET_BINS, cpHashSetBin, cpPoolRoot((int)set->entries) | 1)
#undef cpcalloc
#define cpcalloc FORKMUNK_POOL_CALLOC
#define cpArrayPush(buffers, buffer) ((void)(buffer))
#include <cpHashSet.c>
