/* Contacts in the memory of their arbiter. Stock Chipmunk has them in a ring of buffers, of which it reads those of up
 * to collisionPersistence steps, and copies a sleeping arbiter's out of it. The ring's bookkeeping is kept, without the
 * contacts: an arbiter that is kept for longer reads what was written to its slots since (late_contacts.h). */
#include "fast/pools.h"
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_private.h>
#include <string.h>

struct cpContact* cpArbiterOwnContacts(cpArbiter* arbiter) {
  return ((cpContactArbiter*)arbiter)->contacts;
}

/* For cpHashSetInsert(): a new arbiter of two shapes, from the pool. */
static void* take_arbiter(const cpShape** shapes, cpSpace* space) {
  cpArray* pool = space->pooledArbiters;
  if (pool->num == 0) {
    const cpPoolElements added =
        cpPoolGrow(&space->allocatedBuffers, space, FORKMUNK_KIND_CONTACT_ARBITERS, sizeof(cpContactArbiter), 1);
    cpContactArbiter* arbiters = (cpContactArbiter*)added.first;
    for (size_t i = 0; i < added.count; ++i) cpArrayPush(pool, &arbiters[i].arbiter);
  }
  /* What the solver sets is part of hashes; it must not depend on what the arbiter was before. */
  cpContactArbiter* taken = cpArrayPop(pool);
  memset(taken->contacts, 0, sizeof taken->contacts);
  return cpArbiterInit(&taken->arbiter, (cpShape*)shapes[0], (cpShape*)shapes[1]);
}

static cpCollisionHandler* handler_of(cpSpace* space, cpCollisionType a, cpCollisionType b,
                                      cpCollisionHandler* otherwise) {
  const cpCollisionType types[] = {a, b};
  cpCollisionHandler* found = (cpCollisionHandler*)cpHashSetFind(space->collisionHandlers, CP_HASH_PAIR(a, b), types);
  return found ? found : otherwise;
}

cpPairHandlers cpSpaceFindHandlers(cpSpace* space, cpCollisionType a, cpCollisionType b) {
  cpCollisionHandler* handler = handler_of(space, a, b, &space->defaultHandler);
  const cpBool swapped = a != handler->typeA && handler->typeA != CP_WILDCARD_COLLISION_TYPE;
  cpCollisionHandler* none = &cpCollisionHandlerDoNothing;
  const cpPairHandlers handlers = {handler, handler_of(space, swapped ? b : a, CP_WILDCARD_COLLISION_TYPE, none),
                                   handler_of(space, swapped ? a : b, CP_WILDCARD_COLLISION_TYPE, none), swapped};
  return handlers;
}

cpHashValue cpSpaceContactHash(const cpShape* a, const cpShape* b) { return CP_HASH_PAIR(a->hashid, b->hashid); }

cpArbiter* cpSpaceArbiterOf(cpSpace* space, const cpShape* a, const cpShape* b) {
  const cpShape* shapes[] = {a, b};
  return (cpArbiter*)cpHashSetInsert(space->cachedArbiters, cpSpaceContactHash(a, b), shapes,
                                     (cpHashSetTransFunc)take_arbiter, space);
}

void cpSpaceUncacheContacts(cpSpace* space, cpArbiter* arbiter) {
  const cpShape* shapes[] = {arbiter->a, arbiter->b};
  cpHashSetRemove(space->cachedArbiters, cpSpaceContactHash(arbiter->a, arbiter->b), shapes);
  cpArrayDeleteObj(space->arbiters, arbiter);
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

static cpContactSlots* numbered_head(cpSpace* space) {
  cpContactSlots* slots = (cpContactSlots*)space->contactBuffersHead;
  if (slots->number == 0) {
    slots->number = 1;
    for (cpContactSlots* each = slots->next; each != slots; each = each->next) {
      if (slots->number <= each->number) slots->number = each->number + 1;
      slots->has_late = each->has_late;
    }
  }
  return slots;
}

cpContactSlots* cpSpaceContactSlots(cpSpace* space) {
  cpContactBufferGetArray(space); /* takes the next buffer where this one is full */
  return numbered_head(space);
}

void cpSpaceBeginContacts(cpSpace* space) {
  cpSpacePushFreshContactBuffer(space);
  numbered_head(space);
}

void cpSpaceSetHasLate(cpSpace* space, cpBool has_late) {
  cpContactSlots* head = (cpContactSlots*)space->contactBuffersHead;
  if (!head) return;
  cpContactSlots* each = head;
  do {
    each->has_late = has_late;
    each = each->next;
  } while (each != head);
}

/* Arbiters that the present persistence keeps may become late with a lower one. */
void cpSpaceSetCollisionPersistence(cpSpace* space, cpTimestamp persistence) {
  if (persistence < space->collisionPersistence) cpSpaceSetHasLate(space, cpTrue);
  space->collisionPersistence = persistence;
}
