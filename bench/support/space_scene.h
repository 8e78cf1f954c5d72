// SPDX-License-Identifier: MIT
#pragma once

#include "bench/support/space_measure.h"

#include <forkmunk/chipmunk/chipmunk_api.h>
#include <forkmunk/space/space.h>

#include <cstdint>
#include <memory>
#include <vector>

#include <chipmunk/chipmunk.h>

#ifdef FORKMUNK_SINGLE
#define FORKMUNK_BENCH bench::inline single
#else
#define FORKMUNK_BENCH bench
#endif

/// The scenes of `forkmunk bench --scenes`, built in any build of Chipmunk.
namespace forkmunk::FORKMUNK_BENCH {

/// Functions besides chipmunk_functions.def's.
#define FORKMUNK_SCENE_FUNCTIONS(X) \
  X(cpPivotJointNew)                \
  X(cpPinJointNew)                  \
  X(cpSlideJointNew)                \
  X(cpDampedRotarySpringNew)        \
  X(cpRotaryLimitJointNew)          \
  X(cpRatchetJointNew)              \
  X(cpGearJointNew)                 \
  X(cpSpaceAddCollisionHandler)     \
  X(cpSpaceSegmentQueryFirst)       \
  X(cpArbiterGetNormal)             \
  X(cpArbiterGetContactPointSet)    \
  X(cpArbiterTotalImpulse)

struct SceneApi : chipmunk::ChipmunkApi {
#define X(function) decltype(&::function) function;
  FORKMUNK_SCENE_FUNCTIONS(X)
#undef X
};

/// Chipmunk's plain names, which forkmunk::space defines.
[[nodiscard]] const SceneApi& space_scene_api() noexcept;
/// Chipmunk as released, in strict arithmetic and this precision.
[[nodiscard]] const SceneApi& stock_scene_api() noexcept;

inline constexpr double kTimeStep = 1.0 / 60;  ///< In seconds.
inline constexpr int kSettlingSteps = 120;     ///< Before the measurement.

struct CallbackLog {
  const SceneApi* api = nullptr;
  std::uint64_t in_order = 0;   ///< A hash of the numbers that the calls read, in order.
  std::uint64_t count = 0;      ///< Calls in `in_order`.
  std::uint64_t separated = 0;  ///< Calls of separateFunc, whose order depends on addresses in stock Chipmunk.
};

/// In order of creation.
struct BuiltScene {
  std::vector<cpBody*> bodies;  ///< Dynamic bodies.
  std::vector<cpBody*> kinematic_bodies;
  std::vector<cpShape*> shapes;
  std::vector<cpConstraint*> joints;
  std::unique_ptr<CallbackLog> log;  ///< Null if the scene has no handlers.
};

/// Lets states with the handlers be written.
void name_callbacks();
/// \pre the space is empty.
BuiltScene build_scene(const SceneApi& api, cpSpace* space, SceneKind kind, int body_count);
/// Returns the scene `pyramid` after kSettlingSteps.
[[nodiscard]] space::Space settled_pyramid(int body_count);

/// Stock Chipmunk cannot restore states.
class StockScene {
 public:
  StockScene(SceneKind kind, int body_count);
  ~StockScene();
  StockScene(StockScene&&) = delete;

  void step() noexcept { stock_scene_api().cpSpaceStep(space_, kTimeStep); }
  [[nodiscard]] cpSpace* space() const noexcept { return space_; }
  [[nodiscard]] const BuiltScene& scene() const noexcept { return scene_; }

 private:
  cpSpace* space_;
  BuiltScene scene_;
};

/// Compares all positions and velocities, bit for bit, and the logs of the calls.
[[nodiscard]] bool same_motion(const BuiltScene& one, const BuiltScene& other) noexcept;

}  // namespace forkmunk::FORKMUNK_BENCH
