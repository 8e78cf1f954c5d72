/* Chipmunk's own cpSpaceStep.c, unchanged, with its cpSpaceStep() under another name: step.cpp has that function. What is
 * static in Chipmunk's file, and the step needs, gets its name here. */
#include <chipmunk/chipmunk_private.h>

#include "fast/stock_step.h"

#undef cpSpaceStep
#define cpSpaceStep cpSpaceStepStock
#include <cpSpaceStep.c>
