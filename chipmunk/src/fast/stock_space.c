/* Chipmunk's own cpSpace.c, unchanged, with a name for what is static in it. */
#include "fast/stock_step.h"

#include <cpSpace.c>

const cpCollisionHandler* cpSpaceWildcardCaller(void) { return &cpCollisionHandlerDefault; }
