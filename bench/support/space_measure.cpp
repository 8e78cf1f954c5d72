// SPDX-License-Identifier: MIT
#include "bench/support/space_measure.h"

#include "bench/support/space_scene.h"
#include "bench/support/timing.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace forkmunk::FORKMUNK_BENCH {
namespace {

// One copy is too short for the clock.
constexpr std::size_t kSampleBytes = std::size_t{4} << 20;
constexpr int kWarmCount = 2;
constexpr int kRebuildCountMax = 3;
// Short, so that stock Chipmunk is measured soon after.
constexpr double kBatchUs = 500;
constexpr int kBatchesPerRepetition = 4;
constexpr int kBatchMax = 500;
constexpr int kRayCount = 128;

int count_for(std::size_t sample_bytes, std::size_t bytes, int most) {
  return std::clamp(static_cast<int>(sample_bytes / bytes), 4, most);
}

struct SpaceSamples {
  std::vector<double> memcpy, save, restore, fork, hash, write, read, snapshot_write, snapshot_read, step, stock_step,
      ray, stock_ray, rebuild;
};

struct ClonableScene {
  space::Space space;
  BuiltScene scene;

  ClonableScene(SceneKind kind, int body_count) {
    const auto building = space.enter();
    space.set_defects(space::Defects::stock);  // only speed may differ
    scene = build_scene(space_scene_api(), space.space(), kind, body_count);
  }
};

class SpaceMeasurement {
 public:
  SpaceMeasurement(SceneKind kind, int body_count)
      : kind_(kind),
        body_count_(body_count),
        still_(kind, body_count),
        moving_(kind, body_count),
        stock_(kind, body_count) {
    for (int i = 1; i < kSettlingSteps; ++i) {
      still_.space.step(kTimeStep);
      moving_.space.step(kTimeStep);
      stock_.step();
    }
    const double step_us = time_us([this] { still_.space.step(kTimeStep); });
    moving_.space.step(kTimeStep);
    stock_.step();
    batch_ = std::clamp(static_cast<int>(kBatchUs / step_us), 1, kBatchMax);
    bytes_ = still_.space.live_bytes();
    from_ = arena_alloc::allocate_system(bytes_);
    to_ = arena_alloc::allocate_system(bytes_);
    std::memset(from_.get(), 1, bytes_);
    std::memset(to_.get(), 2, bytes_);
    still_.space.save(snapshot_);
    name_callbacks();
    written_ = still_.space.to_bytes();
  }

  void repeat() {
    for (int i = 0; i < kBatchesPerRepetition; ++i) {
      time_steps(i % 2 == 0);
      time_rays(i % 2 == 0);
    }
    time_copies();
    if (samples_.rebuild.size() < kRebuildCountMax) {
      samples_.rebuild.push_back(cpu_time_us([&] {
        StockScene again(kind_, body_count_);
        for (int i = 0; i < kSettlingSteps; ++i) again.step();
        keep(&again);
      }));
    }
  }

  [[nodiscard]] SpaceRow row() const {
    return {.kind = kind_,
            .body_count = body_count_,
            .live_bytes = bytes_,
            .memcpy_us = median(samples_.memcpy),
            .save_us = median(samples_.save),
            .restore_us = median(samples_.restore),
            .fork_us = median(samples_.fork),
            .hash_us = median(samples_.hash),
            .write_us = median(samples_.write),
            .read_us = median(samples_.read),
            .snapshot_write_us = median(samples_.snapshot_write),
            .snapshot_read_us = median(samples_.snapshot_read),
            .step_us = median(samples_.step),
            .stock_step_us = median(samples_.stock_step),
            .step_ratio = median_ratio(samples_.stock_step, samples_.step),
            .ray_us = median(samples_.ray),
            .stock_ray_us = median(samples_.stock_ray),
            .ray_ratio = median_ratio(samples_.stock_ray, samples_.ray),
            .rebuild_us = median(samples_.rebuild)};
  }

 private:
  // Interleaved batches, each after a warm-up step, end at the same tick.
  void time_steps(bool stock_first) {
    const auto time_batch = [this](std::vector<double>& samples, auto&& step) {
      step();
      const double us = cpu_time_us([&] {
        for (int i = 0; i < batch_; ++i) step();
      });
      samples.push_back(us / batch_);
    };
    for (const bool stock : {stock_first, !stock_first}) {
      if (stock) {
        time_batch(samples_.stock_step, [this] { stock_.step(); });
      } else {
        time_batch(samples_.step, [this] { moving_.space.step(kTimeStep); });
      }
    }
    if (!same_motion(moving_.scene, stock_.scene())) {
      throw Error(to_string(kind_), " of ", body_count_, ": the bodies move differently in stock Chipmunk");
    }
  }

