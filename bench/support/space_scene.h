#pragma once

#include <forkmunk/chipmunk/chipmunk_api.h>

#include <array>
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

/// Chipmunk's plain names, which forkmunk::space brings.
[[nodiscard]] const SceneApi& space_scene_api() noexcept;
/// Chipmunk as released, in strict arithmetic: malloc and buffers of 32 KiB.
[[nodiscard]] const SceneApi& stock_scene_api() noexcept;

enum class SceneKind { pyramid, tumbler, chains, sleeping };
inline constexpr std::array kSceneKinds{SceneKind::pyramid, SceneKind::tumbler, SceneKind::chains, SceneKind::sleeping};
inline constexpr std::array kBodyCounts{10, 50, 200, 800, 3000};

[[nodiscard]] std::string_view to_string(SceneKind kind) noexcept;

inline constexpr double kTimeStep = 1.0 / 60;  ///< Seconds.
inline constexpr int kSettlingSteps = 120;     ///< After so many a scene is measured.

/// What a scene was built of, in order of creation.
struct BuiltScene {
  std::vector<cpBody*> bodies;  ///< Those that move by themselves: as many as were asked for.
  std::vector<cpBody*> kinematic_bodies;
  std::vector<cpShape*> shapes;
  std::vector<cpConstraint*> joints;
};

/// Builds a scene of `body_count` bodies in an empty space.
BuiltScene build_scene(const SceneApi& api, cpSpace* space, SceneKind kind, int body_count);

/// A scene in stock Chipmunk, which cannot go back.
class StockScene {
 public:
  StockScene(SceneKind kind, int body_count);
  ~StockScene();
  StockScene(StockScene&&) = delete;

  void step() noexcept { stock_scene_api().cpSpaceStep(space_, kTimeStep); }
  [[nodiscard]] const std::vector<cpBody*>& bodies() const noexcept { return scene_.bodies; }

 private:
  cpSpace* space_;
  BuiltScene scene_;
};

/// Whether all bodies are in the same places, at the same speeds, to the bit.
[[nodiscard]] bool same_motion(const std::vector<cpBody*>& one, const std::vector<cpBody*>& other) noexcept;

}  // namespace forkmunk::bench
