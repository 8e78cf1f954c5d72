// SPDX-License-Identifier: MIT
#include "random_scene.h"

#include <algorithm>
#include <cmath>

namespace random_scene {
namespace {

constexpr int kPlanesInside = 6;

template <typename Slot, std::size_t Count>
Slot* pick(SceneState& state, Slot (&slots)[Count], bool (*fits)(const Slot&, int), int what) {
  const int start = state.random.below(static_cast<int>(Count));
  for (std::size_t i = 0; i < Count; ++i) {
    Slot& slot = slots[(static_cast<std::size_t>(start) + i) % Count];
    if (fits(slot, what)) return &slot;
  }
  return nullptr;
}

cpShape* random_polygon(SceneState& state, cpBody* body) {
  cpVect corners[12];
  const int count = 3 + state.random.below(10);
  const double radius = state.random.between(8, 24);
  for (int i = 0; i < count; ++i) {
    const double angle = (i + state.random.between(0, 0.6)) * 6.283185307179586 / count;
    corners[i] = cpv(radius * std::cos(angle), radius * std::sin(angle));
  }
  return cpPolyShapeNew(body, count, corners, cpTransformIdentity, state.random.chance(50) ? 0 : 1.5);
}

cpShape* random_outline(SceneState& state, cpBody* body, Outline outline) {
  Random& random = state.random;
  if (outline == Outline::circle) return cpCircleShapeNew(body, random.between(5, 20), random.vector(5));
  if (outline == Outline::segment) {
    const cpVect a = random.vector(25);
    const cpVect b = random.vector(25);
    return cpSegmentShapeNew(body, a, b, random.between(2, 6));
  }
  if (random.chance(50)) return random_polygon(state, body);
  const double width = random.between(10, 40);
  return cpBoxShapeNew(body, width, random.between(10, 40), random.chance(50) ? 0 : 1);
}

cpConstraint* random_joint(SceneState& state, cpBody* a, cpBody* b) {
  Random& random = state.random;
  const cpVect at_a = random.vector(15);
  const cpVect at_b = random.vector(15);
  const double x = random.between(0, 1);
  const int kind = random.below(10);
  state.note(100 + kind, std::uint64_t{0});
  switch (kind) {
    case 0: return cpPinJointNew(a, b, at_a, at_b);
    case 1: return cpSlideJointNew(a, b, at_a, at_b, 5, random.between(20, 120));
    case 2: return cpPivotJointNew2(a, b, at_a, at_b);
    case 3: return cpGrooveJointNew(a, b, cpv(-30, 0), cpv(30, random.between(1, 20)), at_b);
    case 4: return cpDampedSpringNew(a, b, at_a, at_b, 10 + 80 * x, random.between(5, 60), 2);
    case 5: return cpDampedRotarySpringNew(a, b, 2 * x - 1, random.between(100, 4000), 50);
    case 6: return cpRotaryLimitJointNew(a, b, -x, random.between(0.1, 2));
    case 7: return cpRatchetJointNew(a, b, 0, random.between(0.2, 1.5));
    case 8: return cpGearJointNew(a, b, 2 * x - 1, random.between(0.5, 2));
    default: return cpSimpleMotorNew(a, b, random.between(-4, 4));
  }
}

}  // namespace

BodySlot* pick_body(SceneState& state, int space) {
  return pick<BodySlot>(
      state, state.bodies,
      [](const BodySlot& slot, int wanted) {
        return slot.body != nullptr && !slot.is_busy && (wanted < 0 || slot.space == wanted);
      },
      space);
}

JointSlot* pick_joint(SceneState& state) {
  return pick<JointSlot>(
      state, state.joints, [](const JointSlot& slot, int) { return slot.joint != nullptr; }, 0);
}

cpVect random_position(SceneState& state) {
  const double x = state.random.between(-220, 220);
  return cpv(x, state.random.between(30, 390));
}

cpShapeFilter random_filter(SceneState& state) {
  Random& random = state.random;
  cpGroup group = 0;
  if (random.chance(20)) group = static_cast<cpGroup>(1 + random.below(3));
  if (random.chance(10)) group = reinterpret_cast<cpGroup>(&state.joints[random.below(4)]);  // as some games do
  const cpBitmask categories = random.chance(80) ? CP_ALL_CATEGORIES : 1u << random.below(4);
  return cpShapeFilterNew(group, categories, random.chance(80) ? CP_ALL_CATEGORIES : ~(1u << random.below(4)));
}

cpCollisionType random_type(SceneState& state) {
  const int which = state.random.below(5);
  return which == 4 ? reinterpret_cast<cpCollisionType>(&state.handlers[4]) : static_cast<cpCollisionType>(which);
}

cpShape* add_random_shape(SceneState& state, cpBody* body, int space, bool with_mass) {
  Random& random = state.random;
  const auto outline = static_cast<Outline>(std::min(random.below(4), 2));
  cpShape* shape = random_outline(state, body, outline);
  cpShapeSetFriction(shape, random.between(0, 1));
  cpShapeSetElasticity(shape, random.between(0, 0.7));
  cpShapeSetCollisionType(shape, random_type(state));
  cpShapeSetFilter(shape, random_filter(state));
  const int id = ++state.next_id;
  const bool has_planes = outline == Outline::polygon && cpPolyShapeGetCount(shape) > kPlanesInside;
  state.note(has_planes ? 113 : 110 + static_cast<int>(outline), static_cast<std::uint64_t>(id));
  cpShapeSetUserData(shape, reinterpret_cast<void*>(static_cast<std::uintptr_t>(id * 4 + static_cast<int>(outline))));
  if (random.chance(8)) {
    cpShapeSetSensor(shape, cpTrue);
    state.note(114, std::uint64_t{0});
  }
  if (random.chance(10)) cpShapeSetSurfaceVelocity(shape, random.vector(30));
  if (with_mass) cpShapeSetMass(shape, random.between(0.5, 3));
  return cpSpaceAddShape(state.spaces[space], shape);
}

void add_random_body(SceneState& state, int space) {
  Random& random = state.random;
  auto* slot = pick<BodySlot>(
      state, state.bodies, [](const BodySlot& s, int) { return s.body == nullptr; }, 0);
  if (slot == nullptr || state.spaces[space] == nullptr || space == state.closing_space) return;
  const bool is_kinematic = random.chance(8);
  const bool weighs_by_shapes = !is_kinematic && random.chance(15);
  const double mass = random.between(0.5, 4);
  const double moment = mass * random.between(60, 400);
  cpBody* body = is_kinematic ? cpBodyNewKinematic() : weighs_by_shapes ? cpBodyNew(0, 0) : cpBodyNew(mass, moment);
  *slot = {body, ++state.next_id, space, false, weighs_by_shapes};
  state.note(is_kinematic ? 116 : weighs_by_shapes ? 117 : 115, static_cast<std::uint64_t>(slot->id));
  cpBodySetUserData(body, slot);
  cpBodySetPosition(body, random_position(state));
  cpBodySetAngle(body, random.between(-3, 3));
  cpSpaceAddBody(state.spaces[space], body);
  const int shape_count = 1 + random.below(3);
  for (int i = 0; i < shape_count; ++i) add_random_shape(state, body, space, weighs_by_shapes);
  cpBodySetVelocity(body, random.vector(is_kinematic ? 15 : 120));
  cpBodySetAngularVelocity(body, random.between(-2, 2));
  equip(state, body);
}

void add_random_joint(SceneState& state) {
  auto* slot = pick<JointSlot>(
      state, state.joints, [](const JointSlot& s, int) { return s.joint == nullptr; }, 0);
  BodySlot* one = pick_body(state);
  if (slot == nullptr || one == nullptr || one->space == state.closing_space) return;
  cpSpace* space = state.spaces[one->space];
  const BodySlot* other = pick_body(state, one->space);
  cpBody* b = other == one || state.random.chance(25) ? cpSpaceGetStaticBody(space) : other->body;
  const bool is_swapped = state.random.chance(30);
  cpConstraint* joint = random_joint(state, is_swapped ? b : one->body, is_swapped ? one->body : b);
  *slot = {joint, ++state.next_id, 0, state.random.between(200, 5000)};
  cpConstraintSetUserData(joint, slot);
  cpConstraintSetMaxForce(joint, state.random.between(5000, 90000));
  cpConstraintSetCollideBodies(joint, state.random.chance(60));
  equip(state, joint);
  cpSpaceAddConstraint(space, joint);
}

void add_static(SceneState& state, int space) {
  auto* slot = pick<StaticSlot>(
      state, state.statics, [](const StaticSlot& s, int) { return s.shape == nullptr; }, 0);
  if (slot == nullptr || state.spaces[space] == nullptr) return;
  const cpVect a = random_position(state);
  cpShape* shape =
      cpSegmentShapeNew(cpSpaceGetStaticBody(state.spaces[space]), a, cpvadd(a, state.random.vector(60)), 4);
  cpShapeSetFriction(shape, 1);
  cpShapeSetCollisionType(shape, random_type(state));
  *slot = {cpSpaceAddShape(state.spaces[space], shape), space};
}

void remove_static(StaticSlot& slot) {
  cpShape* shape = slot.shape;
  slot.shape = nullptr;
  cpSpaceRemoveShape(cpShapeGetSpace(shape), shape);
  cpShapeFree(shape);
}

void remove_joint(SceneState& state, JointSlot& slot) {
  state.note(90, static_cast<std::uint64_t>(slot.id));
  cpConstraint* joint = slot.joint;
  slot.joint = nullptr;
  cpSpaceRemoveConstraint(cpConstraintGetSpace(joint), joint);
  cpConstraintFree(joint);
}

// Scheduled deeds run now, and may remove other bodies.
void remove_body(SceneState& state, BodySlot& slot) {
  state.note(91, static_cast<std::uint64_t>(slot.id));
  slot.is_busy = true;
  cpBody* body = slot.body;
  cpSpace* space = state.spaces[slot.space];
  for (JointSlot& joint : state.joints) {
    if (joint.joint == nullptr) continue;
    if (cpConstraintGetBodyA(joint.joint) == body || cpConstraintGetBodyB(joint.joint) == body) {
      remove_joint(state, joint);
    }
  }
  cpShape* shape = nullptr;
  const auto find = [](cpBody*, cpShape* s, void* found) { *static_cast<cpShape**>(found) = s; };
  for (cpBodyEachShape(body, find, &shape); shape != nullptr; cpBodyEachShape(body, find, &shape)) {
    cpSpaceRemoveShape(space, shape);
    cpShapeFree(shape);
    shape = nullptr;
  }
  cpSpaceRemoveBody(space, body);
  cpBodyFree(body);
  for (Note* note = state.notes; note != nullptr; note = note->next) {
    if (note->about == body) note->about = nullptr;
  }
  slot = {};
}

}  // namespace random_scene
