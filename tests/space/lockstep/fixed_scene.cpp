// SPDX-License-Identifier: MIT
#include "observe.h"
#include "scene.h"

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

namespace lockstep_scene {
namespace {

class FixedScene final : public lockstep::Scene {
 public:
  explicit FixedScene(cpSpace* space) : space_(space), ground_(cpSpaceGetStaticBody(space)) {
    cpSpaceSetGravity(space, cpv(0, -100));
    cpShape* floor = cpSpaceAddShape(space, cpSegmentShapeNew(ground_, cpv(-500, 0), cpv(500, 0), 0));
    cpShapeSetFriction(floor, 1);
    for (int i = 0; i < kBoxes; ++i) {
      cpBody* box = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 10, 10)));
      cpBodySetPosition(box, cpv(i / 2 * 12 - 200, i % 2 * 10 + 5));
      cpShapeSetFriction(cpSpaceAddShape(space, cpBoxShapeNew(box, 10, 10, 0)), 1);
      boxes_[i] = box;
    }
    for (int i = 0; i < 4; ++i) {
      cpBody* wheel = cpSpaceAddBody(space, cpBodyNew(1, 10));
      cpBodySetPosition(wheel, cpv(-400, 20));
      cpSpaceAddShape(space, cpCircleShapeNew(wheel, 4, cpvzero));
      cpSpaceAddShape(space, cpCircleShapeNew(wheel, 3, cpv(2, 0)));
    }
  }

  void step() override {
    const int phase = step_++ % 20;
    cpBody* box = boxes_[step_ / 20 * 7 % kBoxes];
    if (phase == 10) {
      cpBodySetType(box, CP_BODY_TYPE_KINEMATIC);
      cpBodySetPosition(boxes_[(step_ / 20 * 14 + 21) % kBoxes], cpv(0, 100 + step_));  // makes new groups
    } else if (phase == 15) {
      cpBodySetType(box, CP_BODY_TYPE_DYNAMIC);
      cpBodySetMass(box, 1);
      cpBodySetMoment(box, cpMomentForBox(1, 10, 10));
    } else if (phase == 18) {
      ground_->v = cpv(-0.0, -0.0);
      ground_->w = -0.0;
    }
    cpSpaceStep(space_, 1.0 / 60);
  }
  void observe(lockstep::Words& words) const override { lockstep_scene::observe(space_, words); }

 private:
  static constexpr int kBoxes = 80;  // enough contacts for 8 lanes
  int step_ = 0;
  cpSpace* space_;
  cpBody* ground_;
  cpBody* boxes_[kBoxes]{};
};

}  // namespace

std::unique_ptr<lockstep::Scene> make_fixed(cpSpace* space) { return std::make_unique<FixedScene>(space); }

}  // namespace lockstep_scene
