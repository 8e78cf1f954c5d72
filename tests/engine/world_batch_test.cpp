// SPDX-License-Identifier: MIT
#include "support/scenes.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/engine/world_batch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

std::vector<MatchSetup> every_setup() {
  std::vector<MatchSetup> setups;
  for (const tests::Scene& scene : tests::all_scenes()) setups.push_back(scene.setup);
  return setups;
}

Commands random_commands(Random& random) { return {kCommands[random.below(3)], kCommands[random.below(3)]}; }

class WorldBatchTest : public testing::TestWithParam<std::size_t> {};

TEST_P(WorldBatchTest, EqualsSingleWorldsAtEveryTick) {
  const std::vector<MatchSetup> setups = every_setup();
  WorldBatch batch(setups, {.threads = GetParam(), .reset_when_over = true});
  std::vector<World> singles;
  std::vector<Snapshot> starts;
  for (const MatchSetup& setup : setups) {
    singles.emplace_back().begin_match(setup);
    starts.push_back(singles.back().save());
  }
  Random random(5);
  std::vector<Commands> commands(setups.size());
  int resets = 0;
  for (int tick = 0; tick < 900; ++tick) {
    for (std::size_t i = 0; i < setups.size(); ++i) {
      if (tick % 12 == 0) commands[i] = random_commands(random);
      if (singles[i].match_over()) {
        singles[i].restore(starts[i]);
        ++resets;
      } else {
        singles[i].step(commands[i]);
      }
    }
    batch.step(commands);
    for (std::size_t i = 0; i < setups.size(); ++i) {
      ASSERT_EQ(batch.world(i).hash(), singles[i].hash()) << "world " << i << " at tick " << tick;
      std::array<double, kObservationSize> row{};
      observe(singles[i], row);
      for (std::size_t k = 0; k < kObservationSize; ++k)
        ASSERT_EQ(batch.observations()[i * kObservationSize + k], row[k]);
      ASSERT_EQ(batch.dead()[2 * i + 1] != 0, singles[i].dead(Player::second));
      ASSERT_EQ(batch.over()[i] != 0, singles[i].match_over());
    }
  }
  EXPECT_GT(resets, 3);
}

