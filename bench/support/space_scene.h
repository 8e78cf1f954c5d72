#pragma once

#include <forkmunk/chipmunk/chipmunk_api.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <chipmunk/chipmunk.h>

/// The scenes of `forkmunk bench --scenes`, built in any build of Chipmunk.
namespace forkmunk::bench {

/// The functions of one build of Chipmunk that a scene needs.
struct SceneApi : chipmunk::ChipmunkApi {
#define X(function) decltype(&::function) function;
#include "bench/support/scene_functions.def"
#undef X
};

/// Chipmunk's plain names, defined by forkmunk::space.
[[nodiscard]] const SceneApi& space_scene_api() noexcept;
/// Chipmunk as released, in strict arithmetic: malloc and buffers of 32 KiB.
[[nodiscard]] const SceneApi& stock_scene_api() noexcept;

enum class SceneKind { pyramid, tumbler, chains, mixed, sleeping };
inline constexpr std::array kSceneKinds{SceneKind::pyramid, SceneKind::tumbler, SceneKind::chains, SceneKind::mixed,
                                        SceneKind::sleeping};
inline constexpr std::array kBodyCounts{10, 50, 200, 800, 3000};

[[nodiscard]] std::string_view to_string(SceneKind kind) noexcept;

inline constexpr double kTimeStep = 1.0 / 60;  ///< Seconds.
inline constexpr int kSettlingSteps = 120;     ///< Before the measurement.

/// What the collision handlers of a scene were called with.
struct CallbackLog {
  const SceneApi* api = nullptr;
  std::uint64_t in_order = 0;   ///< A hash of what they read, in the order of the calls.
  std::uint64_t count = 0;      ///< Of these calls.
  std::uint64_t separated = 0;  ///< Calls of separateFunc: their order is that of addresses in stock Chipmunk.
};

/// The objects of a scene, in order of creation.
struct BuiltScene {
  std::vector<cpBody*> bodies;  ///< Dynamic ones: as many as requested.
  std::vector<cpBody*> kinematic_bodies;
  std::vector<cpShape*> shapes;
  std::vector<cpConstraint*> joints;
  std::unique_ptr<CallbackLog> log;  ///< Null: the scene has no handlers.
};

/// Builds a scene of `body_count` bodies in an empty space.
BuiltScene build_scene(const SceneApi& api, cpSpace* space, SceneKind kind, int body_count);

/// A scene in stock Chipmunk, which cannot restore states.
class StockScene {
 public:
  StockScene(SceneKind kind, int body_count);
  ~StockScene();
  StockScene(StockScene&&) = delete;

  void step() noexcept { stock_scene_api().cpSpaceStep(space_, kTimeStep); }
  [[nodiscard]] const BuiltScene& scene() const noexcept { return scene_; }

 private:
  cpSpace* space_;
  BuiltScene scene_;
};

/// Whether all bodies have the same positions and velocities, bit for bit, and handlers were called with the same.
[[nodiscard]] bool same_motion(const BuiltScene& one, const BuiltScene& other) noexcept;

}  // namespace forkmunk::bench
