// SPDX-License-Identifier: MIT
#include "random_scene.h"

#include <cmath>

namespace random_scene {
namespace {

std::uint64_t id_of(const cpShape* shape) { return reinterpret_cast<std::uintptr_t>(cpShapeGetUserData(shape)); }
std::uint64_t id_of(const cpBody* body) {
  const auto* slot = static_cast<const BodySlot*>(cpBodyGetUserData(body));
  return slot == nullptr ? 0 : static_cast<std::uint64_t>(slot->id);
}
std::uint64_t pair_of(const cpArbiter* arbiter) {
  cpShape* a = nullptr;
  cpShape* b = nullptr;
  cpArbiterGetShapes(arbiter, &a, &b);
  return id_of(a) * 65536 + id_of(b);
}

BodySlot* slot_of(const cpArbiter* arbiter) {
  cpBody* a = nullptr;
  cpBody* b = nullptr;
  cpArbiterGetBodies(arbiter, &a, &b);
  auto* slot = static_cast<BodySlot*>(cpBodyGetUserData(a));
  return slot != nullptr ? slot : static_cast<BodySlot*>(cpBodyGetUserData(b));
}

void remove_body_later(cpSpace*, void* key, void* data) {
  auto& state = *static_cast<SceneState*>(data);
  auto& slot = *static_cast<BodySlot*>(key);
  state.note(1, static_cast<std::uint64_t>(slot.id));
  if (slot.body != nullptr && !slot.is_busy) remove_body(state, slot);
}

void add_body_later(cpSpace* space, void* key, void* data) {
  auto& state = *static_cast<SceneState*>(data);
  state.note(2, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(key)));
  for (int i = 0; i < kSpacesMax; ++i) {
    if (state.spaces[i] == space) add_random_body(state, i);
  }
}

void remove_joint_later(cpSpace*, void* key, void* data) {
  auto& state = *static_cast<SceneState*>(data);
  auto& slot = *static_cast<JointSlot*>(key);
  state.note(3, static_cast<std::uint64_t>(slot.id));
  if (slot.joint != nullptr) remove_joint(state, slot);
}

void add_joint_later(cpSpace*, void*, void* data) { add_random_joint(*static_cast<SceneState*>(data)); }

cpBool on_begin(cpArbiter* arbiter, cpSpace* space, void* data) {
  auto& handler = *static_cast<HandlerData*>(data);
  SceneState& state = scene_of(space);
  ++handler.calls;
  state.note(10 + handler.id, pair_of(arbiter));
  if (state.random.chance(4)) return cpArbiterIgnore(arbiter);
  return !state.random.chance(4);
}

cpBool on_pre_solve(cpArbiter* arbiter, cpSpace* space, void* data) {
  auto& handler = *static_cast<HandlerData*>(data);
  SceneState& state = scene_of(space);
  ++handler.calls;
  state.note(20 + handler.id, pair_of(arbiter));
  if (state.random.chance(10)) cpArbiterSetFriction(arbiter, state.random.between(0, 1));
  if (state.random.chance(10)) cpArbiterSetRestitution(arbiter, state.random.between(0, 0.8));
  if (state.random.chance(5)) cpArbiterSetSurfaceVelocity(arbiter, state.random.vector(20));
  if (state.random.chance(5)) cpArbiterSetUserData(arbiter, &handler);
  cpContactPointSet points = cpArbiterGetContactPointSet(arbiter);
  for (int i = 0; i < points.count; ++i) state.note(20, points.points[i].distance);
  return !state.random.chance(2);
}

void on_post_solve(cpArbiter* arbiter, cpSpace* space, void* data) {
  auto& handler = *static_cast<HandlerData*>(data);
  SceneState& state = scene_of(space);
  ++handler.calls;
  state.note(30 + handler.id, pair_of(arbiter));
  state.note(30, cpArbiterTotalImpulse(arbiter));
  if (cpArbiterGetUserData(arbiter) == data) state.note(31, cpArbiterTotalKE(arbiter));
  if (state.random.below(400) == 0) schedule(state, space, slot_of(arbiter));
}

void on_separate(cpArbiter* arbiter, cpSpace* space, void* data) {
  auto& handler = *static_cast<HandlerData*>(data);
  SceneState& state = scene_of(space);
  ++handler.calls;
  if (!state.in_order) {
    state.separated += pair_of(arbiter);
    return;
  }
  state.note(40 + handler.id, pair_of(arbiter));
  if (state.random.chance(3)) schedule(state, space, slot_of(arbiter));
}

void equip(cpCollisionHandler* handler, HandlerData& data, bool begin, bool solve) {
  handler->userData = &data;
  if (begin) handler->beginFunc = &on_begin;
  if (solve) handler->preSolveFunc = &on_pre_solve;
  handler->postSolveFunc = &on_post_solve;
  handler->separateFunc = &on_separate;
}

void swim(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  SceneState& state = scene_of(cpBodyGetSpace(body));
  state.note(50, id_of(body));
  cpBodyUpdateVelocity(body, cpvmult(gravity, 0.2), damping * 0.98, dt);
  cpBodySetVelocity(body, cpvclamp(cpBodyGetVelocity(body), 200));
}

void orbit(cpBody* body, cpVect, cpFloat damping, cpFloat dt) {
  SceneState& state = scene_of(cpBodyGetSpace(body));
  state.note(51, id_of(body));
  cpBodyUpdateVelocity(body, cpvmult(cpvsub(cpv(0, 200), cpBodyGetPosition(body)), 2), damping, dt);
}

void move_in_steps(cpBody* body, cpFloat dt) {
  SceneState& state = scene_of(cpBodyGetSpace(body));
  state.note(52, id_of(body));
  cpBodyUpdatePosition(body, dt * 0.5);
  cpBodyUpdatePosition(body, dt * 0.5);
  if (state.random.below(200) == 0) cpBodySetPosition(body, cpvadd(cpBodyGetPosition(body), state.random.vector(10)));
}

cpFloat soft_force(cpConstraint* spring, cpFloat distance) {
  return cpfclamp((cpDampedSpringGetRestLength(spring) - distance) * 20, -3000, 3000);
}
cpFloat soft_torque(cpConstraint* spring, cpFloat angle) {
  return cpfclamp((angle - cpDampedRotarySpringGetRestAngle(spring)) * 500, -5000, 5000);
}

void before_joint(cpConstraint* joint, cpSpace* space) {
  auto& slot = *static_cast<JointSlot*>(cpConstraintGetUserData(joint));
  scene_of(space).note(60, static_cast<std::uint64_t>(slot.id));
}

void after_joint(cpConstraint* joint, cpSpace* space) {
  auto& slot = *static_cast<JointSlot*>(cpConstraintGetUserData(joint));
  SceneState& state = scene_of(space);
  const double impulse = cpConstraintGetImpulse(joint);
  state.note(61, impulse);
  if (impulse > slot.break_impulse * kTimeStep) cpSpaceAddPostStepCallback(space, &remove_joint_later, &slot, &state);
}

void found_point(cpShape* shape, cpVect point, cpFloat distance, cpVect, void* data) {
  auto& state = *static_cast<SceneState*>(data);
  state.note(70, id_of(shape));
  state.note(70, cpvmult(point, distance));
  if (state.random.chance(3)) schedule(state, cpShapeGetSpace(shape), nullptr);
}
void found_on_segment(cpShape* shape, cpVect point, cpVect normal, cpFloat alpha, void* data) {
  auto& state = *static_cast<SceneState*>(data);
  state.note(71, id_of(shape));
  state.note(71, cpvlerp(point, normal, alpha));
}
void found_in_box(cpShape* shape, void* data) { static_cast<SceneState*>(data)->note(72, id_of(shape)); }
void found_under_shape(cpShape* shape, cpContactPointSet* points, void* data) {
  auto& state = *static_cast<SceneState*>(data);
  state.note(73, id_of(shape));
  state.note(73, points->normal);
}

}  // namespace

