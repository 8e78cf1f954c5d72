// SPDX-License-Identifier: MIT
#include "bench/support/scene.h"
#include "bench/support/timing.h"

#include <forkmunk/base/random.h>
#include <forkmunk/engine/world_batch.h>

#include <array>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

/// The costs of a World that `forkmunk bench` does not measure, by map, car, arithmetic and engine:
/// BM_Rollout/PillMap/Buggy/strict/flat. Playouts start at the points of a SampledMatch in turn.
namespace forkmunk::bench {
namespace {

using benchmark::Counter;
using benchmark::State;
using engine::Physics;

class Points {
 public:
  explicit Points(const SampledMatch& match) : points_(match.points()) {}
  const SampledMatch::Point& next() { return points_[index_++ % points_.size()]; }

 private:
  const std::vector<SampledMatch::Point>& points_;
  std::size_t index_ = 0;
};

const SampledMatch::Point& middle_of(const SampledMatch& match) { return match.points()[match.points().size() / 2]; }

void count_items(State& state, const char* name, std::size_t per_iteration) {
  const auto count = static_cast<double>(state.iterations()) * static_cast<double>(per_iteration);
  state.counters[name] = Counter(count, Counter::kIsRate);
}

/// As by a bot that tracks the referee's arithmetic and plans on the flat engine.
void take_over(State& state, const Scene& scene, Physics physics) {
  SampledMatch match(scene, physics);
  match.restore(middle_of(match));
  engine::World planned(Physics::flat);
  planned.begin_match(scene.setup);
  for (auto _ : state) {
    planned.take_over(match.world());
    keep(&planned);
  }
  count_items(state, "take_overs_per_s", 1);
}

/// Plays four plans from one state, with commands that change every five ticks, in sequence or as a batch.
template <bool kBatched>
void four_playouts(State& state, const Scene& scene, Physics physics) {
  constexpr std::size_t kCount = 4;
  SampledMatch match(scene, physics);
  Points points(match);
  std::vector<engine::World> worlds;
  for (std::size_t i = 0; i < kCount; ++i) worlds.push_back(match.world().fork());
  std::array<engine::World*, kCount> stepped;
  for (std::size_t i = 0; i < kCount; ++i) stepped[i] = &worlds[i];
  Random random(1);
  std::array<std::array<engine::Commands, kCount>, kPlayoutTicks> commands;
  for (std::size_t tick = 0; tick < kPlayoutTicks; ++tick) {
    for (engine::Commands& each : commands[tick])
      each = {random.pick(engine::kCommands), random.pick(engine::kCommands)};
    if (tick % 5 != 0) commands[tick] = commands[tick - 1];
  }
  for (auto _ : state) {
    match.restore(points.next());
    for (engine::World& world : worlds) world = match.world().fork();
    if constexpr (kBatched) {
      for (const auto& each : commands) step_together(stepped, each);
    } else {
      for (std::size_t i = 0; i < kCount; ++i) {
        for (const auto& each : commands) worlds[i].step(each[i]);
      }
    }
  }
  count_items(state, "playouts_per_s", kCount);
}

/// A thousand plans of 60 ticks from one state, with commands that change every five ticks: as a rollout, or as steps
/// of a batch, whose restoring is not timed.
template <bool kRollout>
void thousand_plans(State& state, const Scene& scene, Physics physics) {
  constexpr std::size_t kCount = 1000;
  SampledMatch match(scene, physics);
  match.restore(middle_of(match));
  engine::WorldBatch batch(scene.setup, kCount, {.physics = physics});
  const engine::Snapshot beginning = match.world().save();
  if (!batch.try_restore(0, beginning))
    return state.SkipWithError("a Chipmunk snapshot fits only the world that saved it");
  Random random(1);
  std::vector<engine::Commands> plans(kCount * kPlayoutTicks);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i] = i % kPlayoutTicks % 5 == 0
                   ? engine::Commands{random.pick(engine::kCommands), random.pick(engine::kCommands)}
                   : plans[i - 1];
  }
  const std::vector<std::uint8_t> all(kCount, 1);
  std::vector<engine::Commands> commands(kCount);
  engine::Rollout result;
  for (auto _ : state) {
    if constexpr (kRollout) {
      batch.rollout(beginning, plans, kPlayoutTicks, result);
      continue;
    }
    state.PauseTiming();
    batch.restore(all, beginning);
    state.ResumeTiming();
    for (std::size_t tick = 0; tick < kPlayoutTicks; ++tick) {
      for (std::size_t i = 0; i < kCount; ++i) commands[i] = plans[i * kPlayoutTicks + tick];
      batch.step(commands);
    }
  }
  count_items(state, "ticks_per_s", kCount * kPlayoutTicks);
}

struct Family {
  const char* name;
  void (*run)(State&, const Scene&, Physics);
};
constexpr Family kFamilies[]{{"BM_FourPlayouts60", four_playouts<false>},
                             {"BM_FourPlayouts60Batched", four_playouts<true>},
                             {"BM_BatchSteps", thousand_plans<false>},
                             {"BM_Rollout", thousand_plans<true>},
                             {"BM_TakeOver", take_over}};

void register_all(const std::vector<Scene>& scenes) {
  for (const Family& family : kFamilies) {
    for (const Scene& scene : scenes) {
      for (const Physics physics : engine::available_physics()) {
        const std::string name = std::string(family.name) + "/" + scene.map + "/" + scene.car + "/" +
                                 std::string(to_string(arithmetic_of(physics))) + "/" +
                                 std::string(engine_name(physics));
        benchmark::RegisterBenchmark(name.c_str(),
                                     [run = family.run, &scene, physics](State& state) { run(state, scene, physics); });
      }
    }
  }
}

}  // namespace
}  // namespace forkmunk::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::vector<forkmunk::bench::Scene> scenes = forkmunk::bench::builtin_scenes();
  forkmunk::bench::register_all(scenes);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
