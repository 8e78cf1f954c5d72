/* Chipmunk's own cpSpaceStep.c, unchanged, with its cpSpaceStep() under another name: step.cpp has that function. What is
 * static in Chipmunk's file, and the step needs, gets its name here. */
#include <chipmunk/chipmunk_private.h>

#include "fast/stock_step.h"

#undef cpSpaceStep
#define cpSpaceStep cpSpaceStepStock
#include <cpSpaceStep.c>

cpFloat cpSpacePower(cpFloat base, cpFloat exponent) { return cpfpow(base, exponent); }

cpArbiter* cpSpaceArbiterOf(cpSpace* space, const cpShape* a, const cpShape* b) {
  const cpShape* shapes[] = {a, b};
  const cpHashValue hash = CP_HASH_PAIR((cpHashValue)a, (cpHashValue)b);
  return (cpArbiter*)cpHashSetInsert(space->cachedArbiters, hash, shapes, (cpHashSetTransFunc)cpSpaceArbiterSetTrans, space);
}
