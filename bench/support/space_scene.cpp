// SPDX-License-Identifier: MIT
#include "bench/support/space_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#ifdef FORKMUNK_SINGLE
#define FORKMUNK_STOCK(function) forkmunk_stock_single_##function
#else
#define FORKMUNK_STOCK(function) forkmunk_stock_strict_##function
#endif

extern "C" {
#define X(function) extern decltype(::function) FORKMUNK_STOCK(function);
#include <forkmunk/chipmunk/chipmunk_functions.def>
FORKMUNK_SCENE_FUNCTIONS(X)
#undef X
}

namespace forkmunk::FORKMUNK_BENCH {
namespace {

constexpr SceneApi kSpaceApi{{
#define X(function) &::function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
                             },
                             FORKMUNK_SCENE_FUNCTIONS(X)
#undef X
};

constexpr SceneApi kStockApi{{
#define X(function) &FORKMUNK_STOCK(function),
#include <forkmunk/chipmunk/chipmunk_functions.def>
                             },
                             FORKMUNK_SCENE_FUNCTIONS(X)
#undef X
};

constexpr double kBox = 30;
constexpr double kFriction = 0.6;

class SceneBuilder {
 public:
  SceneBuilder(const SceneApi& api, cpSpace* space) : api_(api), space_(space) {
    api_.cpSpaceSetGravity(space_, {0, -300});
  }

  BuiltScene pyramid(int count) {
    int base = 1;
    while (base * (base + 1) / 2 < count) ++base;
    add_ground(base * kBox);
    for (int row = 0; left(count); ++row) {
      for (int i = 0; i < base - row && left(count); ++i) {
        add_box({(i - 0.5 * (base - row - 1)) * (kBox + 1), (row + 0.5) * kBox}, kBox);
      }
    }
    return std::move(scene_);
  }

  // A rotating box, two thirds full of smaller boxes.
  BuiltScene tumbler(int count) {
    constexpr double kPitch = 12;
    const int columns = std::max(2, static_cast<int>(std::ceil(std::sqrt(count))));
    const double half = 0.5 * kPitch * columns + 4 * kPitch;
    cpBody* drum = api_.cpSpaceAddBody(space_, api_.cpBodyNewKinematic());
    drum->w = 0.4;
    scene_.kinematic_bodies.push_back(drum);
    const cpVect corners[]{{-half, -half}, {-half, half}, {half, half}, {half, -half}};
    for (int i = 0; i < 4; ++i) add(api_.cpSegmentShapeNew(drum, corners[i], corners[(i + 1) % 4], 2));
    for (int i = 0; left(count); ++i) {
      const int row = i / columns;
      add_box({(i % columns - 0.5 * (columns - 1)) * kPitch, (row - 0.5 * (columns - 1)) * kPitch}, 10);
    }
    return std::move(scene_);
  }

  // Chains of ten links hang from the ceiling and swing.
  BuiltScene chains(int count) {
    constexpr int kLinks = 10;
    constexpr double kLength = 20;
    for (int i = 0; left(count); ++i) {
      const double x = i / kLinks * 2 * kLength;
      const double y = -(i % kLinks) * kLength;
      cpBody* above = i % kLinks == 0 ? space_->staticBody : scene_.bodies.back();
      cpBody* link = add_box({x, y - 0.5 * kLength}, 0.5 * kLength);
      if (i % kLinks == 0) link->v.x = 50.0 * (i / kLinks % 5 + 1);
      cpConstraint* joint = api_.cpPivotJointNew(above, link, {x, y});
      joint->collideBodies = cpFalse;
      scene_.joints.push_back(api_.cpSpaceAddConstraint(space_, joint));
    }
    return std::move(scene_);
  }

  // Piles of two boxes that fall asleep.
  BuiltScene sleeping(int count) {
    space_->sleepTimeThreshold = 0.5;
    add_ground(count * kBox);
    for (int i = 0; left(count); ++i) {
      add_box({(i / 2 - 0.25 * count) * 2 * kBox, (i % 2 + 0.5) * kBox}, kBox);
    }
    return std::move(scene_);
  }

 protected:
  [[nodiscard]] bool left(int count) const { return scene_.bodies.size() < static_cast<std::size_t>(count); }

  cpShape* add(cpShape* shape) {
    shape->u = kFriction;
    scene_.shapes.push_back(api_.cpSpaceAddShape(space_, shape));
    return shape;
  }

  void add_ground(double half_width) {
    add(api_.cpSegmentShapeNew(space_->staticBody, {-half_width - 100, 0}, {half_width + 100, 0}, 0));
  }

  cpBody* add_box(cpVect position, double side) {
    cpBody* body = api_.cpSpaceAddBody(space_, api_.cpBodyNew(1, api_.cpMomentForBox(1, side, side)));
    api_.cpBodySetPosition(body, position);
    scene_.bodies.push_back(body);
    add(api_.cpBoxShapeNew(body, side, side, 0));
    return body;
  }

