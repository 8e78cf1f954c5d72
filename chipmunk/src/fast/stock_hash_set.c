/* Chipmunk's own cpHashSet.c, unchanged, but for the growth of its pool. */
#include "fast/pools.h"

#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES FORKMUNK_POOL_BYTES(set, POOLED_BINS, cpHashSetBin, cpPoolRoot((int)set->entries))
#undef cpcalloc
#define cpcalloc FORKMUNK_POOL_CALLOC
#define cpArrayNew(size) NULL
#define cpArrayPush(buffers, buffer) ((void)(buffer))
#define cpArrayFreeEach(buffers, free) cpPoolFree(buffers)
#define cpArrayFree(buffers) ((void)0)
#include <cpHashSet.c>
