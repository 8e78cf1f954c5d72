#include "fast/collision_step.h"

namespace forkmunk::chipmunk::fast {
namespace {

void update_shape(void* shape, void*) { cpShapeUpdateFunc(static_cast<cpShape*>(shape), nullptr); }
cpCollisionID collide(void* a, void* b, cpCollisionID id, void* space) {
  return cpSpaceCollideShapes(static_cast<cpShape*>(a), static_cast<cpShape*>(b), id, static_cast<cpSpace*>(space));
}

}  // namespace

void find_collisions(cpSpace* space) {
  cpSpacePushFreshContactBuffer(space);
  cpSpatialIndexEach(space->dynamicShapes, &update_shape, nullptr);
  cpSpatialIndexReindexQuery(space->dynamicShapes, &collide, space);
}

}  // namespace forkmunk::chipmunk::fast
