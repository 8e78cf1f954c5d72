// SPDX-License-Identifier: MIT
#include "built_scene.h"

#include <cmath>
#include <limits>

#include <chipmunk/chipmunk_structs.h>

namespace lockstep_scene {
namespace {

using lockstep::Trouble;

void fly(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  cpBodyUpdateVelocity(body, cpvmult(gravity, 0.5), damping, dt);
  if (body->v.y < -200) body->v.y = -200;
  change_contacts(body);
}
void drift(cpBody* body, cpFloat dt) {
  cpBodyUpdatePosition(body, dt);
  body->v.x += 0.125;
}

}  // namespace

cpBody* BuiltScene::any_body() {
  return bodies_[static_cast<std::size_t>(random_.below(static_cast<int>(bodies_.size())))];
}

void BuiltScene::act() {
  if (random_.chance(10)) disturb();
  if (random_.chance(15)) make_trouble();
  // Chipmunk's tree cannot count beyond these coordinates.
  for (cpBody* body : bodies_) {
    const bool is_near = std::abs(body->p.x) < 1e5 && std::abs(body->p.y) < 1e5 && std::abs(body->a) < 1e5;
    if (!is_near) {
      cpBodySetPosition(body, cpv(0, 100));
      cpBodySetAngle(body, 0);
    }
    for (cpFloat* v : {&body->v.x, &body->v.y, &body->w, &body->v_bias.x, &body->v_bias.y, &body->w_bias}) {
      if (!(std::abs(*v) < 1e5)) *v = 0;
    }
  }
}

// Keeps the body's contacts.
void BuiltScene::change_type(cpBody* body) {
  if (has(Trouble::sleep)) return;  // Chipmunk aborts for kinematic bodies
  if (cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC) return cpBodySetType(body, CP_BODY_TYPE_KINEMATIC);
  cpBodySetType(body, CP_BODY_TYPE_DYNAMIC);
  cpBodySetMass(body, 1.5);
  cpBodySetMoment(body, 60);
}

void BuiltScene::disturb() {
  switch (random_.below(10)) {
    case 0: cpBodySetVelocity(any_body(), random_.vector(300)); break;
    case 1: cpBodySetAngularVelocity(any_body(), random_.between(-10, 10)); break;
    case 2: cpBodyApplyForceAtLocalPoint(any_body(), random_.vector(2000), random_.vector(5)); break;
    case 3:
      if (moved_ == nullptr) break;
      cpBodySetPosition(cpShapeGetBody(moved_), random_.vector(60));
      if (random_.chance(50)) cpBodySetVelocity(cpShapeGetBody(moved_), random_.vector(20));
      cpSpaceReindexShapesForBody(space_, cpShapeGetBody(moved_));
      break;
    case 4: add_body(); break;
    case 5:
      if (bodies_.size() > 2) remove_body(any_body());
      break;
    case 6: cpSpaceSetGravity(space_, random_.vector(300)); break;
    case 7: change_type(any_body()); break;
    case 8: cpShapeSetSensor(moved_ != nullptr ? moved_ : drum_->shapeList, random_.chance(50)); break;
    default: cpSpaceSetCollisionPersistence(space_, 1 + random_.next() % 4); break;
  }
}

void BuiltScene::make_trouble() {
  cpBody* body = any_body();
  cpBody* still = drum_ != nullptr && random_.chance(70) ? drum_ : cpSpaceGetStaticBody(space_);
  switch (plan_.trouble) {
    case Trouble::sleep:
      if (cpBodyIsSleeping(body)) cpBodyActivate(body);
      // With INFINITY Chipmunk wakes no touched body, and later frees contacts twice.
      if (random_.chance(10)) {
        const bool may_sleep = space_->sleepingComponents->num != 0 || random_.chance(50);
        cpSpaceSetSleepTimeThreshold(space_, may_sleep ? 0.1 : INFINITY);
      }
      break;
    case Trouble::velocity_functions:
      random_.chance(50) ? cpBodySetVelocityUpdateFunc(body, random_.chance(50) ? fly : cpBodyUpdateVelocity)
                         : cpBodySetPositionUpdateFunc(body, random_.chance(50) ? drift : cpBodyUpdatePosition);
      break;
    case Trouble::negative_zeros:
      still->v = random_.chance(50) ? cpv(-0.0, 0.0) : cpv(0.0, -0.0);
      still->w = random_.chance(50) ? -0.0 : 0.4;
      cpSpaceSetGravity(space_, random_.chance(60) ? cpv(-0.0, -0.0) : cpv(0, -100));
      for (cpBody* one : bodies_) {
        if (one != body && random_.chance(70)) continue;
        one->v = one->f = cpv(-0.0, -0.0);  // the velocity stays -0
        one->w = one->t = -0.0;
      }
      break;
    case Trouble::infinities: {
      constexpr double kWild[] = {1e300,     -1e305,  INFINITY,
                                  -INFINITY, 1.7e308, std::numeric_limits<double>::quiet_NaN()};
      const double wild = kWild[random_.below(6)];
      switch (random_.below(4)) {
        case 0: body->f.y = wild; break;
        case 1: body->t = wild; break;
        case 2: body->f = cpv(wild, -wild); break;
        default: still->w = random_.chance(50) ? wild : 0.4; break;
      }
      break;
    }
    default: break;
  }
}

}  // namespace lockstep_scene
