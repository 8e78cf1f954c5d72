/* Chipmunk's own cpSpace.c, unchanged, but for the list of its buffers, and with a name for what is static in it.
 * contacts.c replaces one function. */
#include "fast/pools.h"
#include "fast/stock_step.h"

#define IS_BUFFERS(array) (__builtin_strcmp(#array, "space->allocatedBuffers") == 0)
#define cpArrayFreeEach(array, free) (IS_BUFFERS(array) ? cpPoolFree(array) : cpArrayFreeEach(array, free))
#define cpArrayFree(array) (IS_BUFFERS(array) ? (void)0 : cpArrayFree(array))
#undef cpSpaceInit
#undef cpSpaceNew
#define cpSpaceInit cpSpaceInitStock
#define cpSpaceNew cpSpaceNewStock
#define cpSpaceSetCollisionPersistence cpSpaceSetCollisionPersistenceStock
#include <cpSpace.c>
#undef cpArrayFree
#undef cpSpaceInit
#undef cpSpaceNew

cpSpace* cpSpaceInit(cpSpace* space) {
  cpSpaceInitStock(space);
  cpArrayFree(space->allocatedBuffers);
  space->allocatedBuffers = NULL;
  return space;
}

cpSpace* cpSpaceNew(void) { return cpSpaceInit(cpSpaceAlloc()); }

const cpCollisionHandler* cpSpaceWildcardCaller(void) { return &cpCollisionHandlerDefault; }
