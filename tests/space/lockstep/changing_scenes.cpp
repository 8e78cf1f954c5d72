// SPDX-License-Identifier: MIT
#include "observe.h"
#include "scene.h"

#include <cmath>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

namespace lockstep_scene {
namespace {

// Each collision turns the body of a smooth line of segments. A segment's neighbours turn at once; its ends wait for
// the shape's update.
class TurningScene final : public lockstep::Scene {
 public:
  explicit TurningScene(cpSpace* space) : space_(space), line_(cpSpaceAddBody(space, cpBodyNewKinematic())) {
    constexpr int kBoxes = 80;
    cpSpaceSetGravity(space, cpv(0, -100));
    const auto corner = [](int i) { return cpv(i * 15 - 600, i % 3 * 2); };
    for (int i = 0; i < kBoxes; ++i) {
      cpShape* segment = cpSpaceAddShape(space, cpSegmentShapeNew(line_, corner(i), corner(i + 1), 1));
      cpSegmentShapeSetNeighbors(segment, corner(i - 1), corner(i + 2));
      cpBody* box = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 10, 10)));
      cpBodySetPosition(box, cpvadd(corner(i), cpv(i % 5, 7)));
      cpBodySetAngle(box, i * 0.3);
      cpSpaceAddShape(space, cpBoxShapeNew(box, 10, 10, 0));
    }
    cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space);
    handler->preSolveFunc = turn;
    handler->userData = this;
  }

  void step() override {
    cpBodySetAngle(line_, 0);
    turns_ = 0;
    cpSpaceStep(space_, 1.0 / 60);
  }
  void observe(lockstep::Words& words) const override { lockstep_scene::observe(space_, words); }

 private:
  static cpBool turn(cpArbiter*, cpSpace*, cpDataPointer data) {
    auto& scene = *static_cast<TurningScene*>(data);
    cpBodySetAngle(scene.line_, 0.2 * ++scene.turns_);
    return cpTrue;
  }

  cpSpace* space_;
  cpBody* line_;
  int turns_ = 0;
};

// The only collision lets all other boxes collide.
class OpeningScene final : public lockstep::Scene {
 public:
  explicit OpeningScene(cpSpace* space) : space_(space) {
    cpSpaceSetGravity(space, cpv(0, -100));
    cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-900, 0), cpv(900, 0), 0));
    for (int i = 0; i < kBoxes; ++i) {
      cpBody* box = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 10, 10)));
      cpBodySetPosition(box, cpv(i * 12 - 720, 4.9));
      boxes_[i] = cpSpaceAddShape(space, cpBoxShapeNew(box, 10, 10, 0));
    }
    cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space);
    handler->preSolveFunc = open;
    handler->userData = this;
  }

  void step() override {
    set_filters({CP_NO_GROUP, 0, 0});
    cpShapeSetFilter(boxes_[step_++ * 7 % kBoxes], CP_SHAPE_FILTER_ALL);
    cpSpaceStep(space_, 1.0 / 60);
  }
  void observe(lockstep::Words& words) const override { lockstep_scene::observe(space_, words); }

 private:
  static constexpr int kBoxes = 120;

  void set_filters(cpShapeFilter filter) {
    for (cpShape* box : boxes_) cpShapeSetFilter(box, filter);
  }
  static cpBool open(cpArbiter*, cpSpace*, cpDataPointer data) {
    static_cast<OpeningScene*>(data)->set_filters(CP_SHAPE_FILTER_ALL);
    return cpTrue;
  }

  int step_ = 0;
  cpSpace* space_;
  cpShape* boxes_[kBoxes]{};
};

