// SPDX-License-Identifier: MIT
#include "support/scenes.h"
#include "world_implementation.h"

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/engine/testing/lockstep.h>

#include <initializer_list>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

using tests::all_scenes;
using tests::scene_of;
using tests::script;

class WorldOf : public testing::TestWithParam<Physics> {};

TEST(World, StartsByTheRules) {
  World world;
  world.begin_match(scene_of("PillMap", "Buggy").setup);
  EXPECT_EQ(world.car(Player::first).body.position, (Vec2{300, 300}));
  EXPECT_EQ(world.car(Player::second).body.position, (Vec2{900, 300}));
  EXPECT_EQ(world.car(Player::first).rear_wheel.position, (Vec2{329, 295}));
  EXPECT_EQ(world.car(Player::second).rear_wheel.position, (Vec2{871, 295}));
  EXPECT_EQ(world.deadline_y(), 10);
  EXPECT_EQ(world.ticks_to_deadline(), 600);
  EXPECT_TRUE(world.takes_commands());
  EXPECT_TRUE(world.in_air(Player::first));
}

TEST(World, CommandsShowInPositionsTwoTicksLater) {
  for (const Command command : {Command::left, Command::right}) {
    World moved, still;
    for (World* world : {&moved, &still}) world->begin_match(scene_of("PillMap", "Buggy").setup);
    const auto angle = [](const World& world) { return world.car(Player::first).body.angle; };
    moved.step({command, Command::stop});
    still.step({Command::stop, Command::stop});
    EXPECT_EQ(angle(moved), angle(still));
    moved.step({});
    still.step({});
    // Right turns counter-clockwise in the air.
    EXPECT_EQ(angle(moved) > angle(still), command == Command::right);
    EXPECT_NE(angle(moved), angle(still));
  }
}

TEST(World, TheDeadlineRisesAfter600TicksAndGoesOnThroughRest) {
  World world;
  world.begin_match(scene_of("PillMap", "Buggy").setup);
  for (int i = 0; i < 600; ++i) world.step({});
  EXPECT_EQ(world.deadline_y(), 10);
  world.step({});
  EXPECT_EQ(world.deadline_y(), 10.5);
  while (!world.match_over() && world.tick() < 5000) world.step({});
  EXPECT_TRUE(world.match_over());
  EXPECT_EQ(world.deadline_y(), 10 + 0.5 * (world.tick() - 600));
  const double y = world.deadline_y();
  world.step({});
  EXPECT_EQ(world.deadline_y(), y + 0.5) << "a world whose match is over continues";
}

TEST(World, ADeathIsFollowedByExactly90StepsOfRest) {
  World world;
  world.begin_match(scene_of("PillMap", "Buggy").setup);
  Random random(3);
  while (world.takes_commands()) world.step({random.pick(kCommands), random.pick(kCommands)});
  const int deadly = world.tick();
  const bool first_died = world.dead(Player::first);
  EXPECT_NE(world.cause_of_death(first_died ? Player::first : Player::second), DeathCause::none);
  for (int i = 0; i < 90; ++i) {
    EXPECT_FALSE(world.match_over());
    world.step({Command::right, Command::right});
  }
  EXPECT_TRUE(world.match_over());
  EXPECT_EQ(world.tick(), deadly + 90);
}

TEST(World, RestTakesNoCommandsAndCountsNoDeaths) {
  World world;
  world.begin_match(scene_of("IslandMap", "Buggy").setup);  // the other car falls off
  Random random(1);
  while (world.takes_commands()) world.step({random.pick(kCommands), random.pick(kCommands)});
  const Snapshot at_death = world.save();
  const std::array dead{world.dead(Player::first), world.dead(Player::second)};
  const auto rest = [&](Command command) {
    world.restore(at_death);
    for (int i = 0; i < 90; ++i) world.step({command, command});
    EXPECT_EQ(dead, (std::array{world.dead(Player::first), world.dead(Player::second)}));
    return world.hash();
  };
  EXPECT_EQ(rest(Command::left), rest(Command::right));
}