void schedule(SceneState& state, cpSpace* space, BodySlot* slot) {
  void* number = reinterpret_cast<void*>(static_cast<std::uintptr_t>(++state.next_id));
  if (slot != nullptr && slot->body != nullptr && state.random.chance(60)) {
    cpSpaceAddPostStepCallback(space, &remove_body_later, slot, &state);
  } else if (state.random.chance(70)) {
    cpSpaceAddPostStepCallback(space, &add_body_later, number, &state);
  } else {
    cpSpaceAddPostStepCallback(space, &add_joint_later, number, &state);
  }
}

void add_handlers(SceneState& state, cpSpace* space) {
  Random& random = state.random;
  const auto fourth = reinterpret_cast<cpCollisionType>(&state.handlers[4]);
  if (random.chance(70)) equip(cpSpaceAddCollisionHandler(space, 1, 2), state.handlers[1], true, random.chance(50));
  if (random.chance(50))
    equip(cpSpaceAddCollisionHandler(space, 2, fourth), state.handlers[4], random.chance(50), true);
  if (random.chance(50)) equip(cpSpaceAddWildcardHandler(space, 3), state.handlers[3], random.chance(50), true);
  if (random.chance(30)) equip(cpSpaceAddDefaultCollisionHandler(space), state.handlers[0], true, true);
}

