/* Chipmunk's own cpSpaceStep.c, unchanged, with its cpSpaceStep() under another name: step.cpp has that function. What
 * is static in Chipmunk's file, and the step needs, gets its name here. */
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_private.h>

/* Buffers of contacts have one size: it decides when old contacts are overwritten, which Chipmunk may read once more.
 */
#ifdef FORKMUNK_GROWING_POOLS
#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES FORKMUNK_CONTACT_BUFFER_BYTES
#endif
#undef cpSpaceStep
#define cpSpaceStep cpSpaceStepStock
#include <cpSpaceStep.c>

cpFloat cpSpacePower(cpFloat base, cpFloat exponent) { return cpfpow(base, exponent); }

cpArbiter* cpSpaceArbiterOf(cpSpace* space, const cpShape* a, const cpShape* b) {
  const cpShape* shapes[] = {a, b};
  const cpHashValue hash = CP_HASH_PAIR((cpHashValue)a, (cpHashValue)b);
  return (cpArbiter*)cpHashSetInsert(space->cachedArbiters, hash, shapes, (cpHashSetTransFunc)cpSpaceArbiterSetTrans,
                                     space);
}

void cpSpaceClearPooledArbiters(cpSpace* space, int first) {
  for (int i = first; i < space->pooledArbiters->num; ++i) {
    cpArbiter* arbiter = space->pooledArbiters->arr[i];
    arbiter->a = arbiter->b = NULL;
    arbiter->body_a = arbiter->body_b = NULL;
    arbiter->handler = arbiter->handlerA = arbiter->handlerB = NULL;
    arbiter->data = NULL;
  }
}
