/* Contacts in the memory of their arbiter, instead of Chipmunk's buffers of the contacts of several steps. */
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_private.h>

typedef struct ContactArbiter {
  cpArbiter arbiter;
  struct cpContact contacts[CP_MAX_CONTACTS_PER_ARBITER];
} ContactArbiter;

struct cpContact* cpArbiterOwnContacts(cpArbiter* arbiter) {
  return ((ContactArbiter*)arbiter)->contacts;
}

/* For cpHashSetInsert(): a new arbiter of two shapes, from the pool. */
static void* take_arbiter(const cpShape** shapes, cpSpace* space) {
  if (space->pooledArbiters->num == 0) {
    const int buffer_count = space->allocatedBuffers->num;
    const int count = 4 << (buffer_count < 9 ? buffer_count / 3 : 3);
    ContactArbiter* buffer = cpcalloc(count, sizeof(ContactArbiter));
    cpArrayPush(space->allocatedBuffers, buffer);
    for (int i = 0; i < count; ++i) cpArrayPush(space->pooledArbiters, &buffer[i].arbiter);
  }
  return cpArbiterInit(cpArrayPop(space->pooledArbiters), (cpShape*)shapes[0], (cpShape*)shapes[1]);
}

/* Fields that the solver sets keep what they had: it sets them before anything reads them. */
void cpArbiterKeepContacts(cpArbiter* arbiter) {
  struct cpContact* own = cpArbiterOwnContacts(arbiter);
  for (int i = 0; i < arbiter->count; ++i) {
    const struct cpContact* found = &arbiter->contacts[i];
    own[i].r1 = found->r1;
    own[i].r2 = found->r2;
    own[i].jnAcc = found->jnAcc;
    own[i].jtAcc = found->jtAcc;
    own[i].hash = found->hash;
  }
  arbiter->contacts = own;
}

cpArbiter* cpSpaceArbiterOf(cpSpace* space, const cpShape* a, const cpShape* b) {
  const cpShape* shapes[] = {a, b};
  const cpHashValue hash = CP_HASH_PAIR((cpHashValue)a, (cpHashValue)b);
  return (cpArbiter*)cpHashSetInsert(space->cachedArbiters, hash, shapes, (cpHashSetTransFunc)take_arbiter, space);
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
