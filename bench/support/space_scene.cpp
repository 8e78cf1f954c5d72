#include "bench/support/mixed_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>

extern "C" {
#define X(function) extern decltype(::function) forkmunk_stock_strict_##function;
#include "bench/support/scene_functions.def"

#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
}

namespace forkmunk::bench {
namespace {

constexpr SceneApi kSpaceApi{
    {
#define X(function) &::function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
    },
#include "bench/support/scene_functions.def"
#undef X
};

constexpr SceneApi kStockApi{
    {
#define X(function) &forkmunk_stock_strict_##function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
    },
#include "bench/support/scene_functions.def"
#undef X
};

constexpr double kBox = 30;  // its side
constexpr double kFriction = 0.6;

/// Builds one scene in a space.
class SceneBuilder {
 public:
  SceneBuilder(const SceneApi& api, cpSpace* space) : api_(api), space_(space) {
    api_.cpSpaceSetGravity(space_, {0, -300});
  }

  // Rows of boxes that touch, each one box shorter than the row below it.
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

  // A rotating box, two thirds full of smaller ones.
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

  // Chains of ten links that hang from the ceiling and swing.
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

 private:
  [[nodiscard]] bool left(int count) const { return scene_.bodies.size() < static_cast<std::size_t>(count); }

  void add(cpShape* shape) {
    shape->u = kFriction;
    scene_.shapes.push_back(api_.cpSpaceAddShape(space_, shape));
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

}  // namespace

const SceneApi& space_scene_api() noexcept { return kSpaceApi; }
const SceneApi& stock_scene_api() noexcept { return kStockApi; }

std::string_view to_string(SceneKind kind) noexcept {
  constexpr std::array<std::string_view, kSceneKinds.size()> kNames{"pyramid", "tumbler", "chains", "mixed",
                                                                    "sleeping"};
  return kNames[static_cast<std::size_t>(kind)];
}

BuiltScene build_scene(const SceneApi& api, cpSpace* space, SceneKind kind, int body_count) {
  SceneBuilder builder(api, space);
  switch (kind) {
    case SceneKind::pyramid: return builder.pyramid(body_count);
    case SceneKind::tumbler: return builder.tumbler(body_count);
    case SceneKind::chains: return builder.chains(body_count);
    case SceneKind::mixed: return build_mixed_scene(api, space, body_count);
    case SceneKind::sleeping: break;
  }
  return builder.sleeping(body_count);
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
    return std::array{std::bit_cast<std::uint64_t>(b->p.x), std::bit_cast<std::uint64_t>(b->p.y),
                      std::bit_cast<std::uint64_t>(b->a),   std::bit_cast<std::uint64_t>(b->v.x),
                      std::bit_cast<std::uint64_t>(b->v.y), std::bit_cast<std::uint64_t>(b->w)};
  };
  const auto calls = [](const BuiltScene& scene) {
    const CallbackLog log = scene.log != nullptr ? *scene.log : CallbackLog{};
    return std::array{log.in_order, log.count, log.separated};
  };
  return calls(one) == calls(other) &&
         std::equal(one.bodies.begin(), one.bodies.end(), other.bodies.begin(), other.bodies.end(),
                    [&](const cpBody* a, const cpBody* b) { return bits(a) == bits(b); });
}

}  // namespace forkmunk::bench
