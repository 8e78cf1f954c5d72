// SPDX-License-Identifier: MIT
#include "support/scenes.h"
#include "world_implementation.h"

#include <cstring>
#include <optional>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

using tests::all_scenes;
using tests::Scene;
using tests::scene_of;
using tests::script;

constexpr int kBranchTicks = 200;

/// Visits every `every`th tick of a scripted match per scene, also while the deadline rises. Matches of a physics share
/// their world.
template <typename Visitor>
void along_matches(int every, Visitor visit) {
  for (const Physics physics : available_physics()) {
    World world(physics);
    for (const Scene& scene : all_scenes()) {
      world.begin_match(scene.setup);
      const std::vector<Commands> commands = script(11, 1200);
      for (std::size_t tick = 0; tick + kBranchTicks < commands.size(); ++tick) {
        if (tick % static_cast<std::size_t>(every) == 0) visit(world, scene, commands, tick);
        world.step(commands[tick]);
      }
    }
  }
}

TEST(Clone, RestoringGivesTheOriginalStates) {
  Snapshot snapshot;
  Random other(99);
  along_matches(97, [&](World& world, const Scene& scene, const std::vector<Commands>& commands, std::size_t tick) {
    world.save(snapshot);
    const std::uint64_t raw = implementation_of(world).raw_hash();
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < kBranchTicks; ++i) {
      world.step(commands[tick + i]);
      hashes.push_back(world.hash());
    }
    world.restore(snapshot);
    ASSERT_EQ(implementation_of(world).raw_hash(), raw);
    for (int i = 0; i < kBranchTicks; ++i) world.step({other.pick(kCommands), other.pick(kCommands)});
    world.restore(snapshot);
    for (std::size_t i = 0; i < kBranchTicks; ++i) {
      world.step(commands[tick + i]);
      ASSERT_EQ(world.hash(), hashes[i]) << scene.map << ' ' << scene.car << " tick " << tick << " + " << i;
    }
    world.restore(snapshot);
  });
}

// After the lockstep, the original's bytes are overwritten.
TEST(Clone, AForkStepsInLockstepFromAnywhere) {
  int forks = 0;
  along_matches(89, [&](World& world, const Scene& scene, const std::vector<Commands>& commands, std::size_t tick) {
    const Snapshot here = world.save();
    World twin = world.fork();
    ASSERT_EQ(twin.hash(), world.hash());
    ASSERT_TRUE(twin.setup() == scene.setup);
    for (std::size_t i = 0; i < kBranchTicks / 2; ++i) {
      world.step(commands[tick + i]);
      twin.step(commands[tick + i]);
      ASSERT_EQ(twin.hash(), world.hash()) << scene.map << ' ' << scene.car << " tick " << tick << " + " << i;
    }
    world.restore(here);
    ++forks;
  });
  EXPECT_GE(forks, 100);
}

TEST(Clone, AForkOutlivesItsOriginal) {
  for (const Physics physics : available_physics()) {
    for (const Scene& scene : all_scenes()) {
      const std::vector<Commands> commands = script(21, 700);
      std::optional<World> original(physics);
      original->begin_match(scene.setup);
      for (int tick = 0; tick < 300; ++tick) original->step(commands[static_cast<std::size_t>(tick)]);
      World twin = original->fork();
      std::vector<std::uint64_t> hashes;
      for (std::size_t tick = 300; tick < 700; ++tick) {
        original->step(commands[tick]);
        hashes.push_back(original->hash());
      }
      original->begin_match(scene_of("PillMap", "Buggy").setup);
      for (int tick = 0; tick < 50; ++tick) original->step({Command::left, Command::right});
      original.reset();
      for (std::size_t tick = 300; tick < 700; ++tick) {
        twin.step(commands[tick]);
        ASSERT_EQ(twin.hash(), hashes[tick - 300]) << scene.map << ' ' << scene.car << " tick " << tick;
      }
      // A fork has the space's counters of all matches.
      World again(physics);
      again.begin_match(scene.setup);
      for (std::size_t tick = 0; tick < 700; ++tick) again.step(commands[tick]);
      again.begin_match(scene_of("PillHillMap", "Bus").setup);
      twin.begin_match(scene_of("PillHillMap", "Bus").setup);
      for (std::size_t tick = 0; tick < 200; ++tick) {
        again.step(commands[tick]);
        twin.step(commands[tick]);
      }
      EXPECT_EQ(twin.hash(), again.hash());
    }
  }
}

class CloneOf : public testing::TestWithParam<Physics> {};

TEST_P(CloneOf, AForkIsAWorldWithForksAndSnapshots) {
  World world(GetParam());
  world.begin_match(scene_of("PillHillMap", "SquareWheelsBuggy").setup);
  const std::vector<Commands> commands = script(4, 400);
  for (std::size_t i = 0; i < 150; ++i) world.step(commands[i]);
  World grandchild = world.fork().fork();
  const Snapshot snapshot = grandchild.save();
  for (std::size_t i = 150; i < 400; ++i) grandchild.step(commands[399 - i]);
  grandchild.restore(snapshot);
  for (std::size_t i = 150; i < 400; ++i) {
    grandchild.step(commands[i]);
    world.step(commands[i]);
  }
  EXPECT_EQ(grandchild.hash(), world.hash());
}

INSTANTIATE_TEST_SUITE_P(EveryPhysics, CloneOf, testing::ValuesIn(available_physics()),
                         [](const auto& param) { return tests::name_of(param.param); });

}  // namespace
}  // namespace forkmunk::engine
