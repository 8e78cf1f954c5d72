/* Chipmunk's own cpPolyShape.c, unchanged, but for memory: a polygon that is made in an arena has inside it the planes
 * of its own vertices instead of those of six, and none where Chipmunk keeps them outside. */
#include <chipmunk/chipmunk_private.h>
#include <chipmunk/chipmunk_unsafe.h>
#include <stddef.h>

#define BYTES_WITHOUT_PLANES offsetof(cpPolyShape, _planes)
#define BYTES_OF_A_VERTEX (2 * sizeof(struct cpSplittingPlane))
enum { INLINE_VERTICES = CP_POLY_SHAPE_INLINE_ALLOC };

/* Of how many vertices the planes have room inside a polygon. */
static int room_inside(const cpPolyShape* poly) {
  const size_t bytes = forkmunk_arena_bytes(poly, FORKMUNK_KIND_POLY);
  return bytes == 0 ? INLINE_VERTICES : (int)((bytes - BYTES_WITHOUT_PLANES) / BYTES_OF_A_VERTEX);
}

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
  const size_t inside = 0 < count && count <= INLINE_VERTICES ? (size_t)count * BYTES_OF_A_VERTEX : 0;
  cpPolyShape* poly = forkmunk_chipmunk_allocate(BYTES_WITHOUT_PLANES + inside, NULL, FORKMUNK_KIND_POLY);
  if (forkmunk_arena_bytes(poly, FORKMUNK_KIND_POLY) != 0) return poly;
  /* In other memory nothing keeps its size. */
  cpfree(poly);
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
