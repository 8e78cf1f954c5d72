// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_FAST_STOCK_STEP_H
#define FORKMUNK_FAST_STOCK_STEP_H

/// The private functions of Chipmunk that the step calls. Each stock_*.c includes a source of Chipmunk, unchanged
/// except for redefined names, and adds functions that need its static parts.
///
/// C++ cannot compile chipmunk_private.h with hashes of 32 bits. C sources include both headers, so they cannot differ.

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Count, on this thread, the changes of data that collision tests read (space/src/wrapped_functions.cpp).
unsigned int cpShapeChanges(void);
void cpShapeCountChange(void);

typedef struct cpContactSlots {
  cpTimestamp stamp;
  struct cpContactSlots* next;
  unsigned int contact_count, number : 31, has_stale : 1;
} cpContactSlots;
typedef struct cpContactArbiter {
  cpArbiter arbiter;
  struct cpContact contacts[CP_MAX_CONTACTS_PER_ARBITER];
#ifdef FORKMUNK_SINGLE
  unsigned int buffer, slot;
#endif
} cpContactArbiter;

/// Returns whether a space is the only one of its arena that cpSpaceNew() made.
cpBool forkmunk_chipmunk_is_alone(const cpSpace* space);

/// Keeps the last results of the build's pow(): joints need them again.
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

/// Returns the default handler's functions, which call the wildcard handlers'.
const cpCollisionHandler* cpSpaceWildcardCaller(void);

typedef struct cpPairHandlers {
  cpCollisionHandler *handler, *a, *b;
  cpBool swapped;
} cpPairHandlers;
cpPairHandlers cpSpaceFindHandlers(cpSpace* space, cpCollisionType a, cpCollisionType b);

void cpSpaceBeginContacts(cpSpace* space);
/// Has room for two more contacts.
cpContactSlots* cpSpaceContactSlots(cpSpace* space);
void cpSpaceSetHasStale(cpSpace* space, cpBool has_stale);
struct cpContact* cpArbiterOwnContacts(cpArbiter* arbiter);
/// Writes an arbiter's contacts to the next slots, as Chipmunk does when its bodies wake.
void cpSpaceWriteContacts(cpSpace* space, cpArbiter* arbiter);
/// Hashes ids: addresses would give callbacks another order in each process.
cpHashValue cpSpaceContactHash(const cpShape* a, const cpShape* b);
void cpSpaceUncacheContacts(cpSpace* space, cpArbiter* arbiter);
/// Clears the pointers, whose targets may be freed, of the pooled arbiters from `first` on.
void cpSpaceClearPooledArbiters(cpSpace* space, int first);
/// Makes an arbiter if the shapes have not met. \pre the shapes are in the order of their types.
cpArbiter* cpSpaceArbiterOf(cpSpace* space, const cpShape* a, const cpShape* b);

typedef struct Node cpBBTreeLeaf;

typedef struct cpBBTreeCandidate {
  cpShape* a;
  cpShape* b;
  /// Null for a new pair, because the id of its test is not stored.
  cpCollisionID* kept;
  cpCollisionID id;  ///< The id of the pair's last test; 0 for a new pair.
} cpBBTreeCandidate;

/// The caller's memory for the walk of a tree. The functions double the arrays and keep their content.
typedef struct cpBBTreeWalk {
  cpBBTreeLeaf** leaves;
  cpShape** shapes;
  size_t leaf_count, leaf_capacity;
  cpBBTreeCandidate* candidates;
  size_t candidate_count, candidate_capacity;
  void (*grow_leaves)(struct cpBBTreeWalk* walk);
  void (*grow_candidates)(struct cpBBTreeWalk* walk);
} cpBBTreeWalk;

cpBool cpBBTreeHasTrees(cpSpatialIndex* index);

/// Fills walk->leaves and walk->shapes in the order of cpSpatialIndexEach().
void cpBBTreeCollectLeaves(cpSpatialIndex* index, cpBBTreeWalk* walk);

/// Runs the first half of cpSpatialIndexReindexQuery(): moves leaves, makes pairs, and collects its calls in its order.
/// These calls cannot change the tree of a locked space. \pre cpBBTreeCollectLeaves().
void cpBBTreeCollectCandidates(cpSpatialIndex* index, cpBBTreeWalk* walk);

void cpBBTreeEndQuery(cpSpatialIndex* index);

/// Includes shapes that the segment's radius reaches, and shapes at `exit`. \return false, with nothing visited, if the
/// index is not a tree.
cpBool cpBBTreeSegmentQueryWithRadius(cpSpatialIndex* index, void* object, cpVect a, cpVect b, cpFloat radius,
                                      cpFloat exit, cpSpatialIndexSegmentQueryFunc function, void* data);

/// Sets the defects of the spatial hashes that this thread makes next.
void cpSpaceHashSetDefects(unsigned defects);
/// Lets the next query visit shapes that an unfinished query of a spatial hash has visited.
void cpSpaceHashBeginQuery(cpSpatialIndex* index);
/// Lets the queries of a spatial hash visit all bins until the next call. Returns whether queries did so before.
cpBool cpSpaceHashVisitAllBins(cpSpatialIndex* index, cpBool all);

#ifdef __cplusplus
}
#else

/// Pools grow by one element if memory follows a buffer, otherwise into a free chunk, otherwise by a new buffer of a
/// few elements. `allocatedBuffers` points to the last buffer, and each buffer begins with a pointer to the previous
/// one. Its chunk has room for this pointer if an even count of elements, or one of a multiple of 16 bytes, does not
/// fill it.

#include <chipmunk/chipmunk_private.h>

typedef struct cpPoolBuffer {
  struct cpPoolBuffer* before;
} __attribute__((aligned(8))) cpPoolBuffer; /* layout::PoolBuffer; its elements have doubles */

typedef struct cpPoolElements {
  char* first;
  size_t count;
} cpPoolElements;

/* A power of two near the square root of a count, at least 2. Then the unused rest of a last buffer costs about as much
 * as the headers of all buffers. */
static inline size_t cpPoolRoot(int count) { return (size_t)1 << (33 - __builtin_clz((unsigned int)count | 1)) / 2; }

/// Returns the elements of a new buffer.
char* cpPoolAdd(cpArray** buffers, const void* owner, int kind, size_t bytes);
/// \param buffers  the pool's, and others. \param count  the elements in new memory.
cpPoolElements cpPoolGrow(cpArray** buffers, const void* owner, int kind, size_t element_bytes, size_t count);
void cpPoolFree(cpArray* buffers);

/* The bytes that a pool got, and their address, kept after the size was asked for: for a source whose pools get
 * CP_BUFFER_BYTES by cpcalloc(), and whose only arrays list buffers. */
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
