// SPDX-License-Identifier: MIT
#include "positions.h"

#include <forkmunk/base/error.h>
#include <forkmunk/planning/planner.h>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using namespace search;

using engine::Command;
using engine::Physics;
using engine::Player;
using engine::World;

struct Played {
  std::vector<Decision> decisions;
  std::uint64_t end = 0;
};

#ifdef FORKMUNK_SANITIZED  // 25 ticks would take minutes
constexpr int kTicks = 5;
#else
constexpr int kTicks = 25;
#endif

// The opponent drives right.
Played play(const tests::Scene& scene, std::string_view name, int threads, std::int64_t budget_ticks,
            Physics physics = Physics::flat, int ticks = kTicks) {
  World world(physics);
  world.begin_match(scene.setup);
  PlannerOptions options;
  options.seed = 4;
  options.threads = threads;
  const auto planner = make_planner(name, options);
  planner->begin_match(world, Player::first);
  Played played;
  for (int tick = 0; tick < ticks && world.takes_commands(); ++tick) {
    const std::uint64_t before = world.hash();
    Budget budget = Budget::of_ticks(budget_ticks);
    played.decisions.push_back(planner->decide(world, Command::right, budget));
    EXPECT_EQ(world.hash(), before) << "the world is restored";
    EXPECT_EQ(played.decisions.back().ticks, budget.ticks_used());
    world.step({played.decisions.back().command, Command::right});
  }
  played.end = world.hash();
  return played;
}

TEST(ParallelPlanner, DecidesTheSameEachTime) {
  for (const std::string_view name : {"best", "grid", "straight"}) {
    for (const int threads : {2, 3}) {
      for (const std::int64_t budget : {150, 4000}) {  // plans play against each other with 4000
        const Played once = play(tests::scene_of("PillHubbleMap", "Bus"), name, threads, budget);
        const Played twice = play(tests::scene_of("PillHubbleMap", "Bus"), name, threads, budget);
        EXPECT_EQ(once.end, twice.end);
        for (std::size_t i = 0; i < once.decisions.size(); ++i) {
          ASSERT_EQ(once.decisions[i].plan, twice.decisions[i].plan) << name << ", tick " << i;
          ASSERT_EQ(once.decisions[i].ticks, twice.decisions[i].ticks) << name << ", tick " << i;
        }
      }
    }
  }
}

TEST(ParallelPlanner, EachThreadSearchesAndSearchesElsewhere) {
  const Played one = play(tests::scene_of("PillMap", "Buggy"), "stretched", 1, 3000, Physics::flat, 25),
               two = play(tests::scene_of("PillMap", "Buggy"), "stretched", 2, 3000, Physics::flat, 25);
  ASSERT_EQ(one.decisions.size(), two.decisions.size());
  EXPECT_GT(two.decisions[0].ticks, one.decisions[0].ticks * 18 / 10);
  int others = 0;
  for (std::size_t i = 0; i < one.decisions.size(); ++i)
    others += one.decisions[i].plan != two.decisions[i].plan ? 1 : 0;
  EXPECT_GT(others, 5);
}

TEST(ParallelPlanner, PlansInAChipmunkWorld) {
  const tests::Scene& scene = tests::scene_of("PillHillMap", "Bus");
  const Played one = play(scene, "genetic", 1, 500, Physics::chipmunk);
  const Played once = play(scene, "genetic", 2, 500, Physics::chipmunk);
  const Played twice = play(scene, "genetic", 2, 500, Physics::chipmunk);
  EXPECT_EQ(once.end, twice.end);
  ASSERT_FALSE(once.decisions.empty());
  EXPECT_GT(once.decisions[0].ticks, one.decisions[0].ticks * 18 / 10);
}

TEST(ParallelPlanner, TakesOneTo64Threads) {
  PlannerOptions options;
  for (const int threads : {0, -3, 65}) {
    options.threads = threads;
    EXPECT_THROW((void)make_planner("best", options), Error) << threads;
  }
}

}  // namespace
}  // namespace forkmunk::planning
