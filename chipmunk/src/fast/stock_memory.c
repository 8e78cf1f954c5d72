// SPDX-License-Identifier: MIT
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_unsafe.h>
#include <stddef.h>
#include <string.h>

char* cpPoolAdd(cpArray** buffers, const void* owner, int kind, size_t bytes) {
  cpPoolBuffer* const added = (cpPoolBuffer*)forkmunk_chipmunk_allocate(sizeof(cpPoolBuffer) + bytes, owner, kind);
  added->before = (cpPoolBuffer*)*buffers;
  *buffers = (cpArray*)added;
  return (char*)(added + 1);
}

cpPoolElements cpPoolGrow(cpArray** buffers, const void* owner, int kind, size_t element_bytes, size_t count) {
  int tries = 4;
  for (cpPoolBuffer* buffer = (cpPoolBuffer*)*buffers; buffer && tries > 0; buffer = buffer->before, --tries) {
    const size_t bytes = forkmunk_arena_bytes(buffer, kind);
    if (bytes != 0 && forkmunk_arena_extend(buffer, bytes + element_bytes)) {
      const cpPoolElements added = {(char*)buffer + bytes, 1};
      return added;
    }
  }
  const size_t reusable = forkmunk_arena_reusable_bytes(owner, sizeof(cpPoolBuffer) + element_bytes);
  if (reusable != 0) {
    const size_t reusable_count = (reusable - sizeof(cpPoolBuffer)) / element_bytes;
    if (reusable_count < count) count = reusable_count;
  }
  const cpPoolElements added = {cpPoolAdd(buffers, owner, kind, count * element_bytes), count};
  return added;
}

void cpPoolFree(cpArray* buffers) {
  for (cpPoolBuffer *buffer = (cpPoolBuffer*)buffers, *before; buffer; buffer = before) {
    before = buffer->before;
    forkmunk_chipmunk_free(buffer);
  }
}

/* Chipmunk's own cpArray.c, except that an array has its first element inside, in the spare room of its chunk. Odd
 * counts of pointers fill a chunk. */

static void** element_inside(cpArray* array) { return (void**)(array + 1); }
static void free_elements(cpArray* array) {
  if (array->arr != element_inside(array)) forkmunk_chipmunk_free(array->arr);
}

#define cpArrayNew cpArrayNewStock
#define cpArrayFree cpArrayFreeStock
#define cpArrayPush cpArrayPushStock
#include <cpArray.c>
#undef cpArrayNew
#undef cpArrayFree
#undef cpArrayPush

static void grow(cpArray* array, int count) {
  const size_t bytes = (size_t)count * sizeof(void*);
  void** const inside = element_inside(array);
  if (array->arr == inside) {
    array->arr = forkmunk_chipmunk_allocate(bytes, array, FORKMUNK_KIND_POINTERS);
    array->arr[0] = *inside;
    *inside = NULL;
  } else {
    array->arr = forkmunk_arena_realloc(array->arr, bytes, array, FORKMUNK_KIND_POINTERS);
  }
  array->max = count;
}

cpArray* cpArrayNew(int size) {
  cpArray* array = forkmunk_chipmunk_allocate(sizeof(cpArray) + sizeof(void*), NULL, FORKMUNK_KIND_ARRAY);
  array->arr = element_inside(array);
  array->max = 1;
  if (size > 1) grow(array, size);
  return array;
}

void cpArrayFree(cpArray* array) {
  if (!array) return;
  free_elements(array);
  array->arr = NULL;
  forkmunk_chipmunk_free(array);
}

void cpArrayPush(cpArray* array, void* object) {
  if (array->num == array->max) {
    const int more = array->max < 32 ? array->max / 2 + 2 : array->max / 4;
    grow(array, (array->max + more) | 1);
  }
  array->arr[array->num++] = object;
}

/* Chipmunk's own cpHashSet.c, except for the growth of its pool. */

#undef FORKMUNK_OWNER
#define FORKMUNK_OWNER set
static void* const set __attribute__((unused)) = 0;
#undef CP_BUFFER_BYTES
#define CP_BUFFER_BYTES FORKMUNK_POOL_BYTES(set, POOLED_BINS, cpHashSetBin, cpPoolRoot((int)set->entries))
#undef cpcalloc
#define cpcalloc FORKMUNK_POOL_CALLOC
#define cpArrayNew(size) NULL
#define cpArrayPush(buffers, buffer) ((void)(buffer))
#define cpArrayFreeEach(buffers, free) cpPoolFree(buffers)
#define cpArrayFree(buffers) ((void)0)
#include <cpHashSet.c>
#undef CP_BUFFER_BYTES
#undef cpArrayNew
#undef cpArrayPush
#undef cpArrayFreeEach
#undef cpArrayFree