TEST_P(WorldBatchTest, ARolloutEqualsSteppingEachPlan) {
  const std::vector<MatchSetup> setups = every_setup();
  constexpr std::size_t kPlans = 40, kTicks = 50;
  World world;
  world.begin_match(setups[1]);
  for (int i = 0; i < 60; ++i) world.step({Command::right, Command::right});
  const Snapshot from = world.save();
  WorldBatch batch(setups[1], 3, {.threads = GetParam()});
  const std::uint64_t untouched = batch.world(2).hash();
  Random random(9);
  std::vector<Commands> plans(kPlans * kTicks);
  for (Commands& commands : plans) commands = random_commands(random);
  Rollout rollout;
  batch.rollout(from, plans, kTicks, rollout, true);
  EXPECT_EQ(batch.world(2).hash(), untouched);
  ASSERT_EQ(rollout.plan_count, kPlans);
  for (std::size_t plan = 0; plan < kPlans; ++plan) {
    world.restore(from);
    std::array<std::int32_t, 2> deaths{};
    std::array<double, kFullObservationSize> row{};
    for (std::size_t tick = 0; tick < kTicks; ++tick) {
      world.step(plans[plan * kTicks + tick]);
      for (std::size_t p = 0; p < 2; ++p) {
        if (deaths[p] == 0 && world.dead(kPlayers[p])) deaths[p] = static_cast<std::int32_t>(tick + 1);
      }
      observe_fully(world, row);
      for (std::size_t k = 0; k < kFullObservationSize; ++k) {
        ASSERT_EQ(rollout.states[(plan * kTicks + tick) * kFullObservationSize + k], row[k]);
      }
    }
    for (std::size_t k = 0; k < kFullObservationSize; ++k)
      ASSERT_EQ(rollout.final_states[plan * kFullObservationSize + k], row[k]);
    for (std::size_t p = 0; p < 2; ++p) {
      EXPECT_EQ(rollout.death_ticks[2 * plan + p], deaths[p]);
      EXPECT_EQ(rollout.dead[2 * plan + p] != 0, deaths[p] != 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, WorldBatchTest, testing::Values(1, 2, 5));

TEST(WorldBatch, ForksRestoresAndResetsByIndexAndMask) {
  const MatchSetup setup = every_setup()[0];
  for (const Physics physics : available_physics()) {
    WorldBatch batch(setup, 4, {.physics = physics});
    const std::uint64_t start = batch.world(0).hash();
    const std::vector<Commands> right(4, {Command::right, Command::left});
    for (int i = 0; i < 30; ++i) batch.step(right);
    Snapshot saved;
    batch.save(1, saved);
    const std::uint64_t middle = batch.world(1).hash();
    batch.reset(std::vector<std::uint8_t>{0, 0, 1, 1});
    EXPECT_EQ(batch.world(3).hash(), start);
    EXPECT_EQ(batch.world(1).hash(), middle);
    batch.fork(1, 3);
    EXPECT_EQ(batch.world(3).hash(), middle);
    EXPECT_EQ(batch.observations()[3 * kObservationSize], batch.observations()[1 * kObservationSize]);
    batch.step(right);
    EXPECT_EQ(batch.world(3).hash(), batch.world(1).hash());
    batch.restore(1, saved);
    EXPECT_EQ(batch.world(1).hash(), middle);
    batch.reset();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(batch.world(i).hash(), start) << i;
    batch.step(right);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(batch.world(i).hash(), batch.world(0).hash());
    EXPECT_EQ(batch.compute_full_observations().size(), 4 * kFullObservationSize);
  }
}

// Some worlds become non-finite.
TEST(StepTogether, EqualsSteppingEachWithAllSimdTargets) {
  std::vector<MatchSetup> setups;
  for (int copy = 0; copy < 7; ++copy) {
    for (const MatchSetup& setup : every_setup()) setups.push_back(setup);
    if (copy < 2) setups.push_back(tests::exploding_setup());
  }
  std::ranges::stable_sort(setups, {}, [](const MatchSetup& setup) { return setup.car.drive; });
  const SimdTarget usual = simd_target();
  for (const SimdTarget target : available_simd_targets()) {
    ASSERT_TRUE(set_simd_target(target));
    Random random(21);
    std::vector<World> together, alone;
    for (const MatchSetup& setup : setups) {
      together.emplace_back().begin_match(setup);
      alone.push_back(together.back().fork());
    }
    bool diverged = false;
    for (int tick = 0; tick < 300; ++tick) {
      for (std::size_t from = 0; from < setups.size();) {
        std::vector<World*> group;
        std::vector<Commands> commands;
        const std::size_t size = 1 + random.below(tick % 2 == 0 ? 9 : 40);
        for (; group.size() < size && from < setups.size(); ++from) {
          group.push_back(&together[from]);
          commands.push_back(random_commands(random));
          alone[from].step(commands.back());
        }
        step_together(group, commands);
      }
      for (std::size_t i = 0; i < setups.size(); ++i) {
        ASSERT_EQ(together[i].hash(), alone[i].hash()) << to_string(target) << ", world " << i << " at tick " << tick;
        diverged = diverged || !alone[i].is_finite();
      }
    }
    EXPECT_TRUE(diverged);
  }
  set_simd_target(usual);
}

TEST(StepTogether, WorldsOfBothEnginesWithTheirCommands) {
  World flat, chipmunk(Physics::chipmunk), without;
  flat.begin_match(every_setup()[2]);
  chipmunk.begin_match(every_setup()[2]);
  const std::array commands{Commands{Command::left, Command::right}, Commands{Command::left, Command::right}};
  for (int tick = 0; tick < 50; ++tick) step_together(std::array{&flat, &chipmunk}, commands);
  EXPECT_EQ(flat.hash(), chipmunk.hash());
  EXPECT_THROW(step_together(std::array{&flat}, commands), Error);
  EXPECT_THROW(step_together(std::array{&flat, &without}, commands), Error);
  World other = flat.fork();
  const std::array three{commands[0], commands[0], commands[0]};
  EXPECT_THROW(step_together(std::array{&flat, &flat}, commands), Error);
  EXPECT_THROW(step_together(std::array{&flat, &other, &flat}, three), Error);
  EXPECT_THROW(step_together(std::array{&chipmunk, &chipmunk}, commands), Error);
  EXPECT_EQ(flat.hash(), chipmunk.hash()) << "no world is stepped after an error";
  step_together(std::array{&flat, &chipmunk, &other}, three);
  EXPECT_EQ(flat.hash(), chipmunk.hash());
  EXPECT_EQ(flat.hash(), other.hash());
}

TEST(WorldBatch, RollsOutAMatchThatBeganLater) {
  const std::vector<MatchSetup> setups = every_setup();
  WorldBatch batch(setups[0], 2, {.threads = 2});
  const Snapshot first = batch.world(0).save();
  batch.begin_match(0, setups[5]);
  const std::vector<Commands> plans(6, {Command::right, Command::left});
  Rollout rollout;
  EXPECT_THROW(batch.rollout(first, plans, 3, rollout), Error);
  batch.rollout(batch.world(0).save(), plans, 3, rollout);
  World world;
  world.begin_match(setups[5]);
  for (int i = 0; i < 3; ++i) world.step(plans[0]);
  std::array<double, kFullObservationSize> expected;
  observe_fully(world, expected);
  EXPECT_TRUE(std::ranges::equal(expected, std::span(rollout.final_states).first(kFullObservationSize)));
  batch.begin_match(0, setups[0]);
  batch.rollout(first, plans, 3, rollout);
}

TEST(WorldBatch, BeginsMatchesOfManySetups) {
  MatchSetup setup = every_setup()[0];
  WorldBatch batch(setup, 2);
  const std::uint64_t start = batch.world(1).hash();
  for (int i = 1; i <= 600; ++i) {
    setup.map.segments[0].a.x = -i;
    batch.begin_match(0, setup);
  }
  World world;
  world.begin_match(setup);
  const std::vector<Commands> commands(2, {Command::right, Command::left});
  for (int i = 0; i < 20; ++i) batch.step(commands);
  for (int i = 0; i < 20; ++i) world.step(commands[0]);
  EXPECT_EQ(batch.world(0).hash(), world.hash());
  batch.reset();
  EXPECT_EQ(batch.world(1).hash(), start);
  World again;
  again.begin_match(setup);
  EXPECT_EQ(batch.world(0).hash(), again.hash());
}

TEST(WorldBatch, BadUseIsRefused) {
  const std::vector<MatchSetup> setups = every_setup();
  WorldBatch batch(std::span<const MatchSetup>(setups).first(2));
  EXPECT_THROW(WorldBatch(setups[0], 0), Error);
  EXPECT_THROW(WorldBatch(setups[0], ~std::size_t{0}), Error);
  EXPECT_THROW(WorldBatch(setups[0], 1, {.threads = ~std::size_t{0}}), Error);
  EXPECT_THROW(batch.step(std::vector<Commands>(3)), Error);
  EXPECT_THROW((void)batch.world(2), Error);
  EXPECT_THROW(batch.reset(std::vector<std::uint8_t>(1)), Error);
  EXPECT_THROW(batch.fork(0, 1), Error) << "another car";
  Rollout rollout;
  EXPECT_THROW(batch.rollout(batch.world(0).save(), std::vector<Commands>(7), 3, rollout), Error);
  EXPECT_THROW(batch.rollout(Snapshot{}, std::vector<Commands>(6), 3, rollout), Error);
}

TEST(WorldBatch, AMovedFromOneHasNoWorlds) {
  WorldBatch batch(every_setup()[0], 2);
  const Snapshot start = batch.world(0).save();
  const WorldBatch moved = std::move(batch);
  EXPECT_EQ(moved.size(), 2u);
  EXPECT_EQ(batch.size(), 0u);
  EXPECT_EQ(batch.thread_count(), 0u);
  Rollout rollout;
  EXPECT_THROW(batch.step({}), Error);
  EXPECT_THROW(batch.begin_match(0, every_setup()[0]), Error);
  EXPECT_THROW(batch.rollout(start, std::vector<Commands>(6), 3, rollout), Error);
  EXPECT_THROW((void)batch.fork(), Error);
  EXPECT_TRUE(batch.compute_full_observations().empty());
}

}  // namespace
}  // namespace forkmunk::engine
