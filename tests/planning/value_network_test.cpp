// SPDX-License-Identifier: MIT
#include "evaluators/learned.h"
#include "support/scenes.h"

#include <forkmunk/base/simd_target.h>
#include <forkmunk/planning/evaluator.h>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using engine::CarState;
using engine::Player;
using engine::World;
using Features = std::array<float, kFeatureCount>;

struct Position {
  explicit Position(const engine::MatchSetup& setup) : shape(setup.car), field(setup.map) { world.begin_match(setup); }

  [[nodiscard]] Features features(Player side, const CarState& mine, const CarState& enemy) const {
    const Scene scene(shape, side, mine, enemy);
    const auto combined = measure_combined(scene, field, world.deadline_y(), world.tick());
    Features features{};
    measure_features(scene, side, field, world.deadline_y(), world.tick(), combined, features);
    return features;
  }
  [[nodiscard]] Features features(Player side) const {
    return features(side, world.car(side), world.car(opponent_of(side)));
  }

  World world;
  CarShape shape;
  DistanceField field;
};

engine::BodyState mirrored(engine::BodyState body) {
  body.position.x = 1200 - body.position.x;
  body.velocity.x = -body.velocity.x;
  body.angle = -body.angle;
  body.angular_velocity = -body.angular_velocity;
  return body;
}

CarState mirrored(const CarState& car) {
  return {mirrored(car.body), mirrored(car.rear_wheel), mirrored(car.front_wheel)};
}

TEST(Features, AreTheSameFromBothSeatsOfAMirroredState) {
  for (const tests::Scene& scene : tests::all_scenes()) {
    Position position(scene.setup);
    tests::Script script(3);
    for (int tick = 0; tick < 120; ++tick) position.world.step(script.next());
    const CarState mine = position.world.car(Player::first), enemy = position.world.car(Player::second);
    const Features seen = position.features(Player::first);
    const Features from_the_other = position.features(Player::second, mirrored(mine), mirrored(enemy));
    // Some arcs are not exactly symmetric.
    for (std::size_t i = 0; i < seen.size(); ++i) {
      ASSERT_NEAR(seen[i], from_the_other[i], 0.01) << i << ' ' << scene.map << ' ' << scene.car;
    }
  }
}

TEST(Features, AreOfAboutTheSameSizeWhereverTheCarsAre) {
  Position position(tests::all_scenes().front().setup);
  Random random(5);
  const auto anywhere = [&] {
    CarState car = position.world.car(Player::first);
    for (engine::BodyState* body : car.parts()) {
      *body = {{random.between(-500, 1700), random.between(-500, 1300)},
               random.between(-9, 9),
               {random.between(-3000, 3000), random.between(-3000, 3000)},
               random.between(-50, 50)};
    }
    return car;
  };
  for (int i = 0; i < 1000; ++i) {
    const CarState mine = anywhere(), enemy = anywhere();
    for (const float feature : position.features(Player::first, mine, enemy)) {
      ASSERT_TRUE(std::abs(feature) <= 5) << feature;
    }
  }
}

TEST(ValueNetwork, ComputesItsFormula) {
  for (const tests::Scene& scene : tests::all_scenes()) {
    Position position(scene.setup);
    const CarKind kind = kind_of(scene.setup.car);
    const ValueNetwork network(kind, position.field);
    const ValueNetwork::Values& values = ValueNetwork::values(kind);
    tests::Script script(4);
    for (int tick = 0; tick < 90; ++tick) position.world.step(script.next());
    for (const Player side : engine::kPlayers) {
      const Features features = position.features(side);
      std::array<float, kMapFeatureCount> map{};
      measure_map(position.field, side, map);
      double z = values.out_bias;
      for (std::size_t unit = 0; unit < ValueNetwork::kHiddenCount; ++unit) {
        double sum = values.bias[unit];
        for (std::size_t i = 0; i < features.size(); ++i) sum += double{features[i]} * values.of_features[i][unit];
        for (std::size_t i = 0; i < map.size(); ++i) sum += double{map[i]} * values.of_map[i][unit];
        z += std::max(sum, 0.0) * values.out[unit];
      }
      ASSERT_NEAR(network.chance_to_win(side, features), 1 / (1 + std::exp(-z)), 1e-5) << scene.map << ' ' << scene.car;
    }
  }
}

TEST(ValueNetwork, HasTheSameBitsWithAllSimdTargets) {
  const SimdTarget target_before = simd_target();
  Position position(tests::scene_of("PillHillMap", "Bus").setup);
  tests::Script script(4);
  for (int tick = 0; tick < 90; ++tick) position.world.step(script.next());
  const Features features = position.features(Player::first);
  for (const CarKind kind : {CarKind::buggy, CarKind::bus, CarKind::square_buggy}) {
    std::vector<double> chances;
    for (const SimdTarget target : available_simd_targets()) {
      ASSERT_TRUE(set_simd_target(target));
      chances.push_back(ValueNetwork(kind, position.field).chance_to_win(Player::first, features));
      EXPECT_EQ(chances.back(), chances.front()) << to_string(target);
    }
  }
  set_simd_target(target_before);
}

TEST(ValueNetwork, KnowsWhoIsAboutToDie) {
  constexpr int kTicksBefore = 15;
  int known = 0, deaths = 0;
  for (const tests::Scene& scene : tests::all_scenes()) {
    Position position(scene.setup);
    const ValueNetwork network(kind_of(scene.setup.car), position.field);
    for (int script = 0; script < 20; ++script) {
      position.world.begin_match(scene.setup);
      tests::Script commands(static_cast<std::uint64_t>(script));
      std::vector<std::array<double, 2>> chances;
      while (position.world.takes_commands()) {
        chances.push_back({network.chance_to_win(Player::first, position.features(Player::first)),
                           network.chance_to_win(Player::second, position.features(Player::second))});
        position.world.step(commands.next());
      }
      if (position.world.dead(Player::first) == position.world.dead(Player::second)) continue;
      const auto& before = chances[chances.size() - std::min<std::size_t>(chances.size(), kTicksBefore)];
      const bool first_died = position.world.dead(Player::first);
      known += first_died ? before[0] < before[1] : before[1] < before[0];
      ++deaths;
    }
  }
  EXPECT_GT(deaths, 300);
  EXPECT_GT(known, 0.8 * deaths) << "of " << deaths;
}

}  // namespace
}  // namespace forkmunk::planning
