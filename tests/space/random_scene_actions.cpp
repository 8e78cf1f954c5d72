// SPDX-License-Identifier: MIT
#include "random_scene.h"

#include <chipmunk/chipmunk_unsafe.h>

namespace random_scene {
namespace {

cpShape* any_shape_of(cpBody* body) {
  cpShape* shape = nullptr;
  cpBodyEachShape(
      body, [](cpBody*, cpShape* s, void* found) { *static_cast<cpShape**>(found) = s; }, &shape);
  return shape;
}

int count_of_arbiters(cpBody* body) {
  int count = 0;
  cpBodyEachArbiter(
      body, [](cpBody*, cpArbiter*, void* c) { ++*static_cast<int*>(c); }, &count);
  cpBodyEachConstraint(
      body, [](cpBody*, cpConstraint*, void* c) { ++*static_cast<int*>(c); }, &count);
  return count;
}

void push(SceneState& state, BodySlot& slot) {
  Random& random = state.random;
  cpBody* body = slot.body;
  const cpVect at = random.vector(10);
  const int deed = random.below(8);
  state.note(130 + deed, std::uint64_t{0});
  switch (deed) {
    case 0: cpBodyApplyForceAtLocalPoint(body, random.vector(800), at); break;
    case 1: cpBodyApplyForceAtWorldPoint(body, random.vector(800), cpBodyGetPosition(body)); break;
    case 2: cpBodyApplyImpulseAtLocalPoint(body, random.vector(60), at); break;
    case 3: cpBodyApplyImpulseAtWorldPoint(body, random.vector(60), cpBodyGetPosition(body)); break;
    case 4: cpBodySetForce(body, random.vector(500)); break;
    case 5: cpBodySetTorque(body, random.between(-900, 900)); break;
    case 6: cpBodySetVelocity(body, random.vector(150)); break;
    default: cpBodySetAngularVelocity(body, random.between(-5, 5)); break;
  }
}

void change_type(SceneState& state, BodySlot& slot) {
  if (slot.weighs_by_shapes) return;
  cpBodyActivate(slot.body);
  if (cpBodyGetType(slot.body) == CP_BODY_TYPE_KINEMATIC) {
    cpBodySetType(slot.body, CP_BODY_TYPE_DYNAMIC);
    cpBodySetMass(slot.body, state.random.between(0.5, 4));
    cpBodySetMoment(slot.body, state.random.between(60, 400));
  } else {
    cpBodySetType(slot.body, CP_BODY_TYPE_KINEMATIC);
  }
}

void change_body(SceneState& state, BodySlot& slot) {
  Random& random = state.random;
  cpBody* body = slot.body;
  const bool is_dynamic = cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC;
  const int deed = random.below(9);
  state.note(140 + deed, std::uint64_t{0});
  switch (deed) {
    case 0:
      cpBodySetPosition(body, random_position(state));
      cpSpaceReindexShapesForBody(cpBodyGetSpace(body), body);
      break;
    case 1: cpBodySetAngle(body, random.between(-3, 3)); break;
    case 2:
      if (is_dynamic && !slot.weighs_by_shapes) cpBodySetMass(body, random.between(0.5, 4));
      break;
    case 3:
      if (is_dynamic && !slot.weighs_by_shapes) cpBodySetMoment(body, random.between(60, 400));
      break;
    case 4:
      if (!slot.weighs_by_shapes) cpBodySetCenterOfGravity(body, random.vector(4));
      break;
    case 5: change_type(state, slot); break;
    case 6: cpBodyActivate(body); break;
    case 7:
      if (is_dynamic && cpSpaceGetSleepTimeThreshold(cpBodyGetSpace(body)) < 100 && !cpBodyIsSleeping(body) &&
          count_of_arbiters(body) == 0) {
        cpBodySleep(body);
        state.note(149, std::uint64_t{0});
      }
      break;
    default: equip(state, body); break;
  }
}

void change_outline(SceneState& state, cpShape* shape) {
  Random& random = state.random;
  cpVect corners[] = {cpv(-12, -9), cpv(12, -9), cpv(14, 5), cpv(6, 16), cpv(-6, 16), cpv(-14, 5), cpv(-13, 0)};
  cpBodyActivate(cpShapeGetBody(shape));
  const cpVect a = random.vector(25);
  switch (outline_of(shape)) {
    case Outline::circle:
      cpCircleShapeSetRadius(shape, random.between(5, 20));
      cpCircleShapeSetOffset(shape, cpvmult(a, 0.2));
      break;
    case Outline::segment:
      cpSegmentShapeSetEndpoints(shape, a, random.vector(25));
      cpSegmentShapeSetRadius(shape, random.between(2, 6));
      break;
    case Outline::polygon:
      cpPolyShapeSetVerts(shape, 3 + random.below(5), corners, cpTransformIdentity);
      cpPolyShapeSetRadius(shape, random.between(0, 2));
      break;
  }
}

void change_shape(SceneState& state, BodySlot& slot) {
  Random& random = state.random;
  cpShape* shape = any_shape_of(slot.body);
  if (shape == nullptr) return;
  const int deed = random.below(9);
  state.note(150 + deed, std::uint64_t{0});
  switch (deed) {
    case 0: cpShapeSetFriction(shape, random.between(0, 1)); break;
    case 1: cpShapeSetElasticity(shape, random.between(0, 0.7)); break;
    case 2: cpShapeSetSurfaceVelocity(shape, random.vector(40)); break;
    case 3: cpShapeSetFilter(shape, random_filter(state)); break;
    case 4: cpShapeSetSensor(shape, !cpShapeGetSensor(shape)); break;
    case 5: cpShapeSetCollisionType(shape, random_type(state)); break;
    case 6:
      if (slot.weighs_by_shapes && cpBodyGetType(slot.body) == CP_BODY_TYPE_DYNAMIC) {
        cpShapeSetMass(shape, random.between(0.5, 3));
      }
      break;
    default: change_outline(state, shape); break;
  }
}

void add_or_remove_shape(SceneState& state, BodySlot& slot) {
  if (slot.weighs_by_shapes) return;
  cpShape* shape = any_shape_of(slot.body);
  if (shape == nullptr || state.random.chance(60)) {
    add_random_shape(state, slot.body, slot.space, false);
    return;
  }
  slot.is_busy = true;
  state.note(173, std::uint64_t{0});
  cpSpaceRemoveShape(cpShapeGetSpace(shape), shape);
  cpShapeFree(shape);
  slot.is_busy = false;
}

void change_joint(SceneState& state, cpConstraint* joint) {
  Random& random = state.random;
  cpConstraintSetMaxForce(joint, random.between(2000, 90000));
  cpConstraintSetErrorBias(joint, random.between(0.01, 0.5));
  cpConstraintSetMaxBias(joint, random.between(10, 400));
  if (cpConstraintIsPinJoint(joint)) cpPinJointSetDist(joint, random.between(10, 80));
  if (cpConstraintIsSlideJoint(joint)) cpSlideJointSetMax(joint, random.between(20, 120));
  if (cpConstraintIsPivotJoint(joint)) cpPivotJointSetAnchorA(joint, random.vector(15));
  if (cpConstraintIsGrooveJoint(joint)) cpGrooveJointSetGrooveB(joint, cpv(40, random.between(0, 20)));
  if (cpConstraintIsDampedSpring(joint)) cpDampedSpringSetRestLength(joint, random.between(10, 90));
  if (cpConstraintIsDampedRotarySpring(joint)) cpDampedRotarySpringSetStiffness(joint, random.between(100, 4000));
  if (cpConstraintIsRotaryLimitJoint(joint)) cpRotaryLimitJointSetMax(joint, random.between(0.1, 2));
  if (cpConstraintIsRatchetJoint(joint)) cpRatchetJointSetRatchet(joint, random.between(0.2, 1.5));
  if (cpConstraintIsGearJoint(joint)) cpGearJointSetRatio(joint, random.between(0.5, 2));
  if (cpConstraintIsSimpleMotor(joint)) cpSimpleMotorSetRate(joint, random.between(-4, 4));
}

void change_space(SceneState& state, cpSpace* space) {
  Random& random = state.random;
  const int deed = random.below(8);
  state.note(160 + deed, std::uint64_t{0});
  switch (deed) {
    case 0: cpSpaceSetGravity(space, cpvadd(cpv(0, -120), random.vector(150))); break;
    case 1: cpSpaceSetDamping(space, random.between(0.7, 1)); break;
    case 2: cpSpaceSetIterations(space, 3 + random.below(10)); break;
    case 3: cpSpaceSetCollisionSlop(space, random.between(0.05, 0.5)); break;
    case 4: cpSpaceSetCollisionPersistence(space, static_cast<cpTimestamp>(1 + random.below(5))); break;
    case 5: cpSpaceReindexStatic(space); break;
    case 6: cpSpaceUseSpatialHash(space, random.between(15, 60), 150); break;
    default: schedule(state, space, nullptr); break;
  }
}

void change_notes(Host& host, SceneState& state) {
  Random& random = state.random;
  if (state.notes != nullptr && random.chance(40)) {
    Note* first = state.notes;
    state.notes = first->next;
    state.note(170, std::uint64_t{0});
    return host.release(first);
  }
  Note* note = host.make_note();
  const BodySlot* about = pick_body(state);
  note->next = state.notes;
  note->about = about == nullptr ? nullptr : about->body;
  note->number = random.next();
  state.notes = note;
  if (random.chance(20)) {
    if (state.counter != nullptr) host.release(state.counter);
    state.counter = host.make_counter();
    state.note(171, std::uint64_t{0});
    for (std::uint64_t& word : state.counter->words) word = random.next();
  }
}

void change_lines(SceneState& state) {
  if (state.lines == nullptr) state.lines = cpPolylineSetNew();
  if (state.lines->count > 4) {
    cpPolylineSetFree(state.lines, cpTrue);
    state.note(172, std::uint64_t{0});
    state.lines = cpPolylineSetNew();
  }
  cpVect at = state.random.vector(100);
  for (int i = 0; i < 5; ++i) {
    const cpVect next = cpvadd(at, state.random.vector(20));
    cpPolylineSetCollectSegment(at, next, state.lines);
    at = next;
  }
}

}  // namespace

void act(Host& host, SceneState& state) {
  Random& random = state.random;
  cpSpace* space = state.spaces[random.below(kSpacesMax)];
  if (space == nullptr) space = state.spaces[0];
  const int which = random.below(100);
  if (which < 8) return add_random_body(state, random.below(kSpacesMax));
  if (which < 12) return add_random_joint(state);
  if (which < 14) return change_space(state, space);
  if (which < 18) return change_notes(host, state);
  if (which < 20) return change_lines(state);
  if (which < 30) return query(state, space);
  if (which < 32) return add_static(state, random.chance(70) ? 0 : 1);
  if (which < 34) {
    StaticSlot& slot = state.statics[random.below(kStaticsMax)];
    return slot.shape == nullptr ? void() : remove_static(slot);
  }
  if (which < 40) {
    JointSlot* joint = pick_joint(state);
    if (joint == nullptr) return;
    return random.chance(25) ? remove_joint(state, *joint) : change_joint(state, joint->joint);
  }
  BodySlot* slot = pick_body(state);
  if (slot == nullptr) return;
  if (which < 46) return remove_body(state, *slot);
  if (which < 54) return add_or_remove_shape(state, *slot);
  if (which < 66) return change_shape(state, *slot);
  if (which < 80) return change_body(state, *slot);
  push(state, *slot);
}

}  // namespace random_scene
