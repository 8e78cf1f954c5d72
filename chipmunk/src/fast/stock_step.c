/* Chipmunk's own cpSpaceStep.c, unchanged. What step.cpp and contacts.c replace in it has other names here. */
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_private.h>

/* A buffer has as many contacts as one of a stock build with 64-bit pointers. That decides when old contacts are
 * overwritten, which Chipmunk may read once more. Only its header is allocated: contacts are with their arbiters. */
#define CONTACTS_OF_A_BUFFER 341
#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES (sizeof(cpContactBufferHeader) + CONTACTS_OF_A_BUFFER * sizeof(struct cpContact))
#define IS_BUFFER(text) (__builtin_strcmp(text, "sizeof(cpContactBuffer)") == 0)
#undef cpcalloc
#define cpcalloc(count, size)                                                                             \
  forkmunk_chipmunk_allocate(IS_BUFFER(#size) ? sizeof(cpContactSlots) : (size_t)(count) * (size), space, \
                             IS_BUFFER(#size) ? FORKMUNK_KIND_CONTACT_SLOTS : forkmunk_kind(#size, __func__))
#undef cpSpaceStep
#define cpSpaceStep cpSpaceStepStock
#define cpSpaceCollideShapes cpSpaceCollideShapesStock
#include <cpSpaceStep.c>

cpFloat cpSpacePower(cpFloat base, cpFloat exponent) { return cpfpow(base, exponent); }
