// SPDX-License-Identifier: MIT
#include "evaluators/scene.h"
#include "support/scenes.h"

#include <forkmunk/base/error.h>
#include <forkmunk/planning/evaluator.h>

#include <map>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using engine::Player;
using engine::World;

std::map<std::string, double> values(const Evaluator& evaluator, const World& world, Player side) {
  std::map<std::string, double> result;
  for (const Evaluator::Term& term : evaluator.explain(world, side, 0)) result[std::string(term.name)] = term.value;
  return result;
}

TEST(Evaluator, EveryTermIsBetween0And1AndTheyAddUp) {
  for (const EvaluatorInfo& info : evaluators()) {
    const auto evaluator = make_evaluator(info.name);
    for (const tests::Scene& scene : tests::all_scenes()) {
      World world;
      world.begin_match(scene.setup);
      evaluator->begin_match(scene.setup);
      tests::Script script(7);
      for (int tick = 0; tick < 700; ++tick) {
        world.step(script.next());
        if (tick % 7 != 0) continue;
        for (const Player side : engine::kPlayers) {
          double sum = 0;
          for (const Evaluator::Term& term : evaluator->explain(world, side, 20)) {
            ASSERT_GE(term.value, 0) << info.name << '.' << term.name << ' ' << scene.map << ' ' << scene.car;
            ASSERT_LE(term.value, 1) << info.name << '.' << term.name << ' ' << scene.map << ' ' << scene.car;
            sum += term.value * term.weight;
          }
          ASSERT_NEAR(evaluator->evaluate(world, side, 20), sum, 1e-9);
        }
      }
    }
  }
}

TEST(Evaluator, BothSidesSeeTheSameOnAMirroredMap) {
  for (const EvaluatorInfo& info : evaluators()) {
    const auto evaluator = make_evaluator(info.name);
    for (const tests::Scene& scene : tests::all_scenes()) {
      World world;
      world.begin_match(scene.setup);
      evaluator->begin_match(scene.setup);
      const auto first = values(*evaluator, world, Player::first);
      const auto second = values(*evaluator, world, Player::second);
      for (const auto& [name, value] : first) {
        EXPECT_NEAR(value, second.at(name), 1e-6) << info.name << '.' << name << ' ' << scene.map << ' ' << scene.car;
      }
    }
  }
}

TEST(Evaluator, WhatIsMineIsTheEnemysFromTheOtherSide) {
  const tests::Scene& scene = tests::all_scenes().front();
  int twins = 0;
  for (const EvaluatorInfo& info : evaluators()) {
    const auto evaluator = make_evaluator(info.name);
    World world;
    world.begin_match(scene.setup);
    evaluator->begin_match(scene.setup);
    for (int tick = 0; tick < 60; ++tick) world.step({engine::Command::right, engine::Command::stop});
    const auto first = values(*evaluator, world, Player::first);
    const auto second = values(*evaluator, world, Player::second);
    for (const auto& [name, value] : first) {
      if (!name.ends_with("_mine") || name == "ground_mine") continue;  // ground_mine has no twin
      const std::string twin = name.substr(0, name.size() - 4) + "enemy";
      EXPECT_DOUBLE_EQ(value, second.at(twin)) << info.name << '.' << name;
      ++twins;
    }
  }
  EXPECT_GE(twins, 12);  // an evaluator may have none
}

TEST(Evaluator, SeesACarOnItsBackAndAnEnemyAboveIt) {
  const tests::Scene& scene = tests::all_scenes().front();
  World world;
  world.begin_match(scene.setup);
  const auto evaluator = make_evaluator("normalised");
  evaluator->begin_match(scene.setup);
  EXPECT_EQ(values(*evaluator, world, Player::second).at("tilt_mine"), 0);
  engine::CarState car = world.car(Player::second);
  car.body.angle = std::numbers::pi;
  car.body.position = {600, 600};
  world.set_car(Player::second, car);
  const auto upside_down = values(*evaluator, world, Player::second);
  EXPECT_GT(upside_down.at("tilt_mine"), 0.5);
  EXPECT_EQ(upside_down.at("tilt_enemy"), 0);
  EXPECT_GT(upside_down.at("height"), 0.3);
  EXPECT_LT(upside_down.at("height_late"), 1e-9) << "before tick 500";
}

TEST(Evaluator, AnUnknownNameIsRefusedWithTheKnownOnes) {
  try {
    (void)make_evaluator("wishful");
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const char* name : {"wishful", "normalised", "mirrored", "distance", "combined", "learned"}) {
      EXPECT_NE(message.find(name), std::string::npos) << message;
    }
  }
}

TEST(Evaluator, AMissingRowIsRefused) {
  Weights weights = default_weights();
  weights.erase(weights.begin());
  try {
    (void)make_evaluator("normalised", weights);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("normalised.tilt_mine"), std::string::npos) << error.what();
  }
}

TEST(Weights, KindsOfCarsAreRecognisedByTheirNumbers) {
  for (const auto& car : cars::catalogue()) {
    engine::CarSetup setup = car.setup;
    EXPECT_EQ(to_string(kind_of(setup)), car.name);
    setup.external_id = 77;
    setup.body_mass *= 1.2;
    EXPECT_EQ(to_string(kind_of(setup)), car.name);
  }
}

TEST(Weights, EveryRowIsUsed) {
  std::size_t used = 0;
  World world;
  world.begin_match(tests::all_scenes().front().setup);
  for (const EvaluatorInfo& info : evaluators()) {
    const auto evaluator = make_evaluator(info.name);
    evaluator->begin_match(world.setup());
    used += evaluator->explain(world, Player::first, 0).size();
  }
  EXPECT_EQ(used, default_weights().size());
}

TEST(DistanceField, IsNearTheExactDistance) {
  for (const auto& map : maps::catalogue()) {
    const DistanceField field(map.setup);
    Random random(3);
    for (int i = 0; i < 2000; ++i) {
      const Vec2 point{random.below(12000) / 10.0, random.below(8000) / 10.0};
      double exact = std::min({point.x, 1200 - point.x, point.y, 800 - point.y}) - 1;
      for (const auto& segment : map.setup.segments) {
        exact = std::min(exact, distance_to_segment(point, segment.a, segment.b) - segment.radius);
      }
      ASSERT_NEAR(field.at(point), std::max(exact, 0.0), 10) << map.name << ' ' << point.x << ' ' << point.y;
    }
    EXPECT_EQ(field.at({-1, 400}), 0);
    EXPECT_EQ(field.at({600, 801}), 0);
    EXPECT_EQ(field.at({std::nan(""), 400}), 0);
  }
}

TEST(DistanceField, SeesUpToTheNextObstacle) {
  const engine::MapSetup* island = maps::find("IslandMap");
  const DistanceField field(*island);
  EXPECT_DOUBLE_EQ(field.sight({600, 300}, {0, 1}, 100), 100);
  EXPECT_NEAR(field.sight({600, 300}, {0, -1}, 1000), 190, 12) << "the island's surface is at 110";
}

}  // namespace
}  // namespace forkmunk::planning
