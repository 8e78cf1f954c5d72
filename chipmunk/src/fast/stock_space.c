// SPDX-License-Identifier: MIT
#include "fast/stock_step.h"

#include <forkmunk/chipmunk/defects.h>

#include <string.h>

static __thread unsigned int changes;

unsigned int cpShapeChanges(void) { return changes; }
void cpShapeCountChange(void) { ++changes; }

/* Chipmunk's own cpSpace.c, except for the list of its buffers and names for its static functions. */

#define IS_BUFFERS(array) (__builtin_strcmp(#array, "space->allocatedBuffers") == 0)
#define cpArrayFreeEach(array, free) (IS_BUFFERS(array) ? cpPoolFree(array) : cpArrayFreeEach(array, free))
#define cpArrayFree(array) (IS_BUFFERS(array) ? (void)0 : cpArrayFree(array))
#undef cpSpaceInit
#undef cpSpaceNew
#define cpSpaceInit cpSpaceInitStock
#define cpSpaceNew cpSpaceNewStock
#define cpSpaceSetCollisionPersistence cpSpaceSetCollisionPersistenceStock
#include <cpSpace.c>
#undef cpArrayFreeEach
#undef cpArrayFree
#undef cpSpaceInit
#undef cpSpaceNew
#undef cpSpaceSetCollisionPersistence

cpSpace* cpSpaceInit(cpSpace* space) {
  cpSpaceInitStock(space);
  forkmunk_set_defects(space, FORKMUNK_DEFECTS_NONE);
  cpArrayFree(space->allocatedBuffers);
  space->allocatedBuffers = NULL;
  return space;
}

/* In an arena, the space has the defects of the arena's first space. */
cpSpace* cpSpaceNew(void) {
  cpSpace* space = cpSpaceAlloc();
  const unsigned defects = forkmunk_defects(space);
  cpSpaceInit(space);
  forkmunk_set_defects(space, defects);
  return space;
}

const cpCollisionHandler* cpSpaceWildcardCaller(void) { return &cpCollisionHandlerDefault; }

/* The bookkeeping of the ring of buffers is kept, because stale arbiters depend on it (step.h). */

struct cpContact* cpArbiterOwnContacts(cpArbiter* arbiter) {
  return ((cpContactArbiter*)arbiter)->contacts;
}

static void* new_arbiter(const cpShape** shapes, cpSpace* space) {
  cpArray* pool = space->pooledArbiters;
  if (pool->num == 0) {
    const cpPoolElements added =
        cpPoolGrow(&space->allocatedBuffers, space, FORKMUNK_KIND_CONTACT_ARBITERS, sizeof(cpContactArbiter), 1);
    cpContactArbiter* arbiters = (cpContactArbiter*)added.first;
    for (size_t i = 0; i < added.count; ++i) cpArrayPush(pool, &arbiters[i].arbiter);
  }
  /* Hashes include the fields that the solver sets, so they must not depend on the arbiter's previous use. */
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
                                     (cpHashSetTransFunc)new_arbiter, space);
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
      slots->has_stale = each->has_stale;
    }
  }
  return slots;
}

cpContactSlots* cpSpaceContactSlots(cpSpace* space) {
  cpContactBufferGetArray(space); /* leaves a full buffer */
  return numbered_head(space);
}

void cpSpaceBeginContacts(cpSpace* space) {
  cpSpacePushFreshContactBuffer(space);
  numbered_head(space);
}

void cpSpaceSetHasStale(cpSpace* space, cpBool has_stale) {
  cpContactSlots* head = (cpContactSlots*)space->contactBuffersHead;
  if (!head) return;
  cpContactSlots* each = head;
  do {
    each->has_stale = has_stale;
    each = each->next;
  } while (each != head);
}

/* With a lower persistence, cached arbiters may become stale. */
void cpSpaceSetCollisionPersistence(cpSpace* space, cpTimestamp persistence) {
  if (persistence < space->collisionPersistence) cpSpaceSetHasStale(space, cpTrue);
  space->collisionPersistence = persistence;
}

/* Chipmunk's own cpSpaceStep.c. Functions that step.cpp and collisions.cpp replace are renamed. */

/* The contacts of a stock build with 64-bit pointers, because they decide when old contacts, which Chipmunk may read
 * once more, are overwritten. Only the header is allocated. */
#define CONTACTS_OF_A_BUFFER (sizeof(cpFloat) == sizeof(double) ? 341 : 682)
#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES (sizeof(cpContactBufferHeader) + CONTACTS_OF_A_BUFFER * sizeof(struct cpContact))
#undef cpcalloc
#define cpcalloc(count, size)                                                                                   \
  (__builtin_strcmp(#size, "sizeof(cpContactBuffer)") == 0                                                      \
       ? (void*)cpPoolAdd(&space->allocatedBuffers, space, FORKMUNK_KIND_CONTACT_SLOTS, sizeof(cpContactSlots)) \
       : forkmunk_chipmunk_allocate((size_t)(count) * (size), space, forkmunk_kind(#size, __func__)))
#define cpArrayPush(array, element) \
  (__builtin_strcmp(#array, "space->allocatedBuffers") == 0 ? (void)0 : cpArrayPush(array, element))
#undef cpSpaceStep
#define cpSpaceStep cpSpaceStepStock
#define cpSpaceCollideShapes cpSpaceCollideShapesStock
#include <cpSpaceStep.c>
#undef cpArrayPush
#undef cpSpaceCollideShapes

cpFloat cpSpacePower(cpFloat base, cpFloat exponent) { return cpfpow(base, exponent); }

/* Chipmunk's own cpSpaceComponent.c, except that contacts stay in their arbiter while its bodies sleep, and are filed
 * under their shapes' ids. */

#undef cpcalloc
#undef cpfree
#undef CP_HASH_PAIR
#define cpcalloc(count, bytes) cpArbiterOwnContacts(arb)
#define cpfree(contacts) ((void)(contacts))
#define memcpy memmove /* source and destination may be equal */
#define cpContactBufferGetArray(space) cpArbiterOwnContacts(arb)
#define cpSpacePushContacts(space, count) cpSpaceWriteContacts(space, arb)
#define cpSpaceUncacheArbiter cpSpaceUncacheContacts
#define CP_HASH_PAIR(A, B) cpSpaceContactHash(arb->a, arb->b)
#include <cpSpaceComponent.c>