// The upper wall's middle line is at 809, and its radius is 10.
TEST(World, TheOuterBoxKillsWhatTouchesItsInnerSide) {
  MatchSetup setup = scene_of("PillMap", "Buggy").setup;  // the button is 43 above the origin
  setup.map.segments.clear();
  for (const double button_top : {798.9, 799.1}) {
    World world;
    world.begin_match(setup);
    CarState car = world.car(Player::first);
    const double rise = button_top - 43 - car.body.position.y;
    for (BodyState* body : car.parts()) body->position.y += rise;
    world.set_car(Player::first, car);
    world.step({});
    EXPECT_EQ(world.dead(Player::first), button_top > 799);
    EXPECT_EQ(world.cause_of_death(Player::first), button_top > 799 ? DeathCause::box : DeathCause::none);
  }
}

TEST(World, OfChipmunkRefusesSnapshotsOfAnotherWorldMatchOrNone) {
  const MatchSetup& setup = scene_of("PillHubbleMap", "Bus").setup;
  World world(Physics::chipmunk), other(Physics::chipmunk);
  world.begin_match(setup);
  other.begin_match(setup);
  const Snapshot of_other = other.save();
  const Snapshot of_first_match = world.save();
  const std::uint64_t raw = implementation_of(world).raw_hash();
  EXPECT_FALSE(world.try_restore(of_other));
  EXPECT_FALSE(world.try_restore(Snapshot{}));
  EXPECT_EQ(implementation_of(world).raw_hash(), raw);

  world.begin_match(setup);
  const std::uint64_t second = implementation_of(world).raw_hash();
  EXPECT_FALSE(world.try_restore(of_first_match));
  EXPECT_EQ(implementation_of(world).raw_hash(), second);

  const Snapshot mine = world.save();
  World twin = world.fork();
  EXPECT_FALSE(twin.try_restore(mine));
  EXPECT_FALSE(world.try_restore(twin.save()));
  World moved = std::move(world);
  EXPECT_TRUE(moved.try_restore(mine)) << "a world that was moved is the same world";
}

TEST(World, OfTheFlatEngineTakesSnapshotsOfAnyOtherInAMatchOfTheSameSetup) {
  const MatchSetup& setup = scene_of("PillHubbleMap", "Bus").setup;
  World world, other, elsewhere, chipmunk(Physics::chipmunk);
  for (World* w : {&world, &other, &chipmunk}) w->begin_match(setup);
  elsewhere.begin_match(scene_of("PillHubbleMap", "SquareWheelsBuggy").setup);
  for (const Commands& commands : script(3, 200)) world.step(commands);
  const Snapshot snapshot = world.save();
  other.restore(snapshot);
  EXPECT_EQ(other.hash(), world.hash());
  EXPECT_EQ(implementation_of(other).raw_hash(), implementation_of(world).raw_hash());
  for (const Commands& commands : script(4, 200)) {
    world.step(commands);
    other.step(commands);
    ASSERT_EQ(other.hash(), world.hash());
  }
  EXPECT_FALSE(elsewhere.try_restore(snapshot)) << "another car";
  EXPECT_FALSE(chipmunk.try_restore(snapshot)) << "another engine";
  EXPECT_FALSE(world.try_restore(chipmunk.save()));
  EXPECT_FALSE(World().try_restore(snapshot)) << "no match";
  EXPECT_FALSE(world.try_restore(Snapshot{}));
}

TEST_P(WorldOf, ABadSetupIsLeftAsItWas) {
  World world(GetParam());
  world.begin_match(scene_of("PillMap", "Buggy").setup);
  for (int i = 0; i < 50; ++i) world.step({Command::right, Command::left});
  const std::uint64_t hash = world.hash();
  MatchSetup bad = scene_of("PillMap", "Bus").setup;
  bad.car.body_mass = 0;
  EXPECT_THROW(world.begin_match(bad), InvalidSetup);
  EXPECT_EQ(world.hash(), hash);
}

