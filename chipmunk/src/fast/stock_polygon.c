/* Chipmunk's own cpPolyShape.c, unchanged, but for memory: a polygon that is made in an arena has inside it the planes
 * of its own vertices instead of those of six.
 *
 * New vertices (chipmunk_unsafe.h) may need more room: their planes are then outside, as Chipmunk has those of more
 * than six. Until the shape is updated, queries see what the memory of the transformed planes had before. Chipmunk's is
 * that of up to six planes inside the polygon: every polygon has room for as many, and keeps there what they were. */
#include <chipmunk/chipmunk_private.h>
#include <chipmunk/chipmunk_unsafe.h>
#include <stddef.h>
#include <string.h>

#define BYTES_WITHOUT_PLANES offsetof(cpPolyShape, _planes)
#define BYTES_OF_A_VERTEX (2 * sizeof(struct cpSplittingPlane))
enum { INLINE_VERTICES = CP_POLY_SHAPE_INLINE_ALLOC, INLINE_VERTICES_MIN = INLINE_VERTICES / 2 };

/* Of how many vertices the planes have room inside a polygon. */
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

/* `poly` is null where the polygon itself is allocated. */
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
  /* In other memory nothing keeps its size. */
  forkmunk_chipmunk_free(polygon);
  return cpPolyShapeAlloc();
}

cpShape* cpPolyShapeNewRaw(cpBody* body, int count, const cpVect* vertices, cpFloat radius) {
  return (cpShape*)cpPolyShapeInitRaw(allocate(count), body, count, vertices, radius);
}

/* As cpPolyShapeInit(): the hull first, which has the count. */
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
