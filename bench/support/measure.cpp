// SPDX-License-Identifier: MIT
#include "bench/support/measure.h"

#include "bench/support/stock_world.h"
#include "bench/support/timing.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/check.h>
#include <forkmunk/engine/world_batch.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include <unistd.h>

namespace forkmunk::bench {
namespace {

using engine::Physics;

constexpr int kCopyCount = 128;  // one alone is too short for the clock
constexpr int kForkCount = 16;
constexpr int kPlayoutsPerPoint = 2;

struct Samples {
  std::vector<double> save, restore, memcpy, step, stock_step, fork, rebuild, playout;
};

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
  /// \pre `stock` is at the point's tick.
  void time_steps(const SampledMatch::Point& point, StockWorld& stock) {
    const auto time_world = [&] {
      match_.restore(point);
      samples_.step.push_back(time_us([&] { match_.step(point, kBatchTicks); }) / kBatchTicks);
    };
    const auto time_stock = [&] {
      const double us = time_us([&] { step_along(stock, scene_, point.tick, kBatchTicks); });
      samples_.stock_step.push_back(us / kBatchTicks);
    };
    // They take turns, because the second finds the other's data in the caches. Stock Chipmunk cannot go back, so each
    // is timed once.
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
  engine::World watched(Physics::flat);  // earlier matches of a world affect its last bits
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

namespace {

using engine::Commands;
using engine::MatchSetup;
using engine::Snapshot;
using engine::World;
using engine::WorldBatch;

constexpr std::size_t kTicksPerRepetition = 60'000;
constexpr std::size_t kBeginningCount = 16;

struct Beginning {
  std::size_t scene;
  std::size_t tick;
  Snapshot state;
};

std::vector<Beginning> beginnings_of(const std::vector<Scene>& scenes) {
  std::vector<Beginning> result;
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    World world;
    world.begin_match(scenes[s].setup);
    for (std::size_t tick = 0, next = 0; tick < scenes[s].commands.size() && next < kBeginningCount; ++tick) {
      if (tick == next * scenes[s].commands.size() / kBeginningCount) {
        result.push_back({s, tick, world.save()});
        ++next;
      }
      world.step(scenes[s].commands[tick]);
    }
  }
  return result;
}

class Walkers {
 public:
  /// World i starts at beginning (first + i * stride) modulo their number.
  Walkers(const std::vector<Scene>& scenes, const std::vector<Beginning>& beginnings, std::size_t first,
          std::size_t stride, std::size_t count, std::size_t threads)
      : scenes_(scenes),
        batch_(setups_of(scenes, beginnings, first, stride, count), {.threads = threads}),
        commands_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Beginning& beginning = beginnings[(first + i * stride) % beginnings.size()];
      batch_.restore(i, beginning.state);
      positions_.push_back({beginning.scene, beginning.tick});
    }
  }

  /// Times `ticks` steps of all worlds, without the resets.
  double walk(std::size_t ticks) {
    double us = 0;
    for (std::size_t t = 0; t < ticks; ++t) {
      for (std::size_t i = 0; i < positions_.size(); ++i) {
        auto& [scene, tick] = positions_[i];
        if (tick == scenes_[scene].commands.size()) {
          batch_.reset(i);
          tick = 0;
        }
        commands_[i] = scenes_[scene].commands[tick++];
      }
      us += time_us([&] { batch_.step(commands_); });
    }
    return us;
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < batch_.size(); ++i) sum += batch_.world(i).live_bytes();
    return sum / batch_.size();
  }

 private:
  static std::vector<MatchSetup> setups_of(const std::vector<Scene>& scenes, const std::vector<Beginning>& beginnings,
                                           std::size_t first, std::size_t stride, std::size_t count) {
    std::vector<MatchSetup> setups;
    for (std::size_t i = 0; i < count; ++i) {
      setups.push_back(scenes[beginnings[(first + i * stride) % beginnings.size()].scene].setup);
    }
    return setups;
  }

  struct Position {
    std::size_t scene, tick;
  };
  const std::vector<Scene>& scenes_;
  WorldBatch batch_;
  std::vector<Position> positions_;
  std::vector<Commands> commands_;
};

double stock_us_per_tick(const std::vector<Scene>& scenes) {
  double us = 0;
  std::size_t ticks = 0;
  StockWorld stock(Arithmetic::strict);
  for (const Scene& scene : scenes) {
    stock.begin_match(scene.setup);
    us += time_us([&] {
      for (const Commands commands : scene.commands) stock.step(commands);
    });
    ticks += scene.commands.size();
  }
  return us / static_cast<double>(ticks);
}

std::string cache_for(std::size_t bytes) {
#ifdef _SC_LEVEL2_CACHE_SIZE
  for (const auto& [name, number] :
       {std::pair{"in L1", _SC_LEVEL1_DCACHE_SIZE}, std::pair{"in L2", _SC_LEVEL2_CACHE_SIZE},
        std::pair{"in L3", _SC_LEVEL3_CACHE_SIZE}}) {
    if (const long size = sysconf(number); size > 0 && bytes <= static_cast<std::size_t>(size)) return name;
  }
  return "beyond the caches";
#else
  return "caches unknown";
#endif
}

}  // namespace

std::vector<BatchRow> measure_batches(const std::vector<Scene>& scenes, const std::vector<std::size_t>& sizes,
                                      const std::vector<std::size_t>& thread_counts, int repetition_count,
                                      const std::function<void(std::size_t, std::size_t)>& progress) {
  const std::vector<Beginning> beginnings = beginnings_of(scenes);
  std::vector<BatchRow> rows;
  for (const std::size_t worlds : sizes) {
    // Several small batches in sequence cover all matches.
    const std::size_t group_count = std::max<std::size_t>(1, beginnings.size() / worlds);
    const std::size_t ticks = std::max<std::size_t>(2, kTicksPerRepetition / (worlds * group_count));
    const std::size_t stride = std::max<std::size_t>(1, beginnings.size() / worlds);
    for (const std::size_t threads : thread_counts) {
      progress(rows.size(), sizes.size() * thread_counts.size());
      std::vector<std::vector<double>> us(group_count);
      std::vector<double> stock;
      std::size_t bytes = 0;
      for (std::size_t group = 0; group < group_count; ++group) {
        Walkers walkers(scenes, beginnings, group, stride, worlds, threads);
        walkers.walk(2);
        for (int i = 0; i < repetition_count; ++i) {
          us[group].push_back(walkers.walk(ticks));
          // Measures stock about once for each repetition.
          if (group * static_cast<std::size_t>(repetition_count) + static_cast<std::size_t>(i) >=
              stock.size() * group_count) {
            stock.push_back(stock_us_per_tick(scenes));
          }
        }
        bytes += walkers.bytes();
      }
      double sum = 0;
      for (std::vector<double>& of_group : us) sum += median(std::move(of_group));
      const std::size_t mean_bytes = bytes / group_count;
      rows.push_back({worlds, threads, 1e6 * static_cast<double>(worlds * group_count * ticks) / sum,
                      1e6 / median(std::move(stock)), mean_bytes, cache_for(worlds * mean_bytes)});
    }
  }
  return rows;
}

}  // namespace forkmunk::bench
