/* Chipmunk's own cpSpace.c, unchanged, with a name for what is static in it. contacts.c replaces one function. */
#include "fast/stock_step.h"

#define cpSpaceSetCollisionPersistence cpSpaceSetCollisionPersistenceStock
#include <cpSpace.c>

const cpCollisionHandler* cpSpaceWildcardCaller(void) { return &cpCollisionHandlerDefault; }
