// SPDX-License-Identifier: MIT

#include "wrapped_functions.h"

#include "recorder_hook.h"
#include "sleepers.h"

#include <forkmunk/arena_alloc/emergency_memory.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>

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

using forkmunk::arena_alloc::Arena;
using forkmunk::space::arena_of;

// A space that lies in no arena has no arena of its own.
Arena* forkmunk::space::arena_of(const cpSpace* space) {
  Arena* arena = Arena::containing(space);
  return arena != nullptr ? arena : arena_alloc::emergency_owner(space);
}

namespace {

// Chipmunk's default handler calls the wildcard handlers of an arbiter. An arbiter older than the first wildcard or
// default handler has none, so Chipmunk would call null when its shapes separate.
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
void cpSpaceHashSetDefects(unsigned defects);
void forkmunk_plain_cpSpaceEachBody(cpSpace* space, cpSpaceBodyIteratorFunc func, void* data);
void forkmunk_plain_cpSpaceEachShape(cpSpace* space, cpSpaceShapeIteratorFunc func, void* data);
void forkmunk_plain_cpSpaceEachConstraint(cpSpace* space, cpSpaceConstraintIteratorFunc func, void* data);
void forkmunk_plain_cpSpaceDebugDraw(cpSpace* space, cpSpaceDebugDrawOptions* options);
void cpSpaceStep(cpSpace* space, cpFloat dt) {
  Arena* const arena = arena_of(space);
  auto* const observer = forkmunk::space::observer_of(arena, space);
  if (observer != nullptr) observer->begin_step(dt);
  {
    const Arena::Scope scope(arena);
    const Arena::Call call(arena);
    forkmunk_plain_cpSpaceStep(space, dt);
  }
  if (observer != nullptr) observer->end_step();
}

void cpSpaceUseSpatialHash(cpSpace* space, cpFloat dim, int count) {
  const Arena::Scope scope(arena_of(space));
  cpSpaceHashSetDefects(forkmunk_defects(space));
  forkmunk_plain_cpSpaceUseSpatialHash(space, dim, count);
  cpSpaceHashSetDefects(0);
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

// Counts calls that change what a collision test reads (the plain build renames them). A step tests many pairs before
// the first callback, and checks the count after each callback.
#define FORKMUNK_COUNTED(result, function, parameters, arguments) \
  result forkmunk_plain_##function parameters;                    \
  result function parameters {                                    \
    cpShapeCountChange();                                         \
    return forkmunk_plain_##function arguments;                   \
  }

FORKMUNK_COUNTED(cpBB, cpShapeCacheBB, (cpShape * shape), (shape))
FORKMUNK_COUNTED(cpBB, cpShapeUpdate, (cpShape * shape, cpTransform transform), (shape, transform))
#define FORKMUNK_COUNTED_AND_WAKING(function, parameters, arguments) \
  void forkmunk_plain_##function parameters;                         \
  void function parameters {                                         \
    cpShapeCountChange();                                            \
    forkmunk_plain_##function arguments;                             \
    forkmunk::space::wake_around(shape);                             \
  }
FORKMUNK_COUNTED_AND_WAKING(cpShapeSetFilter, (cpShape * shape, cpShapeFilter filter), (shape, filter))
FORKMUNK_COUNTED_AND_WAKING(cpCircleShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED_AND_WAKING(cpCircleShapeSetOffset, (cpShape * shape, cpVect offset), (shape, offset))
FORKMUNK_COUNTED_AND_WAKING(cpSegmentShapeSetEndpoints, (cpShape * shape, cpVect a, cpVect b), (shape, a, b))
FORKMUNK_COUNTED_AND_WAKING(cpSegmentShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED_AND_WAKING(cpSegmentShapeSetNeighbors, (cpShape * shape, cpVect prev, cpVect next),
                            (shape, prev, next))
FORKMUNK_COUNTED_AND_WAKING(cpPolyShapeSetVerts, (cpShape * shape, int count, cpVect* vertices, cpTransform transform),
                            (shape, count, vertices, transform))
FORKMUNK_COUNTED_AND_WAKING(cpPolyShapeSetVertsRaw, (cpShape * shape, int count, cpVect* vertices),
                            (shape, count, vertices))
FORKMUNK_COUNTED_AND_WAKING(cpPolyShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
#undef FORKMUNK_COUNTED_AND_WAKING
FORKMUNK_COUNTED(void, cpConstraintSetCollideBodies, (cpConstraint * joint, cpBool collide), (joint, collide))
// These may change joints and shapes of bodies in the stepping space even if another space is their argument.
FORKMUNK_COUNTED(cpConstraint*, cpSpaceAddConstraint, (cpSpace * space, cpConstraint* joint), (space, joint))
FORKMUNK_COUNTED(void, cpSpaceRemoveConstraint, (cpSpace * space, cpConstraint* joint), (space, joint))
#undef FORKMUNK_COUNTED

void forkmunk_plain_cpSpaceReindexShape(cpSpace* space, cpShape* shape);
void forkmunk_plain_cpSpaceReindexShapesForBody(cpSpace* space, cpBody* body);
void forkmunk_plain_cpSpaceReindexStatic(cpSpace* space);

void cpSpaceReindexShape(cpSpace* space, cpShape* shape) {
  cpShapeCountChange();
  forkmunk_plain_cpSpaceReindexShape(space, shape);
  forkmunk::space::wake_around(shape);
}

void cpSpaceReindexShapesForBody(cpSpace* space, cpBody* body) {
  cpShapeCountChange();
  forkmunk_plain_cpSpaceReindexShapesForBody(space, body);
  for (cpShape* shape = body->shapeList; shape != nullptr; shape = shape->next) forkmunk::space::wake_around(shape);
}

void cpSpaceReindexStatic(cpSpace* space) {
  cpShapeCountChange();
  forkmunk::space::reindex_static(space, &forkmunk_plain_cpSpaceReindexStatic);
}

// Chipmunk's own functions that change what bodies sleep on (sleepers.h).
#define FORKMUNK_WAKING(function, type)                       \
  void forkmunk_plain_##function(cpShape* shape, type value); \
  void function(cpShape* shape, type value) {                 \
    forkmunk_plain_##function(shape, value);                  \
    forkmunk::space::wake_around(shape);                      \
  }
FORKMUNK_WAKING(cpShapeSetSensor, cpBool)
FORKMUNK_WAKING(cpShapeSetElasticity, cpFloat)
FORKMUNK_WAKING(cpShapeSetFriction, cpFloat)
FORKMUNK_WAKING(cpShapeSetSurfaceVelocity, cpVect)
FORKMUNK_WAKING(cpShapeSetCollisionType, cpCollisionType)
#undef FORKMUNK_WAKING

cpShape* forkmunk_plain_cpSpaceAddShape(cpSpace* space, cpShape* shape);
cpShape* cpSpaceAddShape(cpSpace* space, cpShape* shape) {
  forkmunk_plain_cpSpaceAddShape(space, shape);
  forkmunk::space::wake_around(shape);
  return shape;
}

void forkmunk_plain_cpBodySetPosition(cpBody* body, cpVect position);
void cpBodySetPosition(cpBody* body, cpVect position) {
  forkmunk_plain_cpBodySetPosition(body, position);
  forkmunk::space::wake_joined(body);
}

// Tests of segments without neighbours depend on the rotation only if it is not finite.
void forkmunk_plain_cpBodySetAngle(cpBody* body, cpFloat angle);
void cpBodySetAngle(cpBody* body, cpFloat angle) {
  if (!std::isfinite(angle) || !std::isfinite(cpBodyGetAngle(body))) cpShapeCountChange();
  forkmunk_plain_cpBodySetAngle(body, angle);
  forkmunk::space::wake_joined(body);
}

// Bodies asleep or on a static body are in the space's lists by the old type, so they wake first.
void forkmunk_plain_cpBodySetType(cpBody* body, cpBodyType type);
void cpBodySetType(cpBody* body, cpBodyType type) {
  const bool is_broken = (forkmunk_defects(body->space) & FORKMUNK_DEFECT_BROKEN_LISTS) != 0;
  if (!is_broken && body->space != nullptr && cpBodyGetType(body) != type) {
    if (cpBodyIsSleeping(body) != 0) cpBodyActivate(body);
    if (cpBodyGetType(body) == CP_BODY_TYPE_STATIC) forkmunk::space::wake_on(body);
  }
  forkmunk_plain_cpBodySetType(body, type);
}

void forkmunk_plain_cpBodySleepWithGroup(cpBody* body, cpBody* group);
void cpBodySleepWithGroup(cpBody* body, cpBody* group) {
  const cpSpace* const space = body->space;
  const bool is_broken = (forkmunk_defects(space) & FORKMUNK_DEFECT_BROKEN_LISTS) != 0;
  const bool is_asleep = space != nullptr && cpBodyIsSleeping(body) != 0;
  if (is_asleep && group == nullptr && !is_broken) return;
  const bool sleeps = space != nullptr && space->locked == 0 && cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC &&
                      !is_asleep && (group == nullptr || cpBodyIsSleeping(group) != 0);
  if (sleeps && !is_broken) forkmunk::space::forget_awake_contacts(body, group);
  forkmunk_plain_cpBodySleepWithGroup(body, group);
}
void cpBodySleep(cpBody* body) { cpBodySleepWithGroup(body, nullptr); }
}
