// SPDX-License-Identifier: MIT
#include "bench/support/batch.h"

#include "bench/support/stock_world.h"
#include "bench/support/timing.h"

#include <forkmunk/engine/world_batch.h>

#include <algorithm>
#include <string_view>

#include <unistd.h>

namespace forkmunk::bench {
namespace {

using engine::Commands;
using engine::MatchSetup;
using engine::Snapshot;
using engine::World;
using engine::WorldBatch;

// The approximate number of steps in a repetition.
constexpr std::size_t kTicksPerRepetition = 60'000;
// The number of states of each match that worlds start from.
constexpr std::size_t kBeginningCount = 16;

/// A point of a recorded match.
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

/// The worlds of a batch, each of which follows a match.
class Walkers {
 public:
  /// Starts world i at beginning (first + i * stride) modulo the number of beginnings.
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

  /// Returns the microseconds of `ticks` steps of all worlds, without the resets at matches' ends.
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

// Returns the microseconds per tick of all matches from beginning to end.
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
    // Several small batches run in sequence, so that each row covers all matches.
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
          // The measurements are interleaved: about one of stock for each repetition, spread over the row.
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
