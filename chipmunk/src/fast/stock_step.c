/* Chipmunk's own cpSpaceStep.c, unchanged. What step.cpp and contacts.c replace in it gets other names here. */
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_private.h>

#undef cpSpaceStep
#define cpSpaceStep cpSpaceStepStock
/* Contacts lie with their arbiters (contacts.c): there are no buffers of contacts. */
#define cpSpacePushFreshContactBuffer cpSpacePushFreshContactBufferStock
#define cpContactBufferGetArray cpContactBufferGetArrayStock
#define cpSpacePushContacts cpSpacePushContactsStock
#define cpSpaceCollideShapes cpSpaceCollideShapesStock
#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES 1024
#include <cpSpaceStep.c>