/* Chipmunk's own cpPolyShape.c, except that a polygon in an arena has room for the planes of its own vertices instead
 * of six. More new vertices (chipmunk_unsafe.h) get allocated planes. Queries see the previous transformed planes until
 * the shape is updated, so allocated planes begin with a copy of those inside. */

#define BYTES_WITHOUT_PLANES offsetof(cpPolyShape, _planes)
#define BYTES_OF_A_VERTEX (2 * sizeof(struct cpSplittingPlane))
enum { INLINE_VERTICES = CP_POLY_SHAPE_INLINE_ALLOC, INLINE_VERTICES_MIN = INLINE_VERTICES / 2 };

static int room_inside(const cpPolyShape* poly) {
  const size_t bytes = forkmunk_arena_bytes(poly, FORKMUNK_KIND_POLY);
  return bytes == 0 ? INLINE_VERTICES : (int)((bytes - BYTES_WITHOUT_PLANES) / BYTES_OF_A_VERTEX);
}

static void* allocate_planes(cpPolyShape* poly, size_t bytes) {
  void* planes = forkmunk_chipmunk_allocate(bytes, poly, FORKMUNK_KIND_PLANES);
  if (poly->count <= INLINE_VERTICES) {
    memcpy(planes, poly->_planes, (size_t)poly->count * sizeof(struct cpSplittingPlane));
  }
  return planes;
}

static void free_planes(cpPolyShape* poly) {
  if (poly->count <= INLINE_VERTICES) {
    memcpy(poly->_planes, poly->planes, INLINE_VERTICES * sizeof(struct cpSplittingPlane));
  }
  forkmunk_chipmunk_free(poly->planes);
}

/* Null where the polygon itself is allocated. Elsewhere Chipmunk's functions have a `poly`. */
static cpPolyShape* const poly __attribute__((unused)) = 0;
#undef cpcalloc
#define cpcalloc(count, size)                                   \
  (poly ? allocate_planes((cpPolyShape*)poly, (count) * (size)) \
        : forkmunk_chipmunk_allocate((count) * (size), NULL, FORKMUNK_KIND_POLY))
#undef cpfree
#define cpfree(planes) free_planes(poly)
#undef CP_POLY_SHAPE_INLINE_ALLOC
#define CP_POLY_SHAPE_INLINE_ALLOC room_inside(poly)
#define cpPolyShapeNew cpPolyShapeNewStock
#define cpPolyShapeNewRaw cpPolyShapeNewRawStock
#define cpBoxShapeNew cpBoxShapeNewStock
#define cpBoxShapeNew2 cpBoxShapeNew2Stock
#include <cpPolyShape.c>
#undef cpPolyShapeNew
#undef cpPolyShapeNewRaw
#undef cpBoxShapeNew
#undef cpBoxShapeNew2

static cpPolyShape* allocate(int count) {
  const int room = INLINE_VERTICES_MIN < count && count <= INLINE_VERTICES ? count : INLINE_VERTICES_MIN;
  cpPolyShape* polygon =
      forkmunk_chipmunk_allocate(BYTES_WITHOUT_PLANES + (size_t)room * BYTES_OF_A_VERTEX, NULL, FORKMUNK_KIND_POLY);
  if (forkmunk_arena_bytes(polygon, FORKMUNK_KIND_POLY) != 0) return polygon;
  /* Only an arena's memory records its size. */
  forkmunk_chipmunk_free(polygon);
  return cpPolyShapeAlloc();
}

cpShape* cpPolyShapeNewRaw(cpBody* body, int count, const cpVect* vertices, cpFloat radius) {
  return (cpShape*)cpPolyShapeInitRaw(allocate(count), body, count, vertices, radius);
}

/* Works like cpPolyShapeInit(), but the hull comes first, because it determines the count. */
cpShape* cpPolyShapeNew(cpBody* body, int count, const cpVect* vertices, cpTransform transform, cpFloat radius) {
  cpVect* hull = (cpVect*)alloca((size_t)count * sizeof(cpVect));
  for (int i = 0; i < count; ++i) hull[i] = cpTransformPoint(transform, vertices[i]);
  return cpPolyShapeNewRaw(body, cpConvexHull(count, hull, hull, NULL, 0.0), hull, radius);
}

cpShape* cpBoxShapeNew(cpBody* body, cpFloat width, cpFloat height, cpFloat radius) {
  return (cpShape*)cpBoxShapeInit(allocate(4), body, width, height, radius);
}

cpShape* cpBoxShapeNew2(cpBody* body, cpBB box, cpFloat radius) {
  return (cpShape*)cpBoxShapeInit2(allocate(4), body, box, radius);
}