// The referee steps so if it cannot send a tick.
TEST_P(WorldOf, WithoutACommandTheMotorsKeepTheirRates) {
  World world(GetParam());
  world.begin_match(scene_of("PillMap", "Buggy").setup);
  const auto hash_after = [&](Command command) {
    World other = world.fork();
    for (int i = 0; i < 10; ++i) other.step({command, Command::stop});
    return other.hash();
  };
  EXPECT_EQ(hash_after(Command::none), hash_after(Command::stop)) << "no rate before the first command";
  world.step({Command::right, Command::stop});
  ASSERT_TRUE(world.in_air(Player::first));
  EXPECT_NE(hash_after(Command::none), hash_after(Command::stop));
  EXPECT_NE(hash_after(Command::none), hash_after(Command::right)) << "no torque in the air";
  for (int i = 0; i < 60; ++i) world.step({});
  ASSERT_FALSE(world.in_air(Player::first));
  world.step({Command::right, Command::stop});
  World kept = world.fork();
  world.step({Command::right, Command::stop});
  kept.step({Command::none, Command::stop});
  EXPECT_EQ(kept.hash(), world.hash());
}

std::uint64_t hash_of_constants(const World& world) {
  const arena_alloc::Arena& arena = *implementation_of(world).arena();
  Hasher hasher;
  arena.for_each_allocation([&](const std::byte* payload, std::size_t bytes, int) {
    if (payload >= arena.base() + arena.live_bytes()) hasher.add_bytes({payload, bytes});
  });
  return hasher.value();
}

// A flat world's constant part is const.
TEST(World, AStepNeverWritesTheConstantZone) {
  for (const Physics physics : available_physics()) {
    if (physics == Physics::flat) continue;
    World world(physics);
    for (const tests::Scene& scene : all_scenes()) {
      world.begin_match(scene.setup);
      const std::uint64_t constants = hash_of_constants(world);
      for (const Commands& commands : script(5, 900)) {
        world.step(commands);
        ASSERT_EQ(hash_of_constants(world), constants) << scene.map << ' ' << scene.car << " tick " << world.tick();
      }
    }
  }
}

// A Chipmunk snapshot has the static tree's leaves of 64 bytes.
TEST(World, SnapshotsLeaveTheMapOut) {
  const auto bytes_with = [](Physics physics, std::size_t segment_count) {
    MatchSetup setup = scene_of("PillMap", "Buggy").setup;
    setup.map.segments.assign(segment_count, Segment{{0, 700}, {50, 700}, 5});
    World world(physics);
    world.begin_match(setup);
    return world.live_bytes();
  };
  EXPECT_LE(bytes_with(Physics::chipmunk, 300) - bytes_with(Physics::chipmunk, 100), 200u * 80);
  EXPECT_EQ(bytes_with(Physics::flat, 300), bytes_with(Physics::flat, 100));
}

TEST(World, MatchesOfAGameTakeNoMoreRoomThanTheFirst) {
  World world(Physics::chipmunk);
  world.begin_match(scene_of("PillHillMap", "Buggy").setup);
  const std::size_t live = world.live_bytes();
  const std::size_t high_water = implementation_of(world).arena()->high_water_bytes();
  for (int match = 0; match < 5; ++match) {
    for (const Commands& commands : script(9, 30)) world.step(commands);
    world.begin_match(scene_of("PillHillMap", "Buggy").setup);
    EXPECT_LE(world.live_bytes(), live);
  }
  EXPECT_LE(implementation_of(world).arena()->high_water_bytes(), high_water + (8u << 10));
}

TEST(World, AnUnavailableArithmeticIsRefused) {
  if (is_available(Arithmetic::referee)) GTEST_SKIP() << "this build has both";
  EXPECT_THROW(World{Physics::chipmunk_fast_math}, Error);
}

