// SPDX-License-Identifier: MIT
#include "built_scene.h"

#include "observe.h"

#include <cmath>

#include <chipmunk/chipmunk_structs.h>

namespace lockstep_scene {
namespace {

using lockstep::Plan;
using lockstep::Trouble;

constexpr double kSize = 20;

}  // namespace

BuiltScene::BuiltScene(const Plan& plan, cpSpace* space)
    : plan_(plan),
      space_(space),
      random_{plan.seed * 0x9e3779b97f4a7c15u + 7},
      joint_kind_(static_cast<int>(plan.seed % 14) - 4) {
  cpSpaceSetUserData(space, this);
  cpSpaceSetGravity(space, cpv(0, -300));
  if (random_.chance(30)) cpSpaceSetIterations(space, 1 + random_.below(15));
  if (random_.chance(30)) cpSpaceSetDamping(space, random_.between(0.5, 1));
  if (has(Trouble::sleep)) {
    cpSpaceSetSleepTimeThreshold(space, random_.between(0.05, 0.3));
    cpSpaceSetIdleSpeedThreshold(space, 30);
  }
  switch (random_.below(4)) {
    case 0: build_pyramid(); break;
    case 1: build_chains(); break;
    default: build_heap(); break;
  }
  if (has(Trouble::odd_joints)) add_odd_joints();
  if (has(Trouble::callbacks) || has(Trouble::other_spaces)) add_handlers();
  if (has(Trouble::other_spaces)) {
    other_ = cpSpaceNew();
    cpSpaceSetGravity(other_, cpv(0, -100));
    cpShape* ground = cpSegmentShapeNew(cpSpaceGetStaticBody(other_), cpv(-100, 0), cpv(100, 0), 1);
    cpSpaceAddShape(other_, ground);
    for (int i = 0; i < 12; ++i) {
      cpBody* body = cpSpaceAddBody(other_, cpBodyNew(1, 60));
      cpBodySetPosition(body, cpv(i % 4 * 21.0 - 40, 12 + i / 4 * 20.0));
      cpSpaceAddShape(other_, cpBoxShapeNew(body, kSize, kSize, 0));
    }
  }
}

void BuiltScene::add_floor() {
  cpBody* ground = cpSpaceGetStaticBody(space_);
  const double half = (std::sqrt(plan_.body_count) + 3) * kSize;
  const cpVect corners[] = {{-half, 8 * half}, {-half, 0}, {half, 0}, {half, 8 * half}};
  for (int i = 0; i < 3; ++i) {
    cpShape* wall = cpSegmentShapeNew(ground, corners[i], corners[i + 1], random_.chance(50) ? 0 : 3);
    cpShapeSetFriction(wall, 0.7);
    if (random_.chance(30)) cpShapeSetSurfaceVelocity(wall, cpv(20, 0));
    cpSpaceAddShape(space_, wall);
  }
  cpBody* lift = cpBodyNewStatic();
  if (random_.chance(50)) cpSpaceAddBody(space_, lift);
  moved_ = cpBoxShapeNew(lift, half / 2, 8, 0);
  cpSpaceAddShape(space_, moved_);
  cpShape* sensor = cpBoxShapeNew2(ground, cpBBNew(-half / 3, 10, half / 3, 60), 0);
  cpShapeSetSensor(sensor, cpTrue);
  cpSpaceAddShape(space_, sensor);
}

void BuiltScene::add_drum() {
  const double half = (0.6 * std::sqrt(plan_.body_count) + 3) * kSize;
  drum_ = cpSpaceAddBody(space_, cpBodyNewKinematic());
  cpBodySetAngularVelocity(drum_, 0.4);
  const cpVect corners[] = {{-half, -half}, {-half, half}, {half, half}, {half, -half}};
  for (int i = 0; i < 4; ++i) {
    cpShape* wall = cpSegmentShapeNew(drum_, corners[i], corners[(i + 1) % 4], 4);
    cpShapeSetFriction(wall, 0.6);
    cpSpaceAddShape(space_, wall);
  }
}

cpBody* BuiltScene::new_body(cpVect position) {
  const double mass = random_.chance(50) ? 1 : random_.between(0.2, 5);
  const double moment = random_.chance(4) ? INFINITY : mass * random_.between(30, 200);
  cpBody* body = cpSpaceAddBody(space_, cpBodyNew(mass, moment));
  cpBodySetPosition(body, position);
  bodies_.push_back(body);
  return body;
}

void BuiltScene::add_shape(cpBody* body) {
  const double r = random_.between(5, 0.5 * kSize);
  const double radius = random_.chance(30) ? random_.between(0, 2) : 0;
  cpShape* shape = nullptr;
  const int outline = random_.below(6);
  if (outline == 0) {
    shape = cpCircleShapeNew(body, r, random_.vector(2));
  } else if (outline == 1) {
    shape = cpSegmentShapeNew(body, random_.vector(r), random_.vector(r), 1 + radius);
    if (random_.chance(30)) cpSegmentShapeSetNeighbors(shape, random_.vector(r), random_.vector(r));
  } else if (outline < 4) {
    shape = cpBoxShapeNew(body, 2 * r, random_.chance(50) ? 2 * r : r, radius);
  } else {
    cpVect corners[9];
    const int count = 3 + random_.below(7);
    for (cpVect& corner : corners) corner = random_.vector(r);
    shape = cpPolyShapeNew(body, count, corners, cpTransformIdentity, radius);
  }
  cpShapeSetFriction(shape, random_.between(0, 1));
  if (random_.chance(30)) cpShapeSetElasticity(shape, random_.between(0, 0.8));
  if (random_.chance(5)) cpShapeSetSensor(shape, cpTrue);
  if (random_.chance(10))
    cpShapeSetFilter(shape, cpShapeFilterNew(random_.next() % 3, 3, random_.chance(50) ? 1u : 3u));
  if (random_.chance(10)) cpShapeSetSurfaceVelocity(shape, random_.vector(20));
  cpShapeSetCollisionType(shape, random_.next() % 5);
  cpSpaceAddShape(space_, shape);
}

void BuiltScene::build_pyramid() {
  add_floor();
  int base = 1;
  while (base * (base + 1) / 2 < plan_.body_count) ++base;
  for (int row = 0, left = plan_.body_count; left > 0; ++row) {
    for (int i = 0; i < base - row && left > 0; ++i, --left) {
      cpBody* body = cpSpaceAddBody(space_, cpBodyNew(1, cpMomentForBox(1, kSize, kSize)));
      cpBodySetPosition(body, cpv((i - 0.5 * (base - row - 1)) * (kSize + 1), (row + 0.5) * kSize));
      bodies_.push_back(body);
      cpShape* box = cpBoxShapeNew(body, kSize, kSize, 0);
      cpShapeSetFriction(box, 0.6);
      cpSpaceAddShape(space_, box);
    }
  }
}

void BuiltScene::build_chains() {
  add_floor();
  cpBody* above = nullptr;
  const bool pivots_only = random_.chance(50);
  for (int i = 0; i < plan_.body_count; ++i) {
    if (i % 10 == 0) above = cpSpaceGetStaticBody(space_);
    const cpVect pivot = cpv(i / 10 * 2.0 * kSize, 100 - i % 10 * kSize);
    cpBody* link = new_body(cpvadd(pivot, cpv(0, -kSize / 2)));
    if (random_.chance(80)) add_shape(link);
    if (pivots_only) {
      cpConstraint* joint = cpSpaceAddConstraint(space_, cpPivotJointNew(above, link, pivot));
      cpConstraintSetCollideBodies(joint, cpFalse);
    } else {
      add_joint(above, link);
    }
    if (i % 10 == 0) cpBodySetVelocity(link, cpv(50, 0));
    above = link;
  }
}

void BuiltScene::build_heap() {
  random_.chance(50) ? add_floor() : add_drum();
  const int columns = static_cast<int>(std::sqrt(plan_.body_count)) + 1;
  const bool alike = random_.chance(30);
  const int joints_percent = random_.chance(60) ? random_.below(100) : 0;
  for (int i = 0; i < plan_.body_count; ++i) {
    const double low = drum_ == nullptr ? kSize : -0.5 * columns * kSize;
    cpBody* body = new_body(cpv((i % columns - 0.5 * (columns - 1)) * 1.1 * kSize, low + i / columns * 1.1 * kSize));
    if (alike) {
      cpShape* box = cpBoxShapeNew(body, 0.9 * kSize, 0.9 * kSize, 0);
      cpShapeSetFriction(box, 0.6);
      cpSpaceAddShape(space_, box);
    } else {
      for (int k = random_.chance(15) ? 2 : 1; k > 0; --k) add_shape(body);
    }
    if (i > 0 && random_.chance(joints_percent)) {
      add_joint(bodies_[static_cast<std::size_t>(i - 1 - random_.below(i < 5 ? i : 5))], body);
    }
  }
}

void BuiltScene::add_body() {
  cpBody* body = new_body(cpv(random_.between(-60, 60), random_.between(100, 300)));
  add_shape(body);
  if (random_.chance(30) && bodies_.size() > 1) add_joint(bodies_[bodies_.size() - 2], body);
}

void BuiltScene::remove_body(cpBody* body) {
  std::erase(bodies_, body);
  while (body->constraintList != nullptr) {
    cpConstraint* joint = body->constraintList;
    cpSpaceRemoveConstraint(space_, joint);
    cpConstraintFree(joint);
  }
  while (body->shapeList != nullptr) {
    cpShape* shape = body->shapeList;
    cpSpaceRemoveShape(space_, shape);
    cpShapeFree(shape);
  }
  cpSpaceRemoveBody(space_, body);
  cpBodyFree(body);
}

void BuiltScene::step_other_space() { cpSpaceStep(other_, 1.0 / 60); }

void BuiltScene::note(double x) { log_.push_back(bits_of(x)); }

void BuiltScene::step() {
  act();
  ++steps_;
  double dt = 1.0 / 60;
  if (steps_ % 7 == 0) dt = 1.0 / 97;
  if (steps_ % 47 == 0) dt = 1.0 / 120;
  if (steps_ % 61 == 0) dt = 0;
  cpSpaceStep(space_, dt);
}

void BuiltScene::observe(lockstep::Words& words) const {
  lockstep_scene::observe(space_, words, has(Trouble::sleep));
  if (other_ != nullptr) lockstep_scene::observe(other_, words);
  words.push_back(separations_);
  words.insert(words.end(), log_.begin(), log_.end());
  log_.clear();
}

std::unique_ptr<lockstep::Scene> make(const Plan& plan, cpSpace* space) {
  return std::make_unique<BuiltScene>(plan, space);
}

}  // namespace lockstep_scene
