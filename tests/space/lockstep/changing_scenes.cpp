#include "observe.h"
#include "scene.h"

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

/// Scenes whose callbacks change what later tests of the same step find.
namespace lockstep_scene {
namespace {

// Boxes on a smooth line of segments, whose body each collision turns: a segment's neighbours turn with the body at
// once, its ends only when the shape is updated.
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

// Boxes on the ground, one of which collides; its collision lets all others collide.
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

}  // namespace

std::unique_ptr<lockstep::Scene> make_opening(cpSpace* space) { return std::make_unique<OpeningScene>(space); }
std::unique_ptr<lockstep::Scene> make_turning(cpSpace* space) { return std::make_unique<TurningScene>(space); }

}  // namespace lockstep_scene
