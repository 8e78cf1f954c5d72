// SPDX-License-Identifier: MIT
#include "support/scenes.h"

#include <array>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

using tests::all_scenes;
using tests::scene_of;
using tests::script;

class Threads : public testing::TestWithParam<Physics> {};

TEST_P(Threads, WorldsAreIndependent) {
  const auto play = [](std::uint64_t seed) {
    World world(GetParam());
    std::uint64_t hash = 0;
    for (const tests::Scene& scene : all_scenes()) {
      world.begin_match(scene.setup);
      for (const Commands& commands : script(seed, 200)) world.step(commands);
      hash ^= world.hash();
    }
    return hash;
  };
  const std::uint64_t alone_1 = play(1), alone_2 = play(2);
  std::uint64_t together_1 = 0, together_2 = 0;
  std::thread first([&] { together_1 = play(1); });
  std::thread second([&] { together_2 = play(2); });
  first.join();
  second.join();
  EXPECT_EQ(together_1, alone_1);
  EXPECT_EQ(together_2, alone_2);
}

TEST_P(Threads, AForkStepsInAnotherThread) {
  World world(GetParam());
  world.begin_match(scene_of("PillHillMap", "Buggy").setup);
  const std::vector<Commands> commands = script(8, 600);
  for (std::size_t i = 0; i < 200; ++i) world.step(commands[i]);
  std::array<std::uint64_t, 2> hashes{};
  std::array twins{world.fork(), world.fork()};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 200; i < 600; ++i) twins[t].step(commands[i]);
      hashes[t] = twins[t].hash();
    });
  }
  for (std::size_t i = 200; i < 600; ++i) world.step(commands[i]);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(hashes[0], world.hash());
  EXPECT_EQ(hashes[1], world.hash());
}

INSTANTIATE_TEST_SUITE_P(EveryPhysics, Threads, testing::ValuesIn(available_physics()),
                         [](const auto& param) { return tests::name_of(param.param); });

}  // namespace
}  // namespace forkmunk::engine
