#ifndef FORKMUNK_FAST_STOCK_STEP_H
#define FORKMUNK_FAST_STOCK_STEP_H

/// What the step calls of Chipmunk beyond its public functions. chipmunk_private.h, where most of it is declared, is no
/// C++ with hashes of 32 bits; stock_step.c includes both, so that they cannot differ.

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

#ifdef __cplusplus
extern "C" {
#endif

/// This thread's calls of functions that change what collision tests read of shapes and joints: how many there were,
/// and one more (space/src/plain_shapes.cpp).
unsigned int cpShapeChanges(void);
void cpShapeCountChange(void);

/// A buffer of contacts without contacts, and an arbiter with its own (layout::ContactSlots and ContactArbiter).
typedef struct cpContactSlots {
  cpTimestamp stamp;
  struct cpContactSlots* next;
  unsigned int contact_count, number : 31, has_late : 1;
} cpContactSlots;
typedef struct cpContactArbiter {
  cpArbiter arbiter;
  struct cpContact contacts[CP_MAX_CONTACTS_PER_ARBITER];
} cpContactArbiter;

/// Whether a space is the only one of its arena that cpSpaceNew() made.
cpBool forkmunk_chipmunk_is_alone(const cpSpace* space);

/// pow() of the build: keeps its last results, which the joints ask for again.
cpFloat cpSpacePower(cpFloat base, cpFloat exponent);

typedef cpBool (*cpHashSetFilterFunc)(void* element, void* data);
void cpHashSetFilter(cpHashSet* set, cpHashSetFilterFunc function, void* data);
int cpHashSetCount(cpHashSet* set);
extern cpCollisionHandler cpCollisionHandlerDoNothing;
void cpArbiterUnthread(cpArbiter* arbiter);
void cpArbiterPreStep(cpArbiter* arbiter, cpFloat dt, cpFloat slop, cpFloat bias);
void cpArbiterApplyCachedImpulse(cpArbiter* arbiter, cpFloat dt_ratio);
void cpArbiterApplyImpulse(cpArbiter* arbiter);
void cpSpaceProcessComponents(cpSpace* space, cpFloat dt);
cpBool cpSpaceArbiterSetFilter(cpArbiter* arbiter, cpSpace* space);
void cpSpaceLock(cpSpace* space);
void cpSpaceUnlock(cpSpace* space, cpBool run_post_step);
void cpShapeUpdateFunc(cpShape* shape, void* unused);
struct cpCollisionInfo cpCollide(const cpShape* a, const cpShape* b, cpCollisionID id, struct cpContact* contacts);
void cpArrayPush(cpArray* array, void* item);
typedef void (*cpHashSetIteratorFunc)(void* element, void* data);
void cpHashSetEach(cpHashSet* set, cpHashSetIteratorFunc function, void* data);

/// The functions of a handler that the user has not set, or has not set all functions of: they call those of the two
/// types' wildcard handlers.
const cpCollisionHandler* cpSpaceWildcardCaller(void);

/// The handlers of two shapes, as cpArbiterUpdate() finds them.
typedef struct cpPairHandlers {
  cpCollisionHandler *handler, *a, *b;
  cpBool swapped;
} cpPairHandlers;
cpPairHandlers cpSpaceFindHandlers(cpSpace* space, cpCollisionType a, cpCollisionType b);

/// Takes the buffer that a step's first contacts go to.
void cpSpaceBeginContacts(cpSpace* space);
/// The buffer that two more contacts go to.
cpContactSlots* cpSpaceContactSlots(cpSpace* space);
/// Sets `has_late` of all buffers.
void cpSpaceSetHasLate(cpSpace* space, cpBool has_late);
/// An arbiter's own memory for contacts.
struct cpContact* cpArbiterOwnContacts(cpArbiter* arbiter);
/// Writes an arbiter's contacts to the next slots, as Chipmunk does when its bodies wake.
void cpSpaceWriteContacts(cpSpace* space, cpArbiter* arbiter);
/// What a contact is filed under: ids, as addresses would give callbacks another order in each process.
cpHashValue cpSpaceContactHash(const cpShape* a, const cpShape* b);
/// As Chipmunk's cpSpaceUncacheArbiter().
void cpSpaceUncacheContacts(cpSpace* space, cpArbiter* arbiter);
/// Clears the pointers of the pooled arbiters from `first` on: what they led to may be freed.
void cpSpaceClearPooledArbiters(cpSpace* space, int first);
/// The arbiter of two shapes in the order of their types, a new one if they have not met.
cpArbiter* cpSpaceArbiterOf(cpSpace* space, const cpShape* a, const cpShape* b);

#ifdef __cplusplus
}
#endif

#endif
