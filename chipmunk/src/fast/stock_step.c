/* Chipmunk's own cpSpaceStep.c, unchanged. What step.cpp and contacts.c replace in it has other names here. */
#include "fast/stock_step.h"

#include "fast/pools.h"

/* A buffer has as many contacts as one of a stock build with 64-bit pointers. That decides when old contacts are
 * overwritten, which Chipmunk may read once more. Only its header is allocated: contacts are with their arbiters. */
#define CONTACTS_OF_A_BUFFER 341
#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES (sizeof(cpContactBufferHeader) + CONTACTS_OF_A_BUFFER * sizeof(struct cpContact))
#undef cpcalloc
#define cpcalloc(count, size)                                                                                   \
  (__builtin_strcmp(#size, "sizeof(cpContactBuffer)") == 0                                                      \
       ? (void*)cpPoolAdd(&space->allocatedBuffers, space, FORKMUNK_KIND_CONTACT_SLOTS, sizeof(cpContactSlots)) \
       : forkmunk_chipmunk_allocate((size_t)(count) * (size), space, forkmunk_kind(#size, __func__)))
#define cpArrayPush(array, element) \
  (__builtin_strcmp(#array, "space->allocatedBuffers") == 0 ? (void)0 : cpArrayPush(array, element))
#undef cpSpaceStep
#define cpSpaceStep cpSpaceStepStock
#define cpSpaceCollideShapes cpSpaceCollideShapesStock
#include <cpSpaceStep.c>

cpFloat cpSpacePower(cpFloat base, cpFloat exponent) { return cpfpow(base, exponent); }
