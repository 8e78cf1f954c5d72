// SPDX-License-Identifier: MIT
// The deadline reaches the car in the Climber's pose.

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/planning/climber.h>

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

TEST(Climber, OutlivesAnOpponentThatStandsStill) {
  for (const char* map : {"IslandMap", "PillHillMap"}) {
    for (const Player me : {Player::first, Player::second}) {
      SCOPED_TRACE(std::string(map) + (me == Player::first ? ", left" : ", right"));
      World world = begun(map, "Bus");
      Climber climber(1);
      climber.begin_match(world, me);
      climber.improve(world, kTicksAtBeginning);
      double expected = 0;
      while (world.takes_commands()) {
        climber.improve(world, kTicksPerAnswer);
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
  // Without a search the car drowns in the hollow at tick 899.
  World world = begun("IslandMap", "Bus");
  Climber climber(3);
  climber.begin_match(world, Player::first);
  climber.improve(world, kTicksAtBeginning);
  const double expected = climber.drowns_at();
  ASSERT_GT(expected, engine::kTicksToDeadline);
  // improve() by 0 ticks repeats the first plan, at whose end the car still creeps.
  for (int tick = 0; tick < 400 && world.takes_commands(); ++tick) {
    climber.improve(world, 0);
    EXPECT_NEAR(climber.drowns_at(), expected, 15) << "at tick " << tick;
    world.step(with(Player::first, climber.command()));
  }
  EXPECT_TRUE(world.takes_commands());
}

TEST(Climber, LeavesTheWorldAsItWasAndIsReproducible) {
  World world = begun("PillMap", "Buggy");
  const auto before = world.hash();
  std::vector<double> found;
  for (int i = 0; i < 2; ++i) {
    Climber climber(7);
    climber.begin_match(world, Player::second);
    climber.improve(world, 5000);
    EXPECT_EQ(world.hash(), before);
    found.push_back(climber.drowns_at());
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace forkmunk::planning