  void time_rays(bool stock_first) {
    cpBB box = cpBBNew(INFINITY, INFINITY, -INFINITY, -INFINITY);
    for (const cpBody* body : moving_.scene.bodies) box = cpBBExpand(box, body->p);
    const cpVect from = cpv(box.l - 50, (box.b + box.t) / 2);
    const double length = 2 * (box.r - box.l + 50);
    const auto cast = [&](const SceneApi& api, cpSpace* space) {
      double sum = 0;
      for (int i = 0; i < kRayCount; ++i) {
        const double angle = (static_cast<double>(i) / kRayCount - 0.5) * CP_PI / 2;
        const cpVect to = cpvadd(from, cpvmult(cpv(std::cos(angle), std::sin(angle)), length));
        cpSegmentQueryInfo hit;
        api.cpSpaceSegmentQueryFirst(space, from, to, 0, CP_SHAPE_FILTER_ALL, &hit);
        sum += hit.alpha;
      }
      return sum;
    };
    moving_.space.set_defects(space::Defects::none);  // the default
    double sums[2];
    for (const bool stock : {stock_first, !stock_first}) {
      const SceneApi& api = stock ? stock_scene_api() : space_scene_api();
      cpSpace* const space = stock ? stock_.space() : moving_.space.space();
      cast(api, space);
      const double us = cpu_time_us([&] { sums[stock] = cast(api, space); });
      (stock ? samples_.stock_ray : samples_.ray).push_back(us / kRayCount);
    }
    moving_.space.set_defects(space::Defects::stock);
    if (sums[0] != sums[1])
      throw Error(to_string(kind_), " of ", body_count_, ": rays end elsewhere in stock Chipmunk");
  }

  void time_copies() {
    const auto time_each = [](std::vector<double>& samples, int count, auto&& copy) {
      for (int i = 0; i < kWarmCount; ++i) copy();  // warms the buffers, as programs in use do
      const double us = cpu_time_us([&] {
        for (int i = 0; i < count; ++i) copy();
      });
      samples.push_back(us / count);
    };
    const int copy_count = count_for(kSampleBytes, bytes_, 256);
    // Large scenes evict each other from the caches.
    for (int turn = 0; turn < 6; ++turn) {
      switch (turn < 3 ? turn : 5 - turn) {
        case 0:
          time_each(samples_.memcpy, copy_count, [&] {
            keep(from_.get());
            std::memcpy(to_.get(), from_.get(), bytes_);
            keep(to_.get());
          });
          break;
        case 1: time_each(samples_.save, copy_count, [&] { still_.space.save(snapshot_); }); break;
        default:
          time_each(samples_.restore, copy_count, [&] {
            if (!still_.space.restore(snapshot_)) throw Error("a snapshot was not restored");
          });
      }
    }
    const auto time_results = [&](std::vector<double>& samples, auto&& make) {
      time_each(samples, count_for(kSampleBytes / 8, bytes_, 32), [&] {
        const auto result = make();
        keep(&result);
      });
    };
    time_results(samples_.fork, [&] { return still_.space.fork(); });
    time_results(samples_.hash, [&] { return still_.space.hash(); });
    time_results(samples_.write, [&] { return still_.space.to_bytes(); });
    time_results(samples_.read, [&] { return space::Space::from_bytes(written_); });
    time_results(samples_.snapshot_write, [&] { return snapshot_.to_bytes(); });
    time_results(samples_.snapshot_read, [&] { return space::Snapshot::from_bytes(written_); });
  }

  SceneKind kind_;
  int body_count_;
  int batch_ = 0;
  ClonableScene still_, moving_;
  StockScene stock_;
  std::size_t bytes_ = 0;
  arena_alloc::SystemBlock from_, to_;
  space::Snapshot snapshot_;
  std::vector<std::byte> written_;
  SpaceSamples samples_;
};

}  // namespace
}  // namespace forkmunk::FORKMUNK_BENCH

namespace forkmunk::bench {

#ifdef FORKMUNK_SINGLE
#define measure_space measure_single_space
#endif
SpaceRow measure_space(SceneKind kind, int body_count, int repetition_count) {
  SpaceMeasurement measurement(kind, body_count);
  for (int i = 0; i < repetition_count; ++i) measurement.repeat();
  return measurement.row();
}

}  // namespace forkmunk::bench
