#include "support/scenes.h"

#include <forkmunk/base/error.h>
#include <forkmunk/search/overrides.h>

#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace forkmunk::search {
namespace {

using engine::Command;
using engine::Player;
using engine::World;

World world_of(std::string_view map, std::string_view car) {
  World world;
  world.begin_match({*maps::find(map), *cars::find(car)});
  return world;
}

Decision planned(Command command, double score = 10) { return {command, Plan(60, command), score, 100}; }

/// Moves a car as a whole, wheels and all, at rest.
void set_position(World& world, Player player, engine::Vec2 position, double angle = 0) {
  engine::CarState car = world.car(player);
  const engine::Vec2 by = position - car.body.position;
  for (engine::BodyState* body : car.parts()) {
    body->position = {body->position.x + by.x, body->position.y + by.y};
    body->velocity = {};
    body->angular_velocity = 0;
    body->angle = angle;
  }
  world.set_car(player, car);
}

Overrides only(std::string_view name) {
  Overrides overrides;
  overrides.enable(name);
  return overrides;
}

constexpr double kDegree = std::numbers::pi / 180;

TEST(Overrides, TheBusIsKeptBalancedFromBothSeats) {
  World world = world_of("PillMap", "Bus");
  const Overrides overrides = only("bus_bumper");
  for (const Player me : engine::kPlayers) {
    const double nose_up = me == Player::first ? 1 : -1;
    const Command raise = me == Player::first ? Command::right : Command::left;
    const Command lower = me == Player::first ? Command::left : Command::right;
    set_position(world, opponent_of(me), {600, 200});
    set_position(world, me, {me == Player::first ? 150.0 : 1050.0, 500}, nose_up * 60 * kDegree);
    ASSERT_TRUE(world.in_air(me));
    EXPECT_EQ(overrides.apply(world, me, planned(Command::stop)).value().command, raise);
    set_position(world, me, {me == Player::first ? 150.0 : 1050.0, 500}, nose_up * 75 * kDegree);
    const auto verdict = overrides.apply(world, me, planned(Command::stop));
    EXPECT_EQ(verdict.value().command, lower);
    EXPECT_EQ(verdict.value().name, "bus_bumper");
    set_position(world, me, {me == Player::first ? 150.0 : 1050.0, 500}, 0);
    EXPECT_FALSE(overrides.apply(world, me, planned(Command::stop))) << "it does not stand";
  }
}

TEST(Overrides, NoneActsWhenADeathIsPredictedOrTheEnemyApproachesFast) {
  World world = world_of("PillMap", "Bus");
  const Overrides overrides = only("bus_bumper");
  set_position(world, Player::second, {500, 400});
  set_position(world, Player::first, {150, 500}, 60 * kDegree);
  ASSERT_TRUE(overrides.apply(world, Player::first, planned(Command::stop)));
  EXPECT_FALSE(overrides.apply(world, Player::first, planned(Command::stop, -0.3 * kWin)));
  EXPECT_FALSE(overrides.apply(world, Player::first, planned(Command::stop, 0.3 * kWin)));
  engine::CarState enemy = world.car(Player::second);
  enemy.body.velocity = {-600, 0};
  world.set_car(Player::second, enemy);
  EXPECT_FALSE(overrides.apply(world, Player::first, planned(Command::stop)));
}

TEST(Overrides, TheBuggyStaysOnItsPlatform) {
  const Overrides overrides = only("hole_platform");
  for (const std::string_view car : {"Buggy", "SquareWheelsBuggy"}) {
    World world = world_of("IslandHoleMap", car);
    set_position(world, Player::second, {900, 300});
    set_position(world, Player::first, {180, 230});
    EXPECT_EQ(overrides.apply(world, Player::first, planned(Command::right)).value().command, Command::left);
    EXPECT_FALSE(overrides.apply(world, Player::first, planned(Command::left)));
    set_position(world, Player::first, {60, 230});
    EXPECT_FALSE(overrides.apply(world, Player::first, planned(Command::right))) << "there is room";
  }
  World bus = world_of("IslandHoleMap", "Bus");
  set_position(bus, Player::first, {180, 230});
  EXPECT_FALSE(overrides.apply(bus, Player::first, planned(Command::right))) << "not for the bus";
  World elsewhere = world_of("PillMap", "Buggy");
  set_position(elsewhere, Player::first, {180, 230});
  EXPECT_FALSE(overrides.apply(elsewhere, Player::first, planned(Command::right))) << "not on other maps";
}

TEST(Overrides, TheBuggyOnTheIslandDoesNotDriveAway) {
  World world = world_of("IslandMap", "Buggy");
  for (int tick = 0; tick < 120; ++tick) world.step({});  // both have landed
  const Overrides overrides = only("island_towards");
  ASSERT_FALSE(world.in_air(Player::first));
  EXPECT_EQ(overrides.apply(world, Player::first, planned(Command::left)).value().command, Command::stop);
  EXPECT_FALSE(overrides.apply(world, Player::first, planned(Command::right)));
  EXPECT_FALSE(Overrides{}.apply(world, Player::first, planned(Command::left)));
}

TEST(Overrides, AnUnknownNameIsRefused) {
  Overrides overrides;
  try {
    overrides.enable("luck");
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const char* name : {"luck", "bus_bumper", "hole_platform", "island_towards"}) {
      EXPECT_NE(message.find(name), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace forkmunk::search
