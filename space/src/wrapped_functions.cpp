// SPDX-License-Identifier: MIT

#include "space_arena.h"

#include <forkmunk/arena_alloc/emergency_memory.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>

#include <cmath>
#include <vector>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <chipmunk/chipmunk_unsafe.h>

/// Chipmunk's functions for all callers, in the arena of the space. The plain build renames the originals.
///   - A scope of the arena is open, for objects of callbacks, and for indices and handlers, whose allocations do not
///     name their owner.
///   - Functions that call back while they lock the space are registered as calls. A space that is locked without an
///     active call had an exception.
extern "C" {  // from chipmunk_private.h, which C++ cannot compile with hashes of 32 bits
extern cpCollisionHandler cpCollisionHandlerDoNothing;
void cpArbiterUnthread(cpArbiter* arbiter);
void cpArrayDeleteObj(cpArray* array, void* object);
}

using forkmunk::arena_alloc::Arena;
using forkmunk::space::arena_of;
using forkmunk::space::note_shape_call;

Arena* forkmunk::space::arena_of(const cpSpace* space) {
  Arena* arena = Arena::containing(space);
  return arena != nullptr ? arena : arena_alloc::emergency_owner(space);
}

namespace {

cpArbiter* next_of(const cpArbiter* arbiter, const cpBody* body) noexcept {
  return arbiter->body_a == body ? arbiter->thread_a.next : arbiter->thread_b.next;
}

// Chipmunk's default handler calls the wildcard handlers of an arbiter, which are null in an arbiter that is older than
// the first wildcard or default handler.
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
      for (cpArbiter* arbiter = body->arbiterList; arbiter != nullptr; arbiter = next_of(arbiter, body)) {
        complete(*arbiter);
      }
    }
  });
}

// Bodies that fell asleep on something wake when it changes. In Chipmunk, most changes of a static body or its shapes
// wake nothing (FORKMUNK_DEFECT_SLEEPERS).

bool has_sleepers(const cpSpace* space) noexcept {
  return space != nullptr && space->sleepingComponents->num != 0 &&
         (forkmunk_defects(space) & FORKMUNK_DEFECT_SLEEPERS) == 0;
}

bool is_static(cpBody* body) noexcept { return cpBodyGetType(body) == CP_BODY_TYPE_STATIC; }

void wake(cpBody* body) {
  if (cpBodyIsSleeping(body) != 0) cpBodyActivate(body);
}

// Wakes the bodies that touch a body's `shape`, or any shape for null.
void wake_touching(cpBody* body, const cpShape* shape) {
  std::vector<cpBody*> others;  // waking changes the lists
  for (cpArbiter* arbiter = body->arbiterList; arbiter != nullptr; arbiter = next_of(arbiter, body)) {
    if (shape != nullptr && arbiter->a != shape && arbiter->b != shape) continue;
    others.push_back(arbiter->body_a == body ? arbiter->body_b : arbiter->body_a);
  }
  for (cpBody* const other : others) wake(other);
}

// Wakes the bodies whose shapes overlap a shape. Shapes of sleeping bodies are in the static index.
void wake_overlapping(cpSpace* space, const cpShape* shape) {
  struct Overlaps {
    const cpShape* shape;
    std::vector<cpBody*> bodies;
  } overlaps{shape, {}};
  const auto collect = [](void*, void* object, cpCollisionID id, void* data) -> cpCollisionID {
    auto& found = *static_cast<Overlaps*>(data);
    const auto* other = static_cast<const cpShape*>(object);
    if (other != found.shape && cpBBIntersects(found.shape->bb, other->bb)) found.bodies.push_back(other->body);
    return id;
  };
  cpSpatialIndexQuery(space->staticShapes, nullptr, shape->bb, collect, &overlaps);
  for (cpBody* const body : overlaps.bodies) wake(body);
}

// Wakes the bodies that rest on an added or changed shape or overlap its box, and the shape's own body.
void wake_around(cpShape* shape) {
  cpSpace* const space = shape->space;
  note_shape_call(space, false);
  if (!has_sleepers(space)) return;
  if (!is_static(shape->body)) return wake(shape->body);
  wake_touching(shape->body, shape);
  wake_overlapping(space, shape);
}

