/* Chipmunk's own cpSpace.c, unchanged, with a name for what is static in it. */
#include <cpSpace.c>

#include "fast/stock_step.h"

const cpCollisionHandler* cpSpaceWildcardCaller(void) { return &cpCollisionHandlerDefault; }
