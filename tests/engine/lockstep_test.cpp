// SPDX-License-Identifier: MIT
#include "support/scenes.h"

#include <forkmunk/cars/random_car.h>
#include <forkmunk/engine/testing/lockstep.h>
#include <forkmunk/maps/random_map.h>

#include <cmath>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

using tests::all_scenes;
using tests::Scene;
using tests::scene_of;
using tests::script;

class Lockstep : public testing::Test {
 protected:
  void play(const MatchSetup& setup, const std::vector<Commands>& commands, const std::string& what) {
    chipmunk_.begin_match(setup);
    flat_.begin_match(setup);
    expect_equal(what + " at its start");
    for (const Commands& c : commands) {
      chipmunk_.step(c);
      flat_.step(c);
      ASSERT_NO_FATAL_FAILURE(expect_equal(what));
      if (!flat_.is_finite()) ++unbounded_ticks_;
    }
  }

  void expect_equal(const std::string& what) {
    if (chipmunk_.hash() == flat_.hash()) return;
    const auto difference = first_difference(chipmunk_, flat_);
    FAIL() << what << ", tick " << flat_.tick() << ": chipmunk has " << (difference ? difference->a : "?")
           << ", flat has " << (difference ? difference->b : "?");
  }

  World chipmunk_{Physics::chipmunk};
  World flat_{Physics::flat};
  int unbounded_ticks_ = 0;  // ticks after which a car was at infinity or NaN
};

TEST_F(Lockstep, OverAllScenesAndBeyondTheirEnds) {
  for (const Scene& scene : all_scenes()) {
    ASSERT_NO_FATAL_FAILURE(play(scene.setup, script(31, 1300), std::string(scene.map) + " " + std::string(scene.car)));
  }
}

TEST_F(Lockstep, OverRandomMapsAndCars) {
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    const MatchSetup setup{maps::random_map(random), cars::random_car(random)};
    ASSERT_NO_FATAL_FAILURE(play(setup, script(random.next(), 250), "random match " + std::to_string(i)));
  }
}

TEST_F(Lockstep, BeyondAllNumbers) {
  Random random(11);
  for (int i = 0; i < 40; ++i) {
    MatchSetup setup{i % 2 == 0 ? tests::exploding_setup().map : maps::random_map(random),
                     i % 4 < 2 ? tests::exploding_setup().car : cars::random_car(random)};
    for (WheelSetup* wheel : {&setup.car.rear_wheel, &setup.car.front_wheel}) {
      wheel->damp_stiffness = random.between(1e6, 1e9);
      wheel->damp_damping = random.between(1e6, 1e9);
      wheel->mass = random.between(0.01, 100);
    }
    ASSERT_NO_FATAL_FAILURE(play(setup, script(random.next(), 400), "exploding match " + std::to_string(i)));
  }
  EXPECT_GT(unbounded_ticks_, 1000);
}

// The contest never has so many pairs and contacts at once.
TEST_F(Lockstep, WhereEverythingTouches) {
  MatchSetup setup = scene_of("PillMap", "SquareWheelsBuggy").setup;
  setup.map.segments.assign(150, Segment{{200, 280}, {1000, 280}, 60});
  ASSERT_NO_FATAL_FAILURE(play(setup, script(2, 60), "150 walls across both cars"));
}

TEST_F(Lockstep, AfterSetCar) {
  for (const Scene& scene : all_scenes()) {
    ASSERT_NO_FATAL_FAILURE(play(scene.setup, script(7, 150), "before"));
    for (World* world : {&chipmunk_, &flat_}) {
      CarState car = world->car(Player::second);
      for (BodyState* body : car.parts()) {
        body->position.y += 30;
        body->velocity = {50, 20};
        body->angular_velocity = -1;
      }
      car.body.angle += 0.3;
      world->set_car(Player::second, car);
    }
    EXPECT_EQ(chipmunk_.in_air(Player::second), flat_.in_air(Player::second));
    for (const Commands& c : script(8, 150)) {
      chipmunk_.step(c);
      flat_.step(c);
      ASSERT_NO_FATAL_FAILURE(expect_equal(std::string(scene.map) + " " + std::string(scene.car) + " after placing"));
    }
  }
}

TEST(State, NamesTheFirstDifference) {
  World a, b;
  for (World* world : {&a, &b}) world->begin_match(scene_of("PillMap", "Buggy").setup);
  EXPECT_FALSE(first_difference(a, b));
  CarState car = b.car(Player::second);
  car.front_wheel.velocity.y = 0.5;
  b.set_car(Player::second, car);
  const auto difference = first_difference(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->a, "cars.2.front.velocity.y = 0");
  EXPECT_EQ(difference->b, "cars.2.front.velocity.y = 0.5");
  EXPECT_NE(a.hash(), b.hash());
}

TEST(State, TheHashAndTheListAgreeTickByTick) {
  World world;
  world.begin_match(scene_of("PillHillMap", "Bus").setup);
  std::vector<std::string> before = state_of(world);
  std::uint64_t hash = world.hash();
  for (const Commands& commands : script(3, 200)) {
    world.step(commands);
    const std::vector<std::string> now = state_of(world);
    EXPECT_EQ(now == before, world.hash() == hash);
    before = now;
    hash = world.hash();
  }
}

}  // namespace
}  // namespace forkmunk::engine