  const SceneApi& api_;
  cpSpace* space_;
  BuiltScene scene_;
};

constexpr int kJointKinds = 10;
constexpr double kMixedPitch = 24;  // between bodies

CallbackLog& log_of(cpDataPointer data) noexcept { return *static_cast<CallbackLog*>(data); }

void note(cpDataPointer data, double seen) noexcept {
  CallbackLog& log = log_of(data);
  log.in_order = (log.in_order ^ std::bit_cast<std::uint64_t>(seen)) * 0x9e3779b97f4a7c15u;
  ++log.count;
}

cpBool begin(cpArbiter* arbiter, cpSpace*, cpDataPointer data) {
  note(data, log_of(data).api->cpArbiterGetNormal(arbiter).x);
  return cpTrue;
}

cpBool pre_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer data) {
  note(data, log_of(data).api->cpArbiterGetContactPointSet(arbiter).points[0].distance);
  return cpTrue;
}

void post_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer data) {
  note(data, log_of(data).api->cpArbiterTotalImpulse(arbiter).y);
}

void separate(cpArbiter*, cpSpace*, cpDataPointer data) { ++log_of(data).separated; }

/// The scene `mixed`: a heap of circles, segments and polygons of 3 to 8 vertices between walls, on a conveyor belt, a
/// sensor and a rotating bar. Every fourth body has a joint, of the ten kinds in turn, to the body before it. Of five
/// collision types, 1 and 2 have a handler of both, and 3 has one with any type, which handle 44 % of the pairs.
class MixedBuilder : SceneBuilder {
 public:
  MixedBuilder(const SceneApi& api, cpSpace* space, int count)
      : SceneBuilder(api, space), count_(count), half_(std::sqrt(count) * 20 + 60) {}

  BuiltScene build() {
    add_surroundings();
    const int columns = static_cast<int>(std::sqrt(count_) * 1.2) + 1;
    for (int i = 0; i < count_; ++i) {
      const cpVect at{(i % columns - 0.5 * columns) * kMixedPitch + random() * 4, 80 + i / columns * kMixedPitch};
      cpShape* shape = add_shape(i % 7, at);
      shape->e = 0.3 * random();
      shape->u = random();
      shape->type = static_cast<cpCollisionType>(i % 5);
      if (i % 13 == 12) add(api_.cpCircleShapeNew(scene_.bodies.back(), 4, {3, 8}));
      if (i % 4 == 3) add_joint(i / 4, *scene_.bodies[static_cast<std::size_t>(i) - 1], *scene_.bodies.back());
    }
    add_handlers();
    return std::move(scene_);
  }

 private:
  // Returns a number from 0 to 1.
  double random() noexcept {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) / 16777216.0;
  }

  void add_surroundings() {
    cpBody* ground = space_->staticBody;
    add_ground(half_);
    for (const double x : {-half_, half_}) add(api_.cpSegmentShapeNew(ground, {x, 0}, {x, 4 * half_}, 3));
    cpShape* belt = add(api_.cpSegmentShapeNew(ground, {-half_, 40}, {-half_ / 3, 5}, 2));
    belt->surfaceV = {20, 0};
    belt->e = 0.5;
    const std::array<cpVect, 4> corners{{{-half_ / 4, 20}, {half_ / 4, 20}, {half_ / 4, 60}, {-half_ / 4, 60}}};
    add(api_.cpPolyShapeNew(ground, 4, corners.data(), cpTransformIdentity, 0))->sensor = cpTrue;
    cpBody* bar = api_.cpSpaceAddBody(space_, api_.cpBodyNewKinematic());
    api_.cpBodySetPosition(bar, {0, 60});
    bar->w = 1;
    scene_.kinematic_bodies.push_back(bar);
    add(api_.cpBoxShapeNew(bar, half_ / 2, 6, 1));
  }

  cpBody* add_body(cpVect at, double mass, double moment) {
    cpBody* body = api_.cpSpaceAddBody(space_, api_.cpBodyNew(mass, moment));
    api_.cpBodySetPosition(body, at);
    scene_.bodies.push_back(body);
    return body;
  }

  cpShape* add_polygon(cpVect at, int vertex_count) {
    std::array<cpVect, 8> corners{};
    for (int i = 0; i < vertex_count; ++i) {
      const double angle = 2 * std::numbers::pi * i / vertex_count;
      corners[static_cast<std::size_t>(i)] = {9 * std::cos(angle), 8 * std::sin(angle)};
    }
    const double moment = api_.cpMomentForPoly(1.5, vertex_count, corners.data(), {0, 0}, 0);
    return add(api_.cpPolyShapeNew(add_body(at, 1.5, moment), vertex_count, corners.data(), cpTransformIdentity, 0));
  }

  cpShape* add_shape(int outline, cpVect at) {
    switch (outline) {
      case 0:
      case 5: return add(api_.cpCircleShapeNew(add_body(at, 1, api_.cpMomentForCircle(1, 0, 9, {0, 0})), 9, {0, 0}));
      case 1: return add(api_.cpSegmentShapeNew(add_body(at, 2, 300), {-9, 0}, {9, 3}, 2));
      case 2: return add_polygon(at, 3);
      case 3: return add_polygon(at, 5);
      case 6: return add_polygon(at, 8);
      default: return add(api_.cpBoxShapeNew(add_body(at, 1, api_.cpMomentForBox(1, 16, 12)), 16, 12, 1));
    }
  }

  cpConstraint* new_joint(int kind, cpBody* a, cpBody* b) {
    constexpr cpVect kCenter{0, 0};
    switch (kind) {
      case 0: return api_.cpPivotJointNew(a, b, {0.5 * (a->p.x + b->p.x), 0.5 * (a->p.y + b->p.y)});
      case 1: return api_.cpPinJointNew(a, b, kCenter, kCenter);
      case 2: return api_.cpSlideJointNew(a, b, kCenter, kCenter, 10, 30);
      case 3: return api_.cpDampedSpringNew(a, b, kCenter, kCenter, 20, 50, 2);
      case 4: return api_.cpSimpleMotorNew(a, b, 3);
      case 5: return api_.cpGearJointNew(a, b, 0.3, 2);
      case 6: return api_.cpGrooveJointNew(a, b, {-10, 5}, {10, 5}, kCenter);
      case 7: return api_.cpDampedRotarySpringNew(a, b, 0.5, 500, 20);
      case 8: return api_.cpRotaryLimitJointNew(a, b, -0.5, 0.5);
      default: return api_.cpRatchetJointNew(a, b, 0, 0.5);
    }
  }

  void add_joint(int number, cpBody& a, cpBody& b) {
    cpConstraint* joint = new_joint(number % kJointKinds, &a, &b);
    joint->collideBodies = number % 3 != 0;
    if (number % 2 == 1) joint->maxForce = 2000;
    scene_.joints.push_back(api_.cpSpaceAddConstraint(space_, joint));
  }

  void add_handlers() {
    scene_.log = std::make_unique<CallbackLog>();
    scene_.log->api = &api_;
    for (cpCollisionHandler* handler :
         {api_.cpSpaceAddCollisionHandler(space_, 1, 2), api_.cpSpaceAddWildcardHandler(space_, 3)}) {
      handler->beginFunc = &begin;
      handler->preSolveFunc = &pre_solve;
      handler->postSolveFunc = &post_solve;
      handler->separateFunc = &separate;
      handler->userData = scene_.log.get();
    }
  }

  const int count_;
  const double half_;  // the distance of a wall
  std::uint32_t state_ = 12345;
};

}  // namespace

