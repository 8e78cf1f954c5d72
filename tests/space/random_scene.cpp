// SPDX-License-Identifier: MIT
#include "random_scene.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace random_scene {
namespace {

constexpr double kFarAway = 2000;
constexpr double kFast = 4000;

void walls(SceneState& state, int space) {
  static constexpr cpVect corners[] = {{-250, 0}, {250, 0}, {250, 420}, {-250, 420}};
  cpSpace* where = state.spaces[space];
  for (int i = 0; i < 4; ++i) {
    cpShape* wall = cpSegmentShapeNew(cpSpaceGetStaticBody(where), corners[i], corners[(i + 1) % 4], 6);
    cpShapeSetFriction(wall, 0.8);
    cpShapeSetElasticity(wall, 0.4);
    cpSpaceAddShape(where, wall);
  }
}

void open_space(SceneState& state, int space, cpSpace* made) {
  Random& random = state.random;
  state.note(120, static_cast<std::uint64_t>(space));
  state.spaces[space] = made;
  cpSpaceSetUserData(made, &state);
  cpSpaceSetGravity(made, cpvadd(cpv(0, -150), random.vector(100)));
  cpSpaceSetIterations(made, 3 + random.below(10));
  cpSpaceSetDamping(made, random.between(0.7, 1));
  if (random.chance(70)) cpSpaceSetSleepTimeThreshold(made, random.between(0.1, 0.6));
  if (random.chance(50)) cpSpaceSetIdleSpeedThreshold(made, random.between(5, 40));
  if (random.chance(40)) {
    cpSpaceUseSpatialHash(made, random.between(15, 60), 200);
    state.note(122, std::uint64_t{0});
  }
  add_handlers(state, made);
  walls(state, space);
}

void close_space(SceneState& state, int space) {
  state.note(121, static_cast<std::uint64_t>(space));
  state.closing_space = space;
  for (bool found = true; found;) {  // a removal's callbacks may remove others
    found = false;
    for (BodySlot& slot : state.bodies) {
      if (slot.body == nullptr || slot.space != space || slot.is_busy) continue;
      remove_body(state, slot);
      found = true;
    }
  }
  for (StaticSlot& slot : state.statics) {
    if (slot.shape != nullptr && slot.space == space) remove_static(slot);
  }
  cpSpace* closed = state.spaces[space];
  cpBody* walls = cpSpaceGetStaticBody(closed);
  cpShape* wall = nullptr;
  const auto find = [](cpBody*, cpShape* shape, void* found) { *static_cast<cpShape**>(found) = shape; };
  for (cpBodyEachShape(walls, find, &wall); wall != nullptr; cpBodyEachShape(walls, find, &wall)) {
    cpSpaceRemoveShape(closed, wall);
    cpShapeFree(wall);
    wall = nullptr;
  }
  cpSpaceFree(closed);
  state.spaces[space] = nullptr;
  state.closing_space = -1;
}

// Chipmunk's indices cannot count beyond these coordinates.
void remove_out_of_range(SceneState& state) {
  for (BodySlot& slot : state.bodies) {
    if (slot.body == nullptr || slot.is_busy) continue;
    const cpVect p = cpBodyGetPosition(slot.body);
    const cpVect v = cpBodyGetVelocity(slot.body);
    const bool is_near = std::abs(p.x) < kFarAway && std::abs(p.y) < kFarAway && std::abs(v.x) < kFast &&
                         std::abs(v.y) < kFast && std::abs(cpBodyGetAngularVelocity(slot.body)) < kFast;
    if (!is_near) remove_body(state, slot);
  }
}

void set_up(Host& host, SceneState& state) {
  for (int i = 0; i < kHandlerCount; ++i) state.handlers[i] = {&state, i, 0};
  state.closing_space = -1;
  open_space(state, 0, host.main_space());
  if (state.random.chance(40)) open_space(state, 1, cpSpaceNew());
  const int body_count = 8 + state.random.below(20);
  for (int i = 0; i < body_count; ++i) add_random_body(state, state.spaces[1] != nullptr ? state.random.below(2) : 0);
  const int joint_count = state.random.below(16);
  for (int i = 0; i < joint_count; ++i) add_random_joint(state);
  for (int i = 0; i < 4; ++i) add_static(state, 0);
}

void act_and_tidy(Host& host, SceneState& state) {
  if (state.random.chance(2) && state.tick > 5) {
    const int space = 1 + state.random.below(kSpacesMax - 1);
    state.spaces[space] == nullptr ? open_space(state, space, cpSpaceNew()) : close_space(state, space);
  }
  const int count = state.random.below(4);
  for (int i = 0; i < count; ++i) act(host, state);
  remove_out_of_range(state);
}

}  // namespace

void SceneState::note(int what, double x) {
  // The sign of a NaN depends on a compiler's order of operands.
  if (std::isnan(x)) x = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  note(what, bits);
}

void SceneState::note(int what, cpVect v) {
  note(what, v.x);
  note(what, v.y);
}

SceneState* build(Host& host, std::uint64_t seed, bool in_order) {
  SceneState* state = host.make_scene();
  state->random.state = seed * 0x2545f4914f6cdd1du + 1;
  state->in_order = in_order;
  host.act_inside(*state, &set_up);
  return state;
}

void advance(Host& host, SceneState& state) {
  host.act_inside(state, &act_and_tidy);
  for (cpSpace* space : state.spaces) {
    if (space != nullptr) host.step(space, kTimeStep);
  }
  for (const BodySlot& slot : state.bodies) {
    if (slot.body != nullptr && cpBodyIsSleeping(slot.body)) state.note(123, static_cast<std::uint64_t>(slot.id));
  }
  ++state.tick;
}

std::uint64_t hash_of_motion(const SceneState& state) {
  SceneState sum{};
  sum.note(0, state.log);
  sum.note(1, state.separated);
  sum.note(2, state.random.state);
  for (const BodySlot& slot : state.bodies) {
    if (slot.body == nullptr) continue;
    sum.note(3, static_cast<std::uint64_t>(slot.id));
    sum.note(4, cpBodyGetPosition(slot.body));
    sum.note(5, cpBodyGetVelocity(slot.body));
    sum.note(6, cpBodyGetAngle(slot.body));
    sum.note(7, cpBodyGetAngularVelocity(slot.body));
    sum.note(8, std::uint64_t{cpBodyIsSleeping(slot.body) != 0});
  }
  return sum.log;
}

}  // namespace random_scene
