#pragma once

#include "bench/support/scene.h"

#include <forkmunk/engine/world.h>

#include <cstddef>
#include <vector>

namespace forkmunk::bench {

/// Steps of a batch, the unit in which stepping is timed.
inline constexpr std::size_t kBatchTicks = 50;
/// Steps of a playout, after its restore.
inline constexpr std::size_t kPlayoutTicks = 60;
/// Maximum number of measured points of a match; short matches have fewer.
inline constexpr std::size_t kPointCountMax = 10;

/// A world that played a scene once and was saved at points spread evenly over the match. Measurements start at one of
/// the points, so that every run times the same states. From each point on the match has kPlayoutTicks ticks, and no
/// two points share any of them.
class SampledMatch {
 public:
  struct Point {
    std::size_t tick = 0;
    engine::Snapshot snapshot;
  };

  /// Plays the scene in its own World, in `physics`; a match recorded in another arithmetic takes another course. Ends
  /// with the commands, or when the match is over. \throws Error if this build does not have `physics`.
  SampledMatch(const Scene& scene, engine::Physics physics);

  [[nodiscard]] engine::World& world() noexcept { return world_; }
  [[nodiscard]] const Scene& scene() const noexcept { return *scene_; }
  [[nodiscard]] const std::vector<Point>& points() const noexcept { return points_; }
  /// The largest snapshot of any tick of the match.
  [[nodiscard]] std::size_t snapshot_bytes_max() const noexcept { return snapshot_bytes_max_; }

  /// Restores the world to `point`, one of points().
  void restore(const Point& point) noexcept;
  /// Steps with the scene's commands. \pre the world is at `point`; count <= kPlayoutTicks.
  void step(const Point& point, std::size_t count) noexcept { step_along(world_, *scene_, point.tick, count); }

 private:
  [[nodiscard]] std::size_t play();

  const Scene* scene_;
  engine::World world_;
  std::vector<Point> points_;
  std::size_t snapshot_bytes_max_ = 0;
};

}  // namespace forkmunk::bench
