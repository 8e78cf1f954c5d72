#include "bench/support/sampled_match.h"

#include <forkmunk/base/check.h>

#include <algorithm>

namespace forkmunk::bench {

SampledMatch::SampledMatch(const Scene& scene, engine::Physics physics) : scene_(&scene), world_(physics) {
  world_.begin_match(scene.setup);
  const Point start{0, world_.save()};
  const std::size_t tick_count = play();
  const std::size_t point_count = std::min(tick_count / kPlayoutTicks, kPointCountMax);
  FORKMUNK_CHECK(point_count > 0, "%s with %s is over after %zu ticks", scene.map.c_str(), scene.car.c_str(),
                 tick_count);
  points_.resize(point_count);
  restore(start);
  std::size_t tick = 0;
  for (std::size_t i = 0; i < point_count; ++i) {
    Point& point = points_[i];
    // In the middle of its share of the match.
    const std::size_t share = tick_count / point_count;
    point.tick = i * share + (share - kPlayoutTicks) / 2;
    step_along(world_, scene, tick, point.tick - tick);
    world_.save(point.snapshot);
    tick = point.tick;
  }
}

std::size_t SampledMatch::play() {
  snapshot_bytes_max_ = world_.live_bytes();
  std::size_t tick = 0;
  while (tick < scene_->commands.size() && !world_.match_over()) {
    step_along(world_, *scene_, tick++, 1);
    snapshot_bytes_max_ = std::max(snapshot_bytes_max_, world_.live_bytes());
  }
  return tick;
}

void SampledMatch::restore(const Point& point) noexcept { world_.restore(point.snapshot); }

}  // namespace forkmunk::bench