void equip(SceneState& state, cpBody* body) {
  const int which = state.random.below(10);
  if (which == 0) cpBodySetVelocityUpdateFunc(body, &swim);
  if (which == 1) cpBodySetVelocityUpdateFunc(body, &orbit);
  if (state.random.chance(10)) cpBodySetPositionUpdateFunc(body, &move_in_steps);
}

void equip(SceneState& state, cpConstraint* joint) {
  if (cpConstraintIsDampedSpring(joint) && state.random.chance(40))
    cpDampedSpringSetSpringForceFunc(joint, &soft_force);
  if (cpConstraintIsDampedRotarySpring(joint) && state.random.chance(40)) {
    cpDampedRotarySpringSetSpringTorqueFunc(joint, &soft_torque);
  }
  if (state.random.chance(30)) cpConstraintSetPreSolveFunc(joint, &before_joint);
  if (state.random.chance(50)) cpConstraintSetPostSolveFunc(joint, &after_joint);
}

void query(SceneState& state, cpSpace* space) {
  Random& random = state.random;
  const cpVect at = random_position(state);
  const cpVect to = cpvadd(at, random.vector(200));
  const cpShapeFilter filter = random.chance(60) ? CP_SHAPE_FILTER_ALL : random_filter(state);
  cpPointQueryInfo nearest;
  cpSegmentQueryInfo first;
  switch (random.below(6)) {
    case 0: cpSpacePointQuery(space, at, 60, filter, &found_point, &state); break;
    case 1: cpSpaceSegmentQuery(space, at, to, 3, filter, &found_on_segment, &state); break;
    case 2: cpSpaceBBQuery(space, cpBBNewForExtents(at, 80, 50), filter, &found_in_box, &state); break;
    case 3:
      if (cpSpacePointQueryNearest(space, at, 100, filter, &nearest) != nullptr) state.note(74, nearest.distance);
      break;
    case 4:
      if (cpSpaceSegmentQueryFirst(space, at, to, 2, filter, &first) != nullptr) state.note(75, first.alpha);
      break;
    default: {
      cpBody* body = cpBodyNewKinematic();
      cpShape* shape = cpBoxShapeNew(body, 60, 60, 0);
      cpBodySetPosition(body, at);
      state.note(76, static_cast<std::uint64_t>(cpSpaceShapeQuery(space, shape, &found_under_shape, &state)));
      cpShapeFree(shape);
      cpBodyFree(body);
    }
  }
}

void for_each_callback(void (*name)(const char* name, const void* function)) {
#define FORKMUNK_NAMED(function) name(#function, reinterpret_cast<const void*>(&function))
  FORKMUNK_NAMED(remove_body_later);
  FORKMUNK_NAMED(add_body_later);
  FORKMUNK_NAMED(remove_joint_later);
  FORKMUNK_NAMED(add_joint_later);
  FORKMUNK_NAMED(on_begin);
  FORKMUNK_NAMED(on_pre_solve);
  FORKMUNK_NAMED(on_post_solve);
  FORKMUNK_NAMED(on_separate);
  FORKMUNK_NAMED(swim);
  FORKMUNK_NAMED(orbit);
  FORKMUNK_NAMED(move_in_steps);
  FORKMUNK_NAMED(soft_force);
  FORKMUNK_NAMED(soft_torque);
  FORKMUNK_NAMED(before_joint);
  FORKMUNK_NAMED(after_joint);
#undef FORKMUNK_NAMED
}

}  // namespace random_scene
