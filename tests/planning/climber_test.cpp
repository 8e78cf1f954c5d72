// SPDX-License-Identifier: MIT
// The pose that a Climber reaches is where the deadline finds the car.

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/planning/climber.h>
#include <forkmunk/planning/planner.h>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using engine::Command;
using engine::Player;
using engine::World;

constexpr std::int64_t kTicksAtBeginning = 40000;
constexpr std::int64_t kTicksPerAnswer = 200;

World begun(const char* map, const char* car) {
  World world;
  world.begin_match({*maps::find(map), *cars::find(car)});
  return world;
}

engine::Commands with(Player me, Command mine) {
  return me == Player::first ? engine::Commands{mine, Command::stop} : engine::Commands{Command::stop, mine};
}

void improve(Climber& climber, World& world, std::int64_t ticks) {
  auto budget = search::Budget::of_ticks(ticks);
  climber.improve(world, budget);
}

TEST(Climber, OutlivesAnOpponentThatStandsStill) {
  for (const char* map : {"IslandMap", "PillHillMap"}) {
    for (const Player me : {Player::first, Player::second}) {
      SCOPED_TRACE(std::string(map) + (me == Player::first ? ", left" : ", right"));
      World world = begun(map, "Bus");
      Climber climber(1);
      climber.begin_match(world, me);
      improve(climber, world, kTicksAtBeginning);
      double expected = 0;
      while (world.takes_commands()) {
        improve(climber, world, kTicksPerAnswer);
        expected = climber.drowns_at();
        world.step(with(me, climber.command()));
      }
      EXPECT_FALSE(world.dead(me));
      EXPECT_EQ(world.cause_of_death(opponent_of(me)), engine::DeathCause::deadline);
      EXPECT_GT(expected, world.tick());
    }
  }
}

TEST(Climber, KnowsTheTickAtWhichItDrowns) {
  // Without a search the car stays in the hollow and drowns at tick 899.
  World world = begun("IslandMap", "Bus");
  Climber climber(3);
  climber.begin_match(world, Player::first);
  improve(climber, world, kTicksAtBeginning);
  const double expected = climber.drowns_at();
  ASSERT_GT(expected, engine::kTicksToDeadline);
  // improve() by 0 ticks only plays the plan of the beginning again. The car still creeps a little at its end.
  for (int tick = 0; tick < 400 && world.takes_commands(); ++tick) {
    improve(climber, world, 0);
    EXPECT_NEAR(climber.drowns_at(), expected, 15) << "at tick " << tick;
    world.step(with(Player::first, climber.command()));
  }
  EXPECT_TRUE(world.takes_commands());
}

// Player::first has climbed to a higher place than Player::second, and stays there.
World camped(const char* map) {
  World world = begun(map, "Bus");
  Climber camper(1);
  camper.begin_match(world, Player::first);
  improve(camper, world, kTicksAtBeginning);
  for (int tick = 0; tick < 350; ++tick) {
    improve(camper, world, 0);
    world.step(with(Player::first, camper.command()));
  }
  return world;
}

TEST(Climber, BrakesUntilItsLaunch) {
  World world = camped("IslandMap");
  Climber climber(1, Climber::Goal::outlive);
  climber.begin_match(world, Player::second);
  improve(climber, world, 0);
  EXPECT_TRUE(climber.is_idle());
  climber.restart(world.tick() + 50);
  improve(climber, world, 20000);
  EXPECT_FALSE(climber.is_idle());
  EXPECT_EQ(climber.next(50), Plan(50, Command::stop));
  EXPECT_NE(climber.next(120), Plan(120, Command::stop));
  for (int tick = 0; tick < 60; ++tick) {
    const Command expected = climber.next(1).at(0);
    EXPECT_EQ(climber.command(), expected);
    world.step(with(Player::second, expected));
    const Plan rest = climber.next(21);
    improve(climber, world, 0);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(climber.next(20).at(i), rest.at(i + 1)) << "at tick " << tick;
  }
}

// Without the climb, the planner is `stretched` and drowns first, at tick 671.
TEST(Climber, MakesTheBestPlannerOutliveAnOpponentThatCampsHigher) {
  World world = camped("IslandMap");
  PlannerOptions options;
  options.seed = 1;
  const auto best = make_planner("best", options);
  best->begin_match(world, Player::second);
  constexpr int kTicksToNotice = 190;
  for (int tick = 0; world.takes_commands(); ++tick) {
    auto budget = search::Budget::of_ticks(tick < kTicksToNotice ? 0 : 2000);
    const Decision decision = best->decide(world, Command::stop, budget);
    world.step(with(Player::second, tick < kTicksToNotice ? Command::stop : decision.command));
  }
  EXPECT_EQ(world.cause_of_death(Player::first), engine::DeathCause::deadline);
  EXPECT_FALSE(world.dead(Player::second));
}

TEST(Climber, LeavesTheWorldAsItWasAndIsReproducible) {
  World world = begun("PillMap", "Buggy");
  const auto before = world.hash();
  std::vector<double> found;
  for (int i = 0; i < 2; ++i) {
    Climber climber(7);
    climber.begin_match(world, Player::second);
    improve(climber, world, 5000);
    EXPECT_EQ(world.hash(), before);
    found.push_back(climber.drowns_at());
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace forkmunk::planning
