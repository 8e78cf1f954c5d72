#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/emergency_memory.h>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

/// Chipmunk's own (the plain build renames them), with the space's arena at hand, whoever calls them:
///   - in its scope: what a step's callbacks make is that arena's, and so are indices and collision handlers, which are
///     allocated far from the name of whom they are for;
///   - as a call of its: all that call back while they lock the space. An exception leaves the space locked, and that
///   no
///     call is at work any more distinguishes it from a space in a callback.
namespace {

using forkmunk::arena_alloc::Arena;

// A space that is in no arena has none of its own.
Arena* arena_of(const cpSpace* space) {
  Arena* arena = Arena::containing(space);
  return arena != nullptr ? arena : forkmunk::arena_alloc::emergency_owner(space);
}

}  // namespace

extern "C" {

void forkmunk_plain_cpSpaceStep(cpSpace* space, cpFloat dt);
void forkmunk_plain_cpSpaceUseSpatialHash(cpSpace* space, cpFloat dim, int count);
cpCollisionHandler* forkmunk_plain_cpSpaceAddCollisionHandler(cpSpace* space, cpCollisionType a, cpCollisionType b);
cpCollisionHandler* forkmunk_plain_cpSpaceAddWildcardHandler(cpSpace* space, cpCollisionType type);
void forkmunk_plain_cpSpaceRemoveShape(cpSpace* space, cpShape* shape);
void cpSpaceClearPooledArbiters(cpSpace* space, int first);
void forkmunk_plain_cpSpaceEachBody(cpSpace* space, cpSpaceBodyIteratorFunc func, void* data);
void forkmunk_plain_cpSpaceEachShape(cpSpace* space, cpSpaceShapeIteratorFunc func, void* data);
void forkmunk_plain_cpSpaceEachConstraint(cpSpace* space, cpSpaceConstraintIteratorFunc func, void* data);
void forkmunk_plain_cpSpaceDebugDraw(cpSpace* space, cpSpaceDebugDrawOptions* options);
void forkmunk_plain_cpSpacePointQuery(cpSpace* space, cpVect point, cpFloat distance, cpShapeFilter filter,
                                      cpSpacePointQueryFunc func, void* data);
void forkmunk_plain_cpSpaceSegmentQuery(cpSpace* space, cpVect start, cpVect end, cpFloat radius, cpShapeFilter filter,
                                        cpSpaceSegmentQueryFunc func, void* data);
void forkmunk_plain_cpSpaceBBQuery(cpSpace* space, cpBB bb, cpShapeFilter filter, cpSpaceBBQueryFunc func, void* data);
cpBool forkmunk_plain_cpSpaceShapeQuery(cpSpace* space, cpShape* shape, cpSpaceShapeQueryFunc func, void* data);

void cpSpaceStep(cpSpace* space, cpFloat dt) {
  Arena* const arena = arena_of(space);
  const Arena::Scope scope(arena);
  const Arena::Call call(arena);
  forkmunk_plain_cpSpaceStep(space, dt);
}

void cpSpaceUseSpatialHash(cpSpace* space, cpFloat dim, int count) {
  const Arena::Scope scope(arena_of(space));
  forkmunk_plain_cpSpaceUseSpatialHash(space, dim, count);
}

cpCollisionHandler* cpSpaceAddCollisionHandler(cpSpace* space, cpCollisionType a, cpCollisionType b) {
  const Arena::Scope scope(arena_of(space));
  return forkmunk_plain_cpSpaceAddCollisionHandler(space, a, b);
}

cpCollisionHandler* cpSpaceAddWildcardHandler(cpSpace* space, cpCollisionType type) {
  const Arena::Scope scope(arena_of(space));
  return forkmunk_plain_cpSpaceAddWildcardHandler(space, type);
}

void cpSpaceRemoveShape(cpSpace* space, cpShape* shape) {
  const Arena::Call call(arena_of(space));
  const int pooled_count = space->pooledArbiters->num;
  forkmunk_plain_cpSpaceRemoveShape(space, shape);
  cpSpaceClearPooledArbiters(space, pooled_count);
}

void cpSpaceEachBody(cpSpace* space, cpSpaceBodyIteratorFunc func, void* data) {
  const Arena::Call call(arena_of(space));
  forkmunk_plain_cpSpaceEachBody(space, func, data);
}

void cpSpaceEachShape(cpSpace* space, cpSpaceShapeIteratorFunc func, void* data) {
  const Arena::Call call(arena_of(space));
  forkmunk_plain_cpSpaceEachShape(space, func, data);
}

void cpSpaceEachConstraint(cpSpace* space, cpSpaceConstraintIteratorFunc func, void* data) {
  const Arena::Call call(arena_of(space));
  forkmunk_plain_cpSpaceEachConstraint(space, func, data);
}

void cpSpaceDebugDraw(cpSpace* space, cpSpaceDebugDrawOptions* options) {
  const Arena::Call call(arena_of(space));
  forkmunk_plain_cpSpaceDebugDraw(space, options);
}

void cpSpacePointQuery(cpSpace* space, cpVect point, cpFloat distance, cpShapeFilter filter, cpSpacePointQueryFunc func,
                       void* data) {
  const Arena::Call call(arena_of(space));
  forkmunk_plain_cpSpacePointQuery(space, point, distance, filter, func, data);
}

void cpSpaceSegmentQuery(cpSpace* space, cpVect start, cpVect end, cpFloat radius, cpShapeFilter filter,
                         cpSpaceSegmentQueryFunc func, void* data) {
  const Arena::Call call(arena_of(space));
  forkmunk_plain_cpSpaceSegmentQuery(space, start, end, radius, filter, func, data);
}

void cpSpaceBBQuery(cpSpace* space, cpBB bb, cpShapeFilter filter, cpSpaceBBQueryFunc func, void* data) {
  const Arena::Call call(arena_of(space));
  forkmunk_plain_cpSpaceBBQuery(space, bb, filter, func, data);
}

cpBool cpSpaceShapeQuery(cpSpace* space, cpShape* shape, cpSpaceShapeQueryFunc func, void* data) {
  const Arena::Call call(arena_of(space));
  return forkmunk_plain_cpSpaceShapeQuery(space, shape, func, data);
}
}