TEST(PhysicsNames, OptionsNameAnArithmeticAndAnEngine) {
  EXPECT_EQ(parse_physics(Arithmetic::strict), Physics::flat);
  EXPECT_EQ(parse_physics(Arithmetic::strict, "flat"), Physics::flat);
  EXPECT_EQ(parse_physics(Arithmetic::strict, "chipmunk"), Physics::chipmunk);
  EXPECT_THROW((void)parse_physics(Arithmetic::strict, "box2d"), Error);
  EXPECT_THROW((void)parse_physics(Arithmetic::referee, "flat"), Error);
  if (is_available(Arithmetic::referee)) {
    EXPECT_EQ(parse_physics(Arithmetic::referee), Physics::chipmunk_fast_math);
    EXPECT_EQ(parse_physics(Arithmetic::referee, "chipmunk"), Physics::chipmunk_fast_math);
  } else {
    EXPECT_THROW((void)parse_physics(Arithmetic::referee), Error);
  }
}

TEST(World, ReusesASnapshotsBuffer) {
  World world;
  world.begin_match(scene_of("PillMap", "Buggy").setup);
  Snapshot snapshot = world.save();
  const std::size_t bytes = snapshot.size_bytes();
  EXPECT_EQ(bytes, world.live_bytes());
  for (int i = 0; i < 100; ++i) {
    world.step({});
    world.save(snapshot);
    world.restore(snapshot);
  }
}

// Input could abort the program if this map did not fit.
TEST(World, TheLargestMapFitsWhateverItTouches) {
  MatchSetup setup = scene_of("PillMap", "SquareWheelsBuggy").setup;
  setup.map.segments.assign(kSegmentCountMax, Segment{{200, 280}, {1000, 280}, 60});
  for (const Physics physics : available_physics()) {
    World world(physics);
    world.begin_match(setup);
    const std::size_t bytes_at_start = world.live_bytes();
    for (const Commands& commands : script(2, 300)) world.step(commands);
    if (const arena_alloc::Arena* const arena = implementation_of(world).arena()) {
      EXPECT_LT(arena->high_water_bytes(), arena->capacity_bytes() / 2) << "a factor of two to spare";
    }
    EXPECT_GT(world.live_bytes(), 3 * bytes_at_start) << tests::name_of(physics);
  }
}

TEST_P(WorldOf, RefusesUseWithoutAMatch) {
  const auto expect_idle = [](World& world) {
    EXPECT_FALSE(world.has_match());
    EXPECT_EQ(world.physics(), GetParam());
    EXPECT_EQ(world.live_bytes(), 0u);
    const auto refuses = [](auto use) {
      try {
        use();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Error& error) {
        EXPECT_NE(std::string_view(error.what()).find("begin_match()"), std::string_view::npos) << error.what();
      }
    };
    refuses([&] { world.step({}); });
    refuses([&] { (void)world.save(); });
    refuses([&] { world.set_car(Player::first, {}); });
    refuses([&] { (void)world.setup(); });
    refuses([&] { (void)world.car(Player::first); });
    refuses([&] { (void)world.deadline_y(); });
    refuses([&] { (void)world.ticks_to_deadline(); });
    refuses([&] { (void)world.dead(Player::second); });
    refuses([&] { (void)world.cause_of_death(Player::second); });
    refuses([&] { (void)world.tick(); });
    refuses([&] { (void)world.takes_commands(); });
    refuses([&] { (void)world.match_over(); });
    refuses([&] { (void)world.in_air(Player::first); });
    refuses([&] { (void)world.hash(); });
    refuses([&] { (void)state_of(world); });
    EXPECT_FALSE(world.try_restore(Snapshot{}));
    EXPECT_FALSE(world.fork().has_match());
  };
  World fresh(GetParam());
  expect_idle(fresh);
  World world(GetParam());
  world.begin_match(scene_of("PillHubbleMap", "Buggy").setup);
  const World taken = std::move(world);
  expect_idle(world);  // NOLINT(bugprone-use-after-move)
  world.begin_match(scene_of("PillHubbleMap", "Buggy").setup);
  EXPECT_EQ(world.hash(), taken.hash()) << "a moved-from world is reusable";
}

INSTANTIATE_TEST_SUITE_P(EveryPhysics, WorldOf, testing::ValuesIn(available_physics()),
                         [](const auto& param) { return tests::name_of(param.param); });

}  // namespace
}  // namespace forkmunk::engine
