// SPDX-License-Identifier: MIT
#include "bench/support/measure.h"

#include "bench/support/stock_world.h"
#include "bench/support/timing.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/check.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace forkmunk::bench {
namespace {

using engine::Physics;

constexpr int kCopyCount = 128;  // copies per sample, because one alone is too short for the clock
constexpr int kForkCount = 16;
constexpr int kPlayoutsPerPoint = 2;

struct Samples {
  std::vector<double> save, restore, memcpy, step, stock_step, fork, rebuild, playout;
};

/// Takes all samples of one scene.
class Measurement {
 public:
  Measurement(const Scene& scene, Physics physics)
      : scene_(scene),
        physics_(physics),
        match_(scene, physics),
        from_(arena_alloc::allocate_system(match_.snapshot_bytes_max())),
        to_(arena_alloc::allocate_system(match_.snapshot_bytes_max())) {
    std::memset(from_.get(), 1, match_.snapshot_bytes_max());
    std::memset(to_.get(), 2, match_.snapshot_bytes_max());
  }

  /// Measures one pass along the match.
  void repeat() {
    StockWorld stock(arithmetic_of(physics_));
    stock.begin_match(scene_.setup);
    std::size_t stock_tick = 0;
    for (const SampledMatch::Point& point : match_.points()) {
      step_along(stock, scene_, stock_tick, point.tick - stock_tick);
      time_steps(point, stock);
      stock_tick = point.tick + kBatchTicks;
      time_copies(point);
      time_playouts(point);
      time_rebuild(point);
    }
  }

  [[nodiscard]] Row row() const {
    return {.map = scene_.map,
            .car = scene_.car,
            .physics = physics_,
            .snapshot_bytes = match_.snapshot_bytes_max(),
            .save_us = median(samples_.save),
            .restore_us = median(samples_.restore),
            .memcpy_us = median(samples_.memcpy),
            .step_us = median(samples_.step),
            .stock_step_us = median(samples_.stock_step),
            .fork_us = median(samples_.fork),
            .rebuild_us = median(samples_.rebuild),
            .playout_us = median(samples_.playout)};
  }

 private:
  /// Times the batch from `point` on, in both worlds. \pre `stock` is at the point's tick.
  void time_steps(const SampledMatch::Point& point, StockWorld& stock) {
    const auto time_world = [&] {
      match_.restore(point);
      samples_.step.push_back(time_us([&] { match_.step(point, kBatchTicks); }) / kBatchTicks);
    };
    const auto time_stock = [&] {
      const double us = time_us([&] { step_along(stock, scene_, point.tick, kBatchTicks); });
      samples_.stock_step.push_back(us / kBatchTicks);
    };
    // Each is timed once, because stock Chipmunk cannot go back. They take turns, because the second finds the other's
    // data in the caches.
    is_stock_first_ = !is_stock_first_;
    if (is_stock_first_) time_stock();
    time_world();
    if (!is_stock_first_) time_stock();
    FORKMUNK_CHECK(same_state(match_.world(), stock), "%s with %s, %zu ticks on from tick %zu: stock Chipmunk differs",
                   scene_.map.c_str(), scene_.car.c_str(), kBatchTicks, point.tick);
  }

  void time_copies(const SampledMatch::Point& point) {
    const auto time_each = [](std::vector<double>& samples, auto&& copy) {
      copy();  // warms the buffers, which are warm in use
      const double us = time_us([&] {
        for (int i = 0; i < kCopyCount; ++i) copy();
      });
      samples.push_back(us / kCopyCount);
    };
    match_.restore(point);
    time_each(samples_.save, [&] { match_.world().save(saved_); });
    time_each(samples_.restore, [&] { match_.restore(point); });
    const double forks_us = time_us([&] {
      for (int i = 0; i < kForkCount; ++i) {
        const engine::World twin = match_.world().fork();
        keep(&twin);
      }
    });
    samples_.fork.push_back(forks_us / kForkCount);
    time_each(samples_.memcpy, [&, bytes = point.snapshot.size_bytes()] {
      keep(from_.get());
      std::memcpy(to_.get(), from_.get(), bytes);
      keep(to_.get());
    });
  }

  void time_playouts(const SampledMatch::Point& point) {
    for (int i = 0; i < kPlayoutsPerPoint; ++i) {
      samples_.playout.push_back(time_us([&] {
        match_.restore(point);
        match_.step(point, kPlayoutTicks);
      }));
    }
  }

  void time_rebuild(const SampledMatch::Point& point) {
    std::optional<StockWorld> clone;
    samples_.rebuild.push_back(time_us([&] {
      clone.emplace(arithmetic_of(physics_));
      clone->begin_match(scene_.setup);
      step_along(*clone, scene_, 0, point.tick);
    }));
  }

  const Scene& scene_;
  Physics physics_;
  SampledMatch match_;
  engine::Snapshot saved_;
  arena_alloc::SystemBlock from_, to_;
  Samples samples_;
  bool is_stock_first_ = false;
};

template <typename AnyWorld>
double steps_us(AnyWorld& world, const Scene& scene) {
  world.begin_match(scene.setup);
  return time_us([&] { step_along(world, scene, 0, scene.commands.size()); });
}

}  // namespace

std::string name_of(Physics physics) {
  if (physics == engine::Physics::flat) return "flat";
  return "chipmunk " + std::string(to_string(arithmetic_of(physics)));
}

Row measure(const Scene& scene, Physics physics, int repetition_count) {
  Measurement measurement(scene, physics);
  for (int i = 0; i < repetition_count; ++i) measurement.repeat();
  return measurement.row();
}

GamesReport measure_games(const std::vector<Scene>& matches, int repetition_count) {
  GamesReport report;
  report.match_count = matches.size();
  StockWorld stock(Arithmetic::strict);
  engine::World chipmunk(Physics::chipmunk);
  engine::World flat(Physics::flat);
  engine::World watched(Physics::flat);  // a separate world, because earlier matches of a world affect its last bits
  double stock_us = 0, chipmunk_us = 0, flat_us = 0;
  for (const Scene& scene : matches) {
    std::vector<double> of_stock, of_chipmunk, of_flat;
    for (int i = 0; i < repetition_count; ++i) {
      of_stock.push_back(steps_us(stock, scene));
      of_chipmunk.push_back(steps_us(chipmunk, scene));
      of_flat.push_back(steps_us(flat, scene));
      FORKMUNK_CHECK(same_state(flat, stock) && flat.hash() == chipmunk.hash(), "%s with %s: the engines differ",
                     scene.map.c_str(), scene.car.c_str());
    }
    stock_us += median(std::move(of_stock));
    chipmunk_us += median(std::move(of_chipmunk));
    flat_us += median(std::move(of_flat));
    report.tick_count += scene.commands.size();
    watched.begin_match(scene.setup);
    for (std::size_t tick = 0; tick < scene.commands.size(); ++tick) {
      step_along(watched, scene, tick, 1);
      report.flat_bytes.push_back(watched.live_bytes());
    }
  }
  const auto ticks = static_cast<double>(report.tick_count);
  report.stock_step_us = stock_us / ticks;
  report.chipmunk_step_us = chipmunk_us / ticks;
  report.flat_step_us = flat_us / ticks;
  std::sort(report.flat_bytes.begin(), report.flat_bytes.end());
  return report;
}

}  // namespace forkmunk::bench
