// SPDX-License-Identifier: MIT
#include "built_scene.h"

#include <cmath>

#include <chipmunk/chipmunk_structs.h>
#include <chipmunk/chipmunk_unsafe.h>

namespace lockstep_scene {
namespace {

using lockstep::Trouble;

BuiltScene& scene_of(cpSpace* space) { return *static_cast<BuiltScene*>(cpSpaceGetUserData(space)); }

void add_one(cpSpace* space, void*, void*) { scene_of(space).add_body(); }
void remove_one(cpSpace* space, void*, void*) {
  BuiltScene& scene = scene_of(space);
  if (scene.bodies().size() < 3) return;
  scene.remove_body(scene.bodies()[static_cast<std::size_t>(scene.random().below(3))]);
}

void note_contact(BuiltScene& scene, const cpArbiter* arbiter) {
  CP_ARBITER_GET_SHAPES(arbiter, a, b);
  scene.note(std::uint64_t{a->hashid} << 32 | b->hashid);
  const cpContactPointSet points = cpArbiterGetContactPointSet(arbiter);
  for (int i = 0; i < points.count; ++i) {
    scene.note(points.points[i].distance);
    scene.note(points.points[i].pointA.x);
  }
}

cpBool pre_solve(cpArbiter* arbiter, cpSpace* space, cpDataPointer);

void change_outline(BuiltScene& scene, cpShape* shape) {
  const double radius = scene.random().between(0, 6);
  const bool is_radius = scene.random().chance(50);
  if (shape->klass->type == CP_CIRCLE_SHAPE) {
    is_radius ? cpCircleShapeSetRadius(shape, 4 + radius) : cpCircleShapeSetOffset(shape, scene.random().vector(3));
  } else if (shape->klass->type == CP_SEGMENT_SHAPE) {
    const cpVect end = scene.random().vector(20);
    is_radius ? cpSegmentShapeSetRadius(shape, radius)
              : cpSegmentShapeSetEndpoints(shape, cpSegmentShapeGetA(shape), end);
  } else if (is_radius) {
    cpPolyShapeSetRadius(shape, radius);
  } else {
    cpVect corners[5];
    for (cpVect& corner : corners) corner = scene.random().vector(20);
    cpPolyShapeSetVerts(shape, 5, corners, cpTransformIdentity);
  }
}

void let_overlap_or_not(cpBody*, cpConstraint* joint, void*) {
  cpConstraintSetCollideBodies(joint, !cpConstraintGetCollideBodies(joint));
}

// Decides later collisions of the same step.
void change_shape(BuiltScene& scene, cpShape* shape) {
  cpBody* const body = cpShapeGetBody(shape);
  switch (scene.random().below(6)) {
    case 0:
      cpShapeSetFilter(
          shape, cpShapeFilterNew(CP_NO_GROUP, CP_ALL_CATEGORIES, scene.random().chance(50) ? CP_ALL_CATEGORIES : 0));
      break;
    case 1: cpShapeSetCollisionType(shape, static_cast<cpCollisionType>(scene.random().below(5))); break;
    case 2: cpBodySetAngle(body, cpBodyGetAngle(body) + scene.random().between(-2, 2)); break;
    case 3:
      cpBodySetPosition(body, cpvadd(cpBodyGetPosition(body), scene.random().vector(5)));
      cpSpaceShapeQuery(cpShapeGetSpace(shape), shape, nullptr, nullptr);
      break;
    case 4: cpBodyEachConstraint(body, let_overlap_or_not, nullptr); break;
    default:
      change_outline(scene, shape);
      if (scene.random().chance(50)) cpShapeCacheBB(shape);
      break;
  }
}

void change_contact(BuiltScene& scene, cpArbiter* arbiter, cpSpace* space) {
  const bool are_many = scene.bodies().size() > 40;  // most steps change no shape
  switch (scene.random().below(are_many && scene.random().chance(80) ? 2000 : 60)) {
    case 0: cpArbiterSetFriction(arbiter, scene.random().between(0, 2)); break;
    case 1: cpArbiterSetRestitution(arbiter, scene.random().between(0, 1)); break;
    case 2: cpArbiterSetSurfaceVelocity(arbiter, scene.random().vector(30)); break;
    case 3: cpSpaceAddPostStepCallback(space, add_one, &scene, nullptr); break;
    case 4: cpSpaceAddPostStepCallback(space, remove_one, &scene, nullptr); break;
    case 5: {
      CP_ARBITER_GET_BODIES(arbiter, a, b);
      cpBodySetVelocity(a, scene.random().vector(50));
      cpBodySetForce(b, scene.random().vector(50));
      break;
    }
    case 6: {
      cpContactPointSet points = cpArbiterGetContactPointSet(arbiter);
      for (int i = 0; i < points.count; ++i) points.points[i].pointA.y += 0.25;
      cpArbiterSetContactPointSet(arbiter, &points);
      break;
    }
    case 7: {
      CP_ARBITER_GET_SHAPES(arbiter, a, b);
      change_shape(scene, scene.random().chance(50) ? a : b);
      break;
    }
    case 8: {
      const auto type = static_cast<cpCollisionType>(scene.random().below(5));
      cpSpaceAddCollisionHandler(space, 0, type)->preSolveFunc = pre_solve;
      break;
    }
    default: break;
  }
}

cpBool begin(cpArbiter* arbiter, cpSpace* space, cpDataPointer) {
  BuiltScene& scene = scene_of(space);
  scene.note(std::uint64_t{1});
  note_contact(scene, arbiter);
  if (scene.has(Trouble::other_spaces) && scene.random().chance(20)) scene.step_other_space();
  if (scene.random().chance(3)) return cpFalse;
  return cpTrue;
}

cpBool pre_solve(cpArbiter* arbiter, cpSpace* space, cpDataPointer) {
  BuiltScene& scene = scene_of(space);
  scene.note(std::uint64_t{2});
  note_contact(scene, arbiter);
  change_contact(scene, arbiter, space);
  if (scene.random().chance(1)) return cpArbiterIgnore(arbiter);
  return scene.random().chance(98);
}

void post_solve(cpArbiter* arbiter, cpSpace* space, cpDataPointer) {
  BuiltScene& scene = scene_of(space);
  scene.note(std::uint64_t{3});
  note_contact(scene, arbiter);
  const cpVect impulse = cpArbiterTotalImpulse(arbiter);
  scene.note(impulse.x);
  scene.note(impulse.y);
  scene.note(cpArbiterTotalKE(arbiter));
  if (scene.has(Trouble::other_spaces) && scene.random().chance(5)) scene.step_other_space();
}

void separate(cpArbiter* arbiter, cpSpace* space, cpDataPointer) {
  BuiltScene& scene = scene_of(space);
  CP_ARBITER_GET_SHAPES(arbiter, a, b);
  scene.note_separation((std::uint64_t{a->hashid} << 32 | b->hashid) * 0x9e3779b97f4a7c15u);
}

void before_joint(cpConstraint* joint, cpSpace* space) {
  BuiltScene& scene = scene_of(space);
  scene.note(cpConstraintGetImpulse(joint));
  cpBody* a = cpConstraintGetBodyA(joint);
  if (scene.random().chance(10) && a->m != INFINITY) cpBodySetMass(a, scene.random().between(0.5, 2));
  if (scene.random().chance(10)) cpBodySetVelocity(cpConstraintGetBodyB(joint), scene.random().vector(40));
  if (scene.random().chance(10)) cpConstraintSetMaxForce(joint, scene.random().between(0, 3000));
  if (scene.random().chance(10)) change_contacts(a);
  if (scene.random().chance(5)) cpSpaceSetIterations(space, 1 + scene.random().below(12));
}

void after_joint(cpConstraint* joint, cpSpace* space) {
  BuiltScene& scene = scene_of(space);
  scene.note(cpConstraintGetImpulse(joint));
  if (scene.random().chance(2)) cpSpaceAddPostStepCallback(space, add_one, &scene, nullptr);
}

cpFloat stiff_spring(cpConstraint* spring, cpFloat distance) {
  BuiltScene& scene = scene_of(spring->space);
  scene.note(distance);
  if (scene.random().chance(10)) change_contacts(spring->a);
  return 40 * (25 - distance) + distance * distance * 0.1;
}
cpFloat stiff_torque(cpConstraint* spring, cpFloat angle) {
  if (scene_of(spring->space).random().chance(5)) spring->b->v.x = 1;
  change_contacts(spring->b);
  return -300 * angle;
}

}  // namespace

void change_contacts(cpBody* body) {
  const auto change = [](cpBody*, cpArbiter* arbiter, void*) {
    cpArbiterSetFriction(arbiter, 1.5 - cpArbiterGetFriction(arbiter));
    cpArbiterSetSurfaceVelocity(arbiter, cpv(3, -1));
  };
  cpBodyEachArbiter(body, change, nullptr);
}

cpConstraint* BuiltScene::new_joint(cpBody* a, cpBody* b) {
  const cpVect middle = cpvlerp(cpBodyGetPosition(a), cpBodyGetPosition(b), 0.5);
  const int kind = joint_kind_ >= 0 && random_.chance(85) ? joint_kind_ : random_.below(12);
  switch (kind) {
    case 0: return cpPinJointNew(a, b, random_.vector(4), random_.vector(4));
    case 1: return cpSlideJointNew(a, b, cpvzero, random_.vector(4), 15, 30);
    case 2: return cpGrooveJointNew(a, b, cpv(-15, 5), cpv(15, random_.between(-5, 5)), cpvzero);
    case 3: {
      cpConstraint* spring = cpDampedSpringNew(a, b, cpvzero, random_.vector(4), 20, 50, random_.between(0, 5));
      if (has(Trouble::joint_callbacks) && random_.chance(50)) cpDampedSpringSetSpringForceFunc(spring, stiff_spring);
      return spring;
    }
    case 4: {
      cpConstraint* spring = cpDampedRotarySpringNew(a, b, 0.5, 500, random_.between(0, 30));
      if (has(Trouble::joint_callbacks) && random_.chance(50)) {
        cpDampedRotarySpringSetSpringTorqueFunc(spring, stiff_torque);
      }
      return spring;
    }
    case 5: return cpRotaryLimitJointNew(a, b, -0.3, random_.between(-0.2, 0.5));
    case 6: return cpRatchetJointNew(a, b, 0, random_.chance(50) ? 0.5 : -0.4);
    case 7: return cpGearJointNew(a, b, 0.3, random_.chance(50) ? 2 : -1.5);
    case 8: return cpSimpleMotorNew(a, b, random_.between(-5, 5));
    default: return cpPivotJointNew(a, b, middle);
  }
}

void BuiltScene::add_joint(cpBody* a, cpBody* b) {
  cpConstraint* joint = new_joint(a, b);
  if (random_.chance(50)) cpConstraintSetCollideBodies(joint, cpFalse);
  if (random_.chance(20)) cpConstraintSetMaxForce(joint, random_.between(10, 20000));
  if (random_.chance(10)) cpConstraintSetMaxBias(joint, random_.between(0, 50));
  const bool has_springs = joint_kind_ == 3 || joint_kind_ == 4;  // with callbacks of their own
  if (has(Trouble::joint_callbacks) && !has_springs) {
    if (random_.chance(30)) cpConstraintSetPreSolveFunc(joint, before_joint);
    if (random_.chance(30)) cpConstraintSetPostSolveFunc(joint, after_joint);
  }
  cpSpaceAddConstraint(space_, joint);
}

void BuiltScene::add_odd_joints() {
  cpBody* still = cpSpaceGetStaticBody(space_);
  const int kind = random_.below(3);
  if (kind == 0) {
    cpBody* body = new_body(cpv(0, 150));
    add_shape(body);
    cpSpaceAddConstraint(space_, cpPivotJointNew2(body, body, cpv(1, 2), cpv(3, 4)));
    bodies_.pop_back();  // Chipmunk cannot remove such a joint
  } else if (kind == 1) {
    cpBody* other = cpBodyNewStatic();
    cpSpaceAddConstraint(space_, cpSimpleMotorNew(still, cpSpaceAddBody(space_, other), 1));
  }
  for (int i = 0; i < 4 && i < static_cast<int>(bodies_.size()); ++i) {
    cpConstraint* joint = new_joint(i % 2 == 0 ? still : bodies_.back(), bodies_[static_cast<std::size_t>(i)]);
    if (joint->a == joint->b) break;
    cpConstraintSetMaxForce(joint, i == 0 ? 0 : INFINITY);
    cpConstraintSetErrorBias(joint, i == 1 ? 0 : 0.5);
    cpSpaceAddConstraint(space_, joint);
  }
}

void BuiltScene::add_handlers() {
  cpCollisionHandler* handlers[] = {cpSpaceAddCollisionHandler(space_, 1, 2), cpSpaceAddWildcardHandler(space_, 3)};
  for (cpCollisionHandler* handler : handlers) {
    if (random_.chance(80)) handler->beginFunc = begin;
    if (random_.chance(70)) handler->preSolveFunc = pre_solve;
    if (random_.chance(70)) handler->postSolveFunc = post_solve;
    handler->separateFunc = separate;
  }
  if (random_.chance(30)) cpSpaceAddDefaultCollisionHandler(space_)->postSolveFunc = post_solve;
}

}  // namespace lockstep_scene
