// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_CHIPMUNK_ALLOCATION_H
#define FORKMUNK_CHIPMUNK_ALLOCATION_H

/// Chipmunk's three allocation macros, which arena builds include before each of Chipmunk's sources. They derive an
/// allocation's kind at compile time from the text of the size argument and the name of the calling function. The owner
/// is the variable that FORKMUNK_OWNER names (cmake/chipmunk), or a file-wide null of this name.

#include <forkmunk/arena_alloc/routing.h>
#include <forkmunk/chipmunk/allocation_kinds.h>

#include <string.h>

#ifdef FORKMUNK_OWNER
static void* const FORKMUNK_OWNER __attribute__((unused)) = 0;
#else
#define FORKMUNK_OWNER 0
#endif

#ifdef FORKMUNK_GROWING_POOLS
/* The size of the next buffer of a spatial hash's pools: about a quarter of the pool. cpPoolGrow() grows the others. */
static inline __attribute__((always_inline, unused)) size_t forkmunk_pool_bytes(int buffers) {
  return buffers < 20 ? ((size_t)256 << buffers / 4) - 8 : 4096 - 8;
}
#define CP_BUFFER_BYTES forkmunk_pool_bytes(FORKMUNK_OWNER->allocatedBuffers->num)
#endif

static inline __attribute__((always_inline, unused)) int forkmunk_kind(const char* size, const char* function) {
#define FORKMUNK_IS(text, kind) \
  if (__builtin_strcmp(size, text) == 0) return FORKMUNK_KIND_##kind;
/* The compiled name, with the build's prefix for functions with external linkage. */
#define FORKMUNK_NAME(name) #name
#define FORKMUNK_IN(name, kind) \
  if (__builtin_strcmp(function, FORKMUNK_NAME(name)) == 0) return FORKMUNK_KIND_##kind;
  FORKMUNK_IS("sizeof(cpSpace)", SPACE)
  FORKMUNK_IS("sizeof(cpBody)", BODY)
  FORKMUNK_IS("sizeof(cpCircleShape)", CIRCLE)
  FORKMUNK_IS("sizeof(cpSegmentShape)", SEGMENT)
  FORKMUNK_IS("sizeof(cpPolyShape)", POLY)
  FORKMUNK_IS("sizeof(struct cpSplittingPlane)", PLANES)
#define FORKMUNK_IS_JOINT(kind, type, text, table) FORKMUNK_IS("sizeof(cp" #type ")", kind)
  FORKMUNK_EACH_JOINT(FORKMUNK_IS_JOINT)
  FORKMUNK_IS("sizeof(cpArray)", ARRAY)
  FORKMUNK_IS("sizeof(void*)", POINTERS)
  FORKMUNK_IS("sizeof(cpHashSet)", HASH_SET)
  FORKMUNK_IS("sizeof(cpHashSetBin *)", POINTERS)
  FORKMUNK_IS("sizeof(cpBBTree)", TREE)
  FORKMUNK_IS("sizeof(Node *)", POINTERS)
  FORKMUNK_IS("sizeof(cpContactBuffer)", CONTACT_BUFFER)
  FORKMUNK_IS("sizeof(cpCollisionHandler)", COLLISION_HANDLER)
  FORKMUNK_IS("sizeof(cpPostStepCallback)", POST_STEP_CALLBACK)
  FORKMUNK_IS("sizeof(cpSpaceHash)", SPACE_HASH)
  FORKMUNK_IS("sizeof(cpSpaceHashBin *)", POINTERS)
  FORKMUNK_IS("sizeof(cpPolylineSet)", POLYLINE_SET)
  FORKMUNK_IS("sizeof(cpPolyline)", POINTERS)
  FORKMUNK_IS("sizeof(cpFloat)", PLAIN)
  FORKMUNK_IS("cpPolylineSizeForCapacity(capacity)", PLAIN)
  if (__builtin_strcmp(size, "bytes") == 0) FORKMUNK_IN(cpSpaceDeactivateBody, CONTACTS)
  if (__builtin_strcmp(size, "CP_BUFFER_BYTES") == 0) {
    FORKMUNK_IN(getUnusedBin, HASH_SET_BINS)
    FORKMUNK_IN(PairFromPool, TREE_PAIRS)
    FORKMUNK_IN(NodeFromPool, TREE_NODES)
    FORKMUNK_IN(cpSpaceArbiterSetTrans, ARBITERS)
    FORKMUNK_IN(handleSetTrans, SPACE_HASH_HANDLES)
    FORKMUNK_IN(getEmptyBin, SPACE_HASH_BINS)
  }
#undef FORKMUNK_IS_JOINT
#undef FORKMUNK_IS
#undef FORKMUNK_IN
#undef FORKMUNK_NAME
  return FORKMUNK_KIND_CONSERVATIVE;
}

/* In cpHashSet* set = cpcalloc(1, sizeof(cpHashSet)), `set` has no value yet. */
#define FORKMUNK_OWNER_OF(size) \
  (__builtin_strcmp(size, "sizeof(cpHashSet)") == 0 ? (const void*)0 : (const void*)FORKMUNK_OWNER)

#define cpcalloc(count, size) \
  forkmunk_chipmunk_allocate((size_t)(count) * (size), FORKMUNK_OWNER_OF(#size), forkmunk_kind(#size, __func__))
#define cprealloc(block, size) \
  forkmunk_chipmunk_reallocate((block), (size), FORKMUNK_OWNER_OF(#size), forkmunk_kind(#size, __func__))
#define cpfree forkmunk_chipmunk_free

/* The functions of routing.h, which also keep the arena's list of spaces and the stamps. */
void* forkmunk_chipmunk_allocate(size_t size_bytes, const void* owner, int kind);
void* forkmunk_chipmunk_reallocate(void* block, size_t size_bytes, const void* owner, int kind);
void forkmunk_chipmunk_free(void* block);

#endif
