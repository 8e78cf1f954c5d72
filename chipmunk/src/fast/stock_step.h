// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_FAST_STOCK_STEP_H
#define FORKMUNK_FAST_STOCK_STEP_H

/// What the step calls of Chipmunk beyond its public functions, defined in stock_*.c: each includes a source of
/// Chipmunk, unchanged but for redefined names, and adds functions that need what is static in it.
///
/// chipmunk_private.h, which declares most of this, is no C++ with hashes of 32 bits. C sources include both, so that
/// they cannot differ.

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Counts the calls, on this thread, of functions that change what collision tests read of shapes and joints
/// (space/src/wrapped_functions.cpp).
unsigned int cpShapeChanges(void);
void cpShapeCountChange(void);

/// The header of a contact buffer, without its contacts, and an arbiter with its own contacts (layout::ContactSlots and
/// ContactArbiter).
typedef struct cpContactSlots {
  cpTimestamp stamp;
  struct cpContactSlots* next;
  unsigned int contact_count, number : 31, has_stale : 1;
} cpContactSlots;
typedef struct cpContactArbiter {
  cpArbiter arbiter;
  struct cpContact contacts[CP_MAX_CONTACTS_PER_ARBITER];
} cpContactArbiter;

/// Returns whether a space is the only one of its arena that cpSpaceNew() made.
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
/// Sets `has_stale` of all buffers.
void cpSpaceSetHasStale(cpSpace* space, cpBool has_stale);
/// An arbiter's own memory for contacts.
struct cpContact* cpArbiterOwnContacts(cpArbiter* arbiter);
/// Writes an arbiter's contacts to the next slots, as Chipmunk does when its bodies wake.
void cpSpaceWriteContacts(cpSpace* space, cpArbiter* arbiter);
/// Returns the hash of a cached arbiter: of ids, because addresses would give callbacks another order in each process.
cpHashValue cpSpaceContactHash(const cpShape* a, const cpShape* b);
/// As Chipmunk's cpSpaceUncacheArbiter().
void cpSpaceUncacheContacts(cpSpace* space, cpArbiter* arbiter);
/// Clears the pointers of the pooled arbiters from `first` on: what they led to may be freed.
void cpSpaceClearPooledArbiters(cpSpace* space, int first);
/// The arbiter of two shapes in the order of their types, a new one if they have not met.
cpArbiter* cpSpaceArbiterOf(cpSpace* space, const cpShape* a, const cpShape* b);

/* The bounding-box tree, whose structs are private to cpBBTree.c. */

typedef struct Node cpBBTreeLeaf;

/// Two shapes whose fattened boxes overlap.
typedef struct cpBBTreeCandidate {
  cpShape* a;
  cpShape* b;
  cpCollisionID* kept;  ///< The id of the pair in the tree; null for a new pair, whose test's id is not stored.
  cpCollisionID id;     ///< The id that the pair's last test returned; 0 for a new pair.
} cpBBTreeCandidate;

/// Memory for the walk of a tree: the caller's. grow() doubles the capacity of either array and keeps the content.
typedef struct cpBBTreeWalk {
  cpBBTreeLeaf** leaves;
  cpShape** shapes;
  size_t leaf_count, leaf_capacity;
  cpBBTreeCandidate* candidates;
  size_t candidate_count, candidate_capacity;
  void (*grow_leaves)(struct cpBBTreeWalk* walk);
  void (*grow_candidates)(struct cpBBTreeWalk* walk);
} cpBBTreeWalk;

/// Returns whether a space's index of moving shapes is a tree, and its index of static shapes too.
cpBool cpBBTreeHasTrees(cpSpatialIndex* index);

/// Fills walk->leaves in the order in which cpSpatialIndexEach() visits the shapes, and walk->shapes with their shapes.
void cpBBTreeCollectLeaves(cpSpatialIndex* index, cpBBTreeWalk* walk);

/// The first half of cpSpatialIndexReindexQuery(): moves leaves, makes pairs, and collects the calls that it makes, in
/// its order. Nothing that these calls may do to a locked space changes the tree. \pre cpBBTreeCollectLeaves().
void cpBBTreeCollectCandidates(cpSpatialIndex* index, cpBBTreeWalk* walk);

/// The end of cpSpatialIndexReindexQuery(), after the calls.
void cpBBTreeEndQuery(cpSpatialIndex* index);

/// cpSpatialIndexSegmentQuery() of a tree, for a segment with a radius. `exit` counts as met. \return false if the
/// index is no tree; nothing is visited then.
cpBool cpBBTreeSegmentQueryWithRadius(cpSpatialIndex* index, void* object, cpVect a, cpVect b, cpFloat radius,
                                      cpFloat exit, cpSpatialIndexSegmentQueryFunc function, void* data);

/* The spatial hash. */

/// The defects of the spatial hashes that this thread makes next.
void cpSpaceHashSetDefects(unsigned defects);
/// Lets the next query of a spatial hash visit what a query that is not yet finished has visited. Other indices stay as
/// they are.
void cpSpaceHashBeginQuery(cpSpatialIndex* index);

#ifdef __cplusplus
}
#else

/// How Chipmunk's pools grow in the space's build: by one element where memory follows a buffer, else into a free
/// chunk, else by a new buffer of a few elements. Chipmunk lists a pool's buffers in an array, `allocatedBuffers`,
/// which serves to free them. Here that is the last buffer, and each buffer begins with the one before it: a chunk of
/// the arena has room for this where an even count of elements, or one of a multiple of 16 bytes, does not fill it.

#include <chipmunk/chipmunk_private.h>

typedef struct cpPoolBuffer {
  struct cpPoolBuffer* before;
} __attribute__((aligned(8))) cpPoolBuffer; /* layout::PoolBuffer; its elements have doubles */

/// Elements that a pool has got.
typedef struct cpPoolElements {
  char* first;
  size_t count;
} cpPoolElements;

/* A power of two near the square root of a count, 2 at least. What a last buffer leaves unused then costs about as much
 * as the headers of all. */
static inline size_t cpPoolRoot(int count) { return (size_t)1 << (33 - __builtin_clz((unsigned int)count | 1)) / 2; }

/// A new buffer of a pool; its elements.
char* cpPoolAdd(cpArray** buffers, const void* owner, int kind, size_t bytes);
/// \param buffers  of the pool, and others. \param count  of elements in new memory.
cpPoolElements cpPoolGrow(cpArray** buffers, const void* owner, int kind, size_t element_bytes, size_t count);
void cpPoolFree(cpArray* buffers);

/* For a source of Chipmunk's, whose pools take CP_BUFFER_BYTES by cpcalloc(), and whose only arrays list buffers: the
 * bytes of what the pool got; and its address, kept since the bytes were asked for. */
static __thread cpPoolElements cpPoolAdded __attribute__((unused));
#define FORKMUNK_POOL_BYTES(owner, kind, type, fresh)                                                             \
  ((cpPoolAdded = cpPoolGrow(&owner->allocatedBuffers, owner, FORKMUNK_KIND_##kind, sizeof(type), fresh)).count * \
   sizeof(type))
#define FORKMUNK_POOL_CALLOC(count, size)                                               \
  (__builtin_strcmp(#size, "CP_BUFFER_BYTES") == 0                                      \
       ? (void*)cpPoolAdded.first                                                       \
       : forkmunk_chipmunk_allocate((size_t)(count) * (size), FORKMUNK_OWNER_OF(#size), \
                                    forkmunk_kind(#size, __func__)))

#endif

#endif