const SceneApi& space_scene_api() noexcept { return kSpaceApi; }
const SceneApi& stock_scene_api() noexcept { return kStockApi; }

void name_callbacks() {
  space::name_code("bench begin", &begin);
  space::name_code("bench pre-solve", &pre_solve);
  space::name_code("bench post-solve", &post_solve);
  space::name_code("bench separate", &separate);
}

BuiltScene build_scene(const SceneApi& api, cpSpace* space, SceneKind kind, int body_count) {
  SceneBuilder builder(api, space);
  switch (kind) {
    case SceneKind::pyramid: return builder.pyramid(body_count);
    case SceneKind::tumbler: return builder.tumbler(body_count);
    case SceneKind::chains: return builder.chains(body_count);
    case SceneKind::mixed: return MixedBuilder(api, space, body_count).build();
    case SceneKind::sleeping: break;
  }
  return builder.sleeping(body_count);
}

space::Space settled_pyramid(int body_count) {
  space::Space space;
  {
    const auto building = space.enter();
    build_scene(kSpaceApi, space.space(), SceneKind::pyramid, body_count);
  }
  for (int i = 0; i < kSettlingSteps; ++i) space.step(kTimeStep);
  return space;
}

StockScene::StockScene(SceneKind kind, int body_count)
    : space_(kStockApi.cpSpaceNew()), scene_(build_scene(kStockApi, space_, kind, body_count)) {}

StockScene::~StockScene() {
  kStockApi.cpSpaceFree(space_);
  for (cpConstraint* joint : scene_.joints) kStockApi.cpConstraintFree(joint);
  for (cpShape* shape : scene_.shapes) kStockApi.cpShapeFree(shape);
  for (cpBody* body : scene_.bodies) kStockApi.cpBodyFree(body);
  for (cpBody* body : scene_.kinematic_bodies) kStockApi.cpBodyFree(body);
}

bool same_motion(const BuiltScene& one, const BuiltScene& other) noexcept {
  const auto bits = [](const cpBody* b) {
    const std::array numbers{b->p.x, b->p.y, b->a, b->v.x, b->v.y, b->w};
    return std::bit_cast<std::array<std::byte, sizeof numbers>>(numbers);
  };
  const auto calls = [](const BuiltScene& scene) {
    const CallbackLog log = scene.log != nullptr ? *scene.log : CallbackLog{};
    return std::array{log.in_order, log.count, log.separated};
  };
  return calls(one) == calls(other) &&
         std::equal(one.bodies.begin(), one.bodies.end(), other.bodies.begin(), other.bodies.end(),
                    [&](const cpBody* a, const cpBody* b) { return bits(a) == bits(b); });
}

}  // namespace forkmunk::FORKMUNK_BENCH