// The first collision of a step changes the others without a change of shapes.
class ForeignScene final : public lockstep::Scene {
 public:
  ForeignScene(lockstep::Foreign change, cpSpace* space) : change_(change), space_(space), other_(cpSpaceNew()) {
    for (int i = 0; i < kPairs; ++i) {
      cpBody* first = add_body(i, 0);
      cpBody* second = add_body(i, 1.9);
      const bool is_segment = change == lockstep::Foreign::infinite_angle;
      shapes_[i] = cpSpaceAddShape(
          space, is_segment ? cpSegmentShapeNew(first, cpv(-1, 0), cpv(1, 0), 0.1) : cpBoxShapeNew(first, 2, 2, 0));
      cpSpaceAddShape(space, cpBoxShapeNew(second, 2, 2, 0));
      joints_[i] = cpSimpleMotorNew(first, second, 0);
      cpConstraintSetCollideBodies(joints_[i], cpFalse);
      if (change == lockstep::Foreign::joints_before) cpSpaceAddConstraint(other_, joints_[i]);
    }
    cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space);
    handler->preSolveFunc = change_others;
    handler->userData = this;
  }
  ~ForeignScene() override {
    for (cpConstraint* joint : joints_) {
      if (cpSpaceContainsConstraint(other_, joint)) cpSpaceRemoveConstraint(other_, joint);
      cpConstraintFree(joint);
    }
    cpSpaceFree(other_);
  }

  void step() override {
    calls_ = 0;
    cpSpaceStep(space_, 1.0 / 60);
  }
  void observe(lockstep::Words& words) const override { lockstep_scene::observe(space_, words); }

 private:
  static constexpr int kPairs = 120;

  cpBody* add_body(int pair, double x) {
    cpBody* body = cpSpaceAddBody(space_, cpBodyNew(1, 1));
    cpBodySetPosition(body, cpv(pair % 12 * 30 + x, pair / 12 * 30));
    return body;
  }
  void change(int i) {
    cpBody* body = cpShapeGetBody(shapes_[i]);
    switch (change_) {
      case lockstep::Foreign::joints_before: break;
      case lockstep::Foreign::joints:
        if (!cpSpaceContainsConstraint(other_, joints_[i])) cpSpaceAddConstraint(other_, joints_[i]);
        break;
      case lockstep::Foreign::reindexed:
        cpBodySetPosition(body, cpv(cpBodyGetPosition(body).x, 5000));
        cpSpaceReindexShape(other_, shapes_[i]);
        break;
      case lockstep::Foreign::infinite_angle: cpBodySetAngle(body, INFINITY); break;
    }
  }
  static cpBool change_others(cpArbiter* arbiter, cpSpace*, cpDataPointer data) {
    auto& scene = *static_cast<ForeignScene*>(data);
    CP_ARBITER_GET_SHAPES(arbiter, a, b);
    if (scene.calls_++ != 0) return cpTrue;
    for (int i = 0; i < kPairs; ++i) {
      if (scene.shapes_[i] != a && scene.shapes_[i] != b) scene.change(i);
    }
    return cpTrue;
  }

  lockstep::Foreign change_;
  int calls_ = 0;
  cpSpace* space_;
  cpSpace* other_;
  cpShape* shapes_[kPairs]{};
  cpConstraint* joints_[kPairs]{};
};

class QueryingScene final : public lockstep::Scene {
 public:
  explicit QueryingScene(cpSpace* space) : space_(space) {
    cpSpaceSetGravity(space, cpv(0, -100));
    cpSpaceUseSpatialHash(space, 8, 100);
    cpBody* ground = cpSpaceGetStaticBody(space);
    cpSpaceAddShape(space, cpSegmentShapeNew(ground, cpv(-60, 0), cpv(60, 0), 1));
    cpSpaceAddShape(space, cpSegmentShapeNew(ground, cpv(-60, 0), cpv(-60, 200), 1));
    cpSpaceAddShape(space, cpSegmentShapeNew(ground, cpv(60, 0), cpv(60, 200), 1));
    for (int i = 0; i < 60; ++i) {
      cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, 20));
      cpBodySetPosition(body, cpv(-50 + i % 10 * 11, 10 + i / 10 * 12));
      cpShape* shape = i % 3 == 0 ? cpBoxShapeNew(body, 9, 9, 0) : cpCircleShapeNew(body, 5, cpvzero);
      cpShapeSetFriction(cpSpaceAddShape(space, shape), 0.5);
    }
    cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space);
    handler->preSolveFunc = query;
  }

  void step() override { cpSpaceStep(space_, 1.0 / 60); }
  // Stock Chipmunk's graph of contacts has released arbiters.
  void observe(lockstep::Words& words) const override {
    words.push_back(static_cast<std::uint64_t>(space_->arbiters->num));
    for (int i = 0; i < space_->dynamicBodies->num; ++i) {
      const auto& body = *static_cast<const cpBody*>(space_->dynamicBodies->arr[i]);
      for (const double x : {body.p.x, body.p.y, body.a, body.v.x, body.v.y, body.w}) words.push_back(bits_of(x));
    }
  }

 private:
  static cpBool query(cpArbiter* arbiter, cpSpace* space, cpDataPointer) {
    const cpVect at = cpArbiterGetPointA(arbiter, 0);
    int found = 0;
    cpSpaceBBQuery(
        space, cpBBNewForCircle(at, 12), CP_SHAPE_FILTER_ALL, [](cpShape*, void* data) { ++*static_cast<int*>(data); },
        &found);
    return cpTrue;
  }

  cpSpace* space_;
};

}  // namespace

std::unique_ptr<lockstep::Scene> make_querying(cpSpace* space) { return std::make_unique<QueryingScene>(space); }
std::unique_ptr<lockstep::Scene> make_foreign(lockstep::Foreign change, cpSpace* space) {
  return std::make_unique<ForeignScene>(change, space);
}
std::unique_ptr<lockstep::Scene> make_opening(cpSpace* space) { return std::make_unique<OpeningScene>(space); }
std::unique_ptr<lockstep::Scene> make_turning(cpSpace* space) { return std::make_unique<TurningScene>(space); }

}  // namespace lockstep_scene