void wake_joined(cpBody* body) {
  if (!has_sleepers(body->space) || !is_static(body)) return;
  std::vector<cpBody*> others;
  for (cpConstraint* joint = body->constraintList; joint != nullptr;
       joint = joint->a == body ? joint->next_a : joint->next_b) {
    others.push_back(joint->a == body ? joint->b : joint->a);
  }
  for (cpBody* const other : others) wake(other);
}

// Wakes the bodies around static shapes that moved since they were indexed, and reindexes those shapes.
void reindex_static(cpSpace* space, void (*reindex)(cpSpace*)) {
  std::vector<cpShape*> moved;
  if (has_sleepers(space)) {
    const auto collect = [](void* object, void* data) {
      auto* const shape = static_cast<cpShape*>(object);
      const cpBB before = shape->bb, after = cpShapeCacheBB(shape);
      const bool stays = before.l == after.l && before.b == after.b && before.r == after.r && before.t == after.t;
      if (!stays) static_cast<std::vector<cpShape*>*>(data)->push_back(shape);
    };
    cpSpatialIndexEach(space->staticShapes, collect, &moved);
  }
  reindex(space);
  for (cpShape* const shape : moved) wake_around(shape);
}

// Removes the contacts of a body that is put to sleep with bodies that stay awake. \param group  the sleeping body
// whose group it joins, or null.
void forget_awake_contacts(cpBody* body, const cpBody* group) {
  cpSpace* const space = body->space;
  for (cpArbiter *arbiter = body->arbiterList, *next; arbiter != nullptr; arbiter = next) {
    next = next_of(arbiter, body);
    cpBody* const other = arbiter->body_a == body ? arbiter->body_b : arbiter->body_a;
    const bool sleeps_too = group != nullptr && other->sleeping.root == group->sleeping.root;
    if (is_static(other) || sleeps_too) continue;
    arbiter->state = CP_ARBITER_STATE_NORMAL;  // otherwise the contact may begin a second time
    cpArbiterUnthread(arbiter);
    cpArrayDeleteObj(space->arbiters, arbiter);
  }
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

void cpSpaceStep(cpSpace* space, cpFloat dt) {
  __builtin_prefetch(space->contactBuffersHead);
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
  note_shape_call(space, true);
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

#define FORKMUNK_CALL(function, parameters, arguments) \
  void forkmunk_plain_##function parameters;           \
  void function parameters {                           \
    const Arena::Call call(arena_of(space));           \
    forkmunk_plain_##function arguments;               \
  }
FORKMUNK_CALL(cpSpaceEachBody, (cpSpace * space, cpSpaceBodyIteratorFunc func, void* data), (space, func, data))
FORKMUNK_CALL(cpSpaceEachShape, (cpSpace * space, cpSpaceShapeIteratorFunc func, void* data), (space, func, data))
FORKMUNK_CALL(cpSpaceEachConstraint, (cpSpace * space, cpSpaceConstraintIteratorFunc func, void* data),
              (space, func, data))
FORKMUNK_CALL(cpSpaceDebugDraw, (cpSpace * space, cpSpaceDebugDrawOptions* options), (space, options))
#undef FORKMUNK_CALL

// Counts calls that change what a collision test reads. A step tests many pairs before the first callback, and checks
// the count after each callback.
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
    wake_around(shape);                                              \
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
// Even with another space as their argument, these may change joints and shapes of bodies in the stepping space.
FORKMUNK_COUNTED(cpConstraint*, cpSpaceAddConstraint, (cpSpace * space, cpConstraint* joint), (space, joint))
#undef FORKMUNK_COUNTED
void forkmunk_plain_cpSpaceRemoveConstraint(cpSpace* space, cpConstraint* joint);
void cpSpaceRemoveConstraint(cpSpace* space, cpConstraint* joint) {
  cpShapeCountChange();
  forkmunk_plain_cpSpaceRemoveConstraint(space, joint);
  joint->next_a = joint->next_b = nullptr;  // these may be freed before `joint`, and hash() follows them
}

void forkmunk_plain_cpSpaceReindexShape(cpSpace* space, cpShape* shape);
void forkmunk_plain_cpSpaceReindexShapesForBody(cpSpace* space, cpBody* body);
void forkmunk_plain_cpSpaceReindexStatic(cpSpace* space);

void cpSpaceReindexShape(cpSpace* space, cpShape* shape) {
  cpShapeCountChange();
  note_shape_call(space, true);
  forkmunk_plain_cpSpaceReindexShape(space, shape);
  wake_around(shape);
}

void cpSpaceReindexShapesForBody(cpSpace* space, cpBody* body) {
  cpShapeCountChange();
  note_shape_call(space, true);
  forkmunk_plain_cpSpaceReindexShapesForBody(space, body);
  for (cpShape* shape = body->shapeList; shape != nullptr; shape = shape->next) wake_around(shape);
}

void cpSpaceReindexStatic(cpSpace* space) {
  cpShapeCountChange();
  note_shape_call(space, true);
  reindex_static(space, &forkmunk_plain_cpSpaceReindexStatic);
}

#define FORKMUNK_SETTER(function, type, note)                 \
  void forkmunk_plain_##function(cpShape* shape, type value); \
  void function(cpShape* shape, type value) {                 \
    forkmunk_plain_##function(shape, value);                  \
    note;                                                     \
  }
FORKMUNK_SETTER(cpShapeSetSensor, cpBool, wake_around(shape))
FORKMUNK_SETTER(cpShapeSetElasticity, cpFloat, wake_around(shape))
FORKMUNK_SETTER(cpShapeSetFriction, cpFloat, wake_around(shape))
FORKMUNK_SETTER(cpShapeSetSurfaceVelocity, cpVect, wake_around(shape))
FORKMUNK_SETTER(cpShapeSetCollisionType, cpCollisionType, wake_around(shape))
FORKMUNK_SETTER(cpShapeSetMass, cpFloat, note_shape_call(shape->space, false))
FORKMUNK_SETTER(cpShapeSetDensity, cpFloat, note_shape_call(shape->space, false))
#undef FORKMUNK_SETTER

cpShape* forkmunk_plain_cpSpaceAddShape(cpSpace* space, cpShape* shape);
cpShape* cpSpaceAddShape(cpSpace* space, cpShape* shape) {
  forkmunk_plain_cpSpaceAddShape(space, shape);
  wake_around(shape);
  return shape;
}

void forkmunk_plain_cpBodySetPosition(cpBody* body, cpVect position);
void cpBodySetPosition(cpBody* body, cpVect position) {
  forkmunk_plain_cpBodySetPosition(body, position);
  wake_joined(body);
}

// Without neighbours, a segment's tests depend on the rotation only if it is not finite.
void forkmunk_plain_cpBodySetAngle(cpBody* body, cpFloat angle);
void cpBodySetAngle(cpBody* body, cpFloat angle) {
  if (!std::isfinite(angle) || !std::isfinite(cpBodyGetAngle(body))) cpShapeCountChange();
  forkmunk_plain_cpBodySetAngle(body, angle);
  wake_joined(body);
}

// Bodies asleep or on a static body are in lists by the old type, so they wake first.
void forkmunk_plain_cpBodySetType(cpBody* body, cpBodyType type);
void cpBodySetType(cpBody* body, cpBodyType type) {
  const bool is_broken = (forkmunk_defects(body->space) & FORKMUNK_DEFECT_BROKEN_LISTS) != 0;
  if (!is_broken && body->space != nullptr && cpBodyGetType(body) != type) {
    wake(body);
    if (is_static(body)) wake_touching(body, nullptr);
    wake_joined(body);
  }
  forkmunk_plain_cpBodySetType(body, type);
}

void forkmunk_plain_cpBodySleepWithGroup(cpBody* body, cpBody* group);
void cpBodySleepWithGroup(cpBody* body, cpBody* group) {
  const cpSpace* const space = body->space;
  const bool is_broken = (forkmunk_defects(space) & FORKMUNK_DEFECT_BROKEN_LISTS) != 0;
  const bool is_asleep = space != nullptr && cpBodyIsSleeping(body) != 0;
  if (is_asleep && group == nullptr) return;
  const bool sleeps = space != nullptr && space->locked == 0 && cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC &&
                      !is_asleep && (group == nullptr || cpBodyIsSleeping(group) != 0);
  if (sleeps && !is_broken) forget_awake_contacts(body, group);
  if (sleeps) note_shape_call(space, true);  // shapes of sleeping bodies are in the static index
  forkmunk_plain_cpBodySleepWithGroup(body, group);
}
void cpBodySleep(cpBody* body) { cpBodySleepWithGroup(body, nullptr); }
}
