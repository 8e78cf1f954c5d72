// SPDX-License-Identifier: MIT

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/emergency_memory.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <cmath>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <chipmunk/chipmunk_unsafe.h>

/// Chipmunk's functions for all callers, run in the arena of the space. The plain build renames the originals.
///   - A scope of the arena is open, so objects that callbacks make belong to the arena. So do indices and collision
///     handlers, whose allocations do not name their owner.
///   - Functions that call back while they lock the space are registered as calls. After an exception the space is
///     locked without an active call, which distinguishes this state from a callback.
extern "C" cpCollisionHandler cpCollisionHandlerDoNothing;  // chipmunk_private.h is no C++

namespace {

using forkmunk::arena_alloc::Arena;

// A space that lies in no arena has no arena of its own.
Arena* arena_of(const cpSpace* space) {
  Arena* arena = Arena::containing(space);
  return arena != nullptr ? arena : forkmunk::arena_alloc::emergency_owner(space);
}

// Chipmunk's default handler calls the wildcard handlers of an arbiter. An arbiter that is older than the first
// wildcard or default handler has none, so Chipmunk would call null when its shapes separate. These handlers do nothing
// instead.
void complete(cpArbiter& arbiter) {
  if (arbiter.handlerA != nullptr) return;
  arbiter.handlerA = &cpCollisionHandlerDoNothing;
  arbiter.handlerB = &cpCollisionHandlerDoNothing;
}

void complete_arbiters(cpSpace* space) {
  namespace layout = forkmunk::chipmunk::layout;
  layout::for_each<cpArbiter>(layout::set_of(space->cachedArbiters),
                              [](cpArbiter& arbiter, const layout::HashSetBin&) { complete(arbiter); });
  layout::for_each<cpBody>(*space->sleepingComponents, [](cpBody& root) {
    for (cpBody* body = &root; body != nullptr; body = body->sleeping.next) {
      for (cpArbiter* arbiter = body->arbiterList; arbiter != nullptr;) {
        complete(*arbiter);
        arbiter = arbiter->body_a == body ? arbiter->thread_a.next : arbiter->thread_b.next;
      }
    }
  });
}

}  // namespace

extern "C" {

void forkmunk_plain_cpSpaceStep(cpSpace* space, cpFloat dt);
void forkmunk_plain_cpSpaceUseSpatialHash(cpSpace* space, cpFloat dim, int count);
cpCollisionHandler* forkmunk_plain_cpSpaceAddCollisionHandler(cpSpace* space, cpCollisionType a, cpCollisionType b);
cpCollisionHandler* forkmunk_plain_cpSpaceAddWildcardHandler(cpSpace* space, cpCollisionType type);
cpCollisionHandler* forkmunk_plain_cpSpaceAddDefaultCollisionHandler(cpSpace* space);
void forkmunk_plain_cpSpaceRemoveShape(cpSpace* space, cpShape* shape);
void cpSpaceClearPooledArbiters(cpSpace* space, int first);
void cpShapeCountChange(void);
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
  if (!space->usesWildcards) complete_arbiters(space);
  return forkmunk_plain_cpSpaceAddWildcardHandler(space, type);
}

cpCollisionHandler* cpSpaceAddDefaultCollisionHandler(cpSpace* space) {
  if (!space->usesWildcards) complete_arbiters(space);
  return forkmunk_plain_cpSpaceAddDefaultCollisionHandler(space);
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
  cpShapeCountChange();  // the function moves the shape to its body
  return forkmunk_plain_cpSpaceShapeQuery(space, shape, func, data);
}

// Chipmunk's own functions that change what a collision test reads (the plain build renames them), counted: a step
// tests many pairs before the first of them calls back, and asks after each callback whether it has changed anything.
#define FORKMUNK_COUNTED(result, function, parameters, arguments) \
  result forkmunk_plain_##function parameters;                    \
  result function parameters {                                    \
    cpShapeCountChange();                                         \
    return forkmunk_plain_##function arguments;                   \
  }

FORKMUNK_COUNTED(cpBB, cpShapeCacheBB, (cpShape * shape), (shape))
FORKMUNK_COUNTED(cpBB, cpShapeUpdate, (cpShape * shape, cpTransform transform), (shape, transform))
FORKMUNK_COUNTED(void, cpShapeSetFilter, (cpShape * shape, cpShapeFilter filter), (shape, filter))
FORKMUNK_COUNTED(void, cpCircleShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED(void, cpCircleShapeSetOffset, (cpShape * shape, cpVect offset), (shape, offset))
FORKMUNK_COUNTED(void, cpSegmentShapeSetEndpoints, (cpShape * shape, cpVect a, cpVect b), (shape, a, b))
FORKMUNK_COUNTED(void, cpSegmentShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED(void, cpSegmentShapeSetNeighbors, (cpShape * shape, cpVect prev, cpVect next), (shape, prev, next))
FORKMUNK_COUNTED(void, cpPolyShapeSetVerts, (cpShape * shape, int count, cpVect* vertices, cpTransform transform),
                 (shape, count, vertices, transform))
FORKMUNK_COUNTED(void, cpPolyShapeSetVertsRaw, (cpShape * shape, int count, cpVect* vertices), (shape, count, vertices))
FORKMUNK_COUNTED(void, cpPolyShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED(void, cpConstraintSetCollideBodies, (cpConstraint * joint, cpBool collide), (joint, collide))
// These functions may change joints and shapes of bodies in the stepping space even if another space is their argument.
FORKMUNK_COUNTED(cpConstraint*, cpSpaceAddConstraint, (cpSpace * space, cpConstraint* joint), (space, joint))
FORKMUNK_COUNTED(void, cpSpaceRemoveConstraint, (cpSpace * space, cpConstraint* joint), (space, joint))
FORKMUNK_COUNTED(void, cpSpaceReindexShape, (cpSpace * space, cpShape* shape), (space, shape))
FORKMUNK_COUNTED(void, cpSpaceReindexShapesForBody, (cpSpace * space, cpBody* body), (space, body))
FORKMUNK_COUNTED(void, cpSpaceReindexStatic, (cpSpace * space), (space))

#undef FORKMUNK_COUNTED

// Tests of segments without neighbours read how the body is turned where that is no number.
void forkmunk_plain_cpBodySetAngle(cpBody* body, cpFloat angle);
void cpBodySetAngle(cpBody* body, cpFloat angle) {
  if (!std::isfinite(angle) || !std::isfinite(cpBodyGetAngle(body))) cpShapeCountChange();
  forkmunk_plain_cpBodySetAngle(body, angle);
}
}
