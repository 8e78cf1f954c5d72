// SPDX-License-Identifier: MIT
#include "bench/support/scene.h"
#include "bench/support/timing.h"

#include <forkmunk/base/random.h>
#include <forkmunk/engine/world.h>

#include <array>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

/// Measures four playouts as a batch and one after the other (decision 9 in docs/decisions), by map, car, arithmetic
/// and engine: BM_FourPlayouts60Batched/PillMap/Buggy/strict/flat. They start at the points of a SampledMatch in turn.
namespace forkmunk::bench {
namespace {

using benchmark::Counter;
using benchmark::State;
using engine::Physics;

/// Plays four plans from one state, with commands that change every five ticks, in sequence or as a batch.
template <bool kBatched>
void four_playouts(State& state, const Scene& scene, Physics physics) {
  constexpr std::size_t kCount = 4;
  SampledMatch match(scene, physics);
  std::size_t next_point = 0;
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
    match.restore(match.points()[next_point++ % match.points().size()]);
    for (engine::World& world : worlds) world = match.world().fork();
    if constexpr (kBatched) {
      for (const auto& each : commands) step_together(stepped, each);
    } else {
      for (std::size_t i = 0; i < kCount; ++i) {
        for (const auto& each : commands) worlds[i].step(each[i]);
      }
    }
  }
  state.counters["playouts_per_s"] = Counter(static_cast<double>(state.iterations()) * kCount, Counter::kIsRate);
}

void register_all(const std::vector<Scene>& scenes) {
  for (const bool is_batched : {false, true}) {
    for (const Scene& scene : scenes) {
      for (const Physics physics : engine::available_physics()) {
        const std::string name = "BM_FourPlayouts60" + std::string(is_batched ? "Batched/" : "/") + scene.map + "/" +
                                 scene.car + "/" + std::string(to_string(arithmetic_of(physics))) + "/" +
                                 std::string(engine_name(physics));
        const auto run = is_batched ? four_playouts<true> : four_playouts<false>;
        benchmark::RegisterBenchmark(name.c_str(), [=, &scene](State& state) { run(state, scene, physics); });
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
