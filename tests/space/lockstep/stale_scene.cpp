// SPDX-License-Identifier: MIT
#include "observe.h"
#include "scene.h"

#include <chipmunk/chipmunk.h>

namespace lockstep_scene {
namespace {

class LateScene final : public lockstep::Scene {
 public:
  LateScene(int steps_asleep, cpSpace* space) : steps_asleep_(steps_asleep), space_(space) {
    cpSpaceSetGravity(space, cpv(0, -100));
    cpSpaceSetSleepTimeThreshold(space, 100);
    cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-50, 0), cpv(50, 0), 0));
    ball_ = cpSpaceAddBody(space, cpBodyNew(1, 1));
    cpShapeSetFriction(cpSpaceAddShape(space, cpCircleShapeNew(ball_, 1, cpvzero)), 1);
  }

  void step() override {
    const int phase = step_++ % (steps_asleep_ + 3);
    if (phase == 0) {
      cpBodyActivate(ball_);
      cpBodySetPosition(ball_, cpv(0, 0.9));
      cpBodySetVelocity(ball_, cpv(1, -10.0 / step_));
    } else if (phase == 1) {
      cpBodySetPosition(ball_, cpv(0, 20));
    } else if (phase == 2) {
      cpBodySleep(ball_);
    }
    cpSpaceStep(space_, 1.0 / 60);
  }
  void observe(lockstep::Words& words) const override { lockstep_scene::observe(space_, words); }

 private:
  int steps_asleep_, step_ = 0;
  cpSpace* space_;
  cpBody* ball_;
};

}  // namespace

std::unique_ptr<lockstep::Scene> make_stale(int steps_asleep, cpSpace* space) {
  return std::make_unique<LateScene>(steps_asleep, space);
}

}  // namespace lockstep_scene
