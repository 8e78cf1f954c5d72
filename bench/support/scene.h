// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/world.h>

#include <cstddef>
#include <string>
#include <vector>

namespace forkmunk::bench {

struct Scene {
  std::string map;  ///< A name in the catalogue, as `car`.
  std::string car;
  engine::MatchSetup setup;
  std::vector<engine::Commands> commands;  ///< By tick; `stop` where the referee took no command.
};

/// \throws RecordingError; Error if the recording has no commands.
[[nodiscard]] std::vector<Scene> scenes_of(const std::string& recording_file);

/// Returns the longest built-in match of every map with every car. Cost: 0.1 s, to decompress the recordings.
[[nodiscard]] std::vector<Scene> builtin_scenes();

/// `world` is a World or a StockWorld at tick `first` of the scene.
template <typename AnyWorld>
void step_along(AnyWorld& world, const Scene& scene, std::size_t first, std::size_t count) noexcept {
  for (std::size_t tick = first; tick < first + count; ++tick) world.step(scene.commands[tick]);
}

/// Steps are timed in batches.
inline constexpr std::size_t kBatchTicks = 50;
inline constexpr std::size_t kPlayoutTicks = 60;
/// Short matches have fewer points.
inline constexpr std::size_t kPointCountMax = 10;

/// A world that was saved at points spread evenly over a match, so that every run times the same states. kPlayoutTicks
/// ticks of its own follow each point.
class SampledMatch {
 public:
  struct Point {
    std::size_t tick = 0;
    engine::Snapshot snapshot;
  };

  /// Plays the scene in its own World. A match recorded in another arithmetic takes another course. \throws Error if
  /// this build lacks `physics`.
  SampledMatch(const Scene& scene, engine::Physics physics);

  [[nodiscard]] engine::World& world() noexcept { return world_; }
  [[nodiscard]] const std::vector<Point>& points() const noexcept { return points_; }
  [[nodiscard]] std::size_t snapshot_bytes_max() const noexcept { return snapshot_bytes_max_; }

  void restore(const Point& point) noexcept { world_.restore(point.snapshot); }
  /// \pre the world is at `point`; count <= kPlayoutTicks.
  void step(const Point& point, std::size_t count) noexcept { step_along(world_, *scene_, point.tick, count); }

 private:
  [[nodiscard]] std::size_t play();

  const Scene* scene_;
  engine::World world_;
  std::vector<Point> points_;
  std::size_t snapshot_bytes_max_ = 0;
};

}  // namespace forkmunk::bench
