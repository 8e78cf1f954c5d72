// SPDX-License-Identifier: MIT
#include "engine/flat/chipmunk_kernels.h"
#include "flat/solver_lanes.h"
#include "support/scenes.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

/// A car in Chipmunk, in the order of its space.
struct StockCar {
  std::array<Owned<cpBody>, 3> bodies;  // the body, the rear wheel, the front wheel
  std::array<cpGrooveJoint*, 2> grooves{};
  std::array<cpSimpleMotor*, 2> motors{};
  std::vector<Owned<cpConstraint>> joints;

  StockCar(const MatchModel& model, std::size_t player) {
    for (std::size_t role = 0; role < 3; ++role) {
      const BodyModel& body = model.bodies[3 * player + role];
      bodies[role].reset(stock.cpBodyNew(1, 1));
      bodies[role]->m_inv = body.inverse_mass;
      bodies[role]->i_inv = body.inverse_moment;
      bodies[role]->cog = cp(body.centre_of_gravity);
    }
    const CarSetup& car = model.setup.car;
    const double mirror = player == 0 ? 1 : -1;
    cpBody* const body = bodies[0].get();
    for (std::size_t w = 0; w < 2; ++w) {
      const WheelSetup& wheel = w == 0 ? car.rear_wheel : car.front_wheel;
      const double x = mirror * wheel.damp_position.x, y = wheel.damp_position.y;
      joints.emplace_back(stock.cpGrooveJointNew(body, bodies[1 + w].get(), {x, y - wheel.groove_offset},
                                                 {x, y - 1.5 * wheel.damp_length}, cpvzero));
      grooves[w] = reinterpret_cast<cpGrooveJoint*>(joints.back().get());
      joints.emplace_back(stock.cpDampedSpringNew(bodies[1 + w].get(), body, cpvzero, {x, y}, wheel.damp_length,
                                                  wheel.damp_stiffness, wheel.damp_damping));
    }
    for (std::size_t w = 0; w < 2; ++w) {
      if (car.drive == (w == 0 ? Drive::front : Drive::rear)) continue;
      joints.emplace_back(stock.cpSimpleMotorNew(bodies[1 + w].get(), body, 0));
      motors[w] = reinterpret_cast<cpSimpleMotor*>(joints.back().get());
    }
  }
};

// Wheels are between the grooves' ends, at or beyond them, or off the line.
void scatter(const MatchModel& model, LiveState& state, std::size_t player, Random& random) {
  Body* const bodies = &state.bodies[3 * player];
  const Vec rotation = random_rotation(random), origin = random_vec(random, 500);
  for (std::size_t role = 0; role < 3; ++role) {
    Body& body = bodies[role];
    body.rotation = role == 0 ? rotation : Vec{1, 0};
    body.origin = origin;
    if (role > 0) {
      const SuspensionModel& s = model.suspensions[2 * player + role - 1];
      const Vec on_car = lerp(s.groove_a, s.groove_b, random.between(-0.5, 1.5)) + random_vec(random, 2);
      body.origin = origin + rotated(on_car, rotation);
    }
    body.position = body.origin + rotated(model.bodies[3 * player + role].centre_of_gravity, body.rotation);
    body.velocity = random_vec(random, 300);
    body.angular_velocity = random.between(-20, 20);
  }
  for (std::size_t w = 0; w < 2; ++w) {
    state.groove_impulse[2 * player + w] = random_vec(random, 30);
    state.motor_impulse[2 * player + w] = random.between(-500, 500);
  }
  state.motor_rate[player] = random.between(-100, 100);
}

void copy(const LiveState& state, std::size_t player, StockCar& car) {
  for (std::size_t role = 0; role < 3; ++role) {
    const Body& body = state.bodies[3 * player + role];
    cpBody& twin = *car.bodies[role];
    twin.p = cp(body.position);
    twin.transform = transform_of(body.rotation, body.origin);
    twin.v = cp(body.velocity);
    twin.w = body.angular_velocity;
  }
  for (std::size_t w = 0; w < 2; ++w) {
    car.grooves[w]->jAcc = cp(state.groove_impulse[2 * player + w]);
    if (car.motors[w] == nullptr) continue;
    car.motors[w]->jAcc = state.motor_impulse[2 * player + w];
    car.motors[w]->rate = state.motor_rate[player];
  }
}

template <typename L>
void expect_equal(const Cars<L>& cars, const std::vector<StockCar>& stock_cars) {
  for (std::size_t lane = 0; lane < kLanesOf<L>; ++lane) {
    for (std::size_t role = 0; role < 3; ++role) {
      const cpBody& twin = *stock_cars[lane].bodies[role];
      ASSERT_EQ(cars[role].velocity.x[lane], twin.v.x) << "lane " << lane << ", body " << role;
      ASSERT_EQ(cars[role].velocity.y[lane], twin.v.y) << "lane " << lane << ", body " << role;
      ASSERT_EQ(cars[role].w[lane], twin.w) << "lane " << lane << ", body " << role;
    }
  }
}

template <typename L>
class SuspensionSolver : public testing::Test {};
using LaneTypes = testing::Types<Lanes, WideLanes>;
TYPED_TEST_SUITE(SuspensionSolver, LaneTypes);

TYPED_TEST(SuspensionSolver, EveryStageIsChipmunks) {
  using L = TypeParam;
  Random random(15);
  int at_an_end = 0, between = 0;
  const std::vector<tests::Scene>& scenes = tests::all_scenes();
  for (std::size_t scene = 0; scene < scenes.size(); ++scene) {
    for (const Drive drive : {Drive::front, Drive::rear, Drive::all}) {
      std::vector<std::unique_ptr<MatchModel>> models;
      std::vector<StockCar> stock_cars;
      for (std::size_t w = 0; w < kWorldsIn<L>; ++w) {
        MatchSetup setup = scenes[(scene + w) % scenes.size()].setup;
        setup.car.drive = drive;
        models.push_back(std::make_unique<MatchModel>(setup));
        for (std::size_t player = 0; player < 2; ++player) stock_cars.emplace_back(*models[w], player);
      }
      for (int round = 0; round < 100; ++round) {
        SCOPED_TRACE(round);
        std::vector<LiveState> states(kWorldsIn<L>);
        std::vector<SolvedWorld> worlds;
        Cars<L> cars;
        for (std::size_t lane = 0; lane < kLanesOf<L>; ++lane) {
          LiveState& state = states[lane / 2];
          const std::size_t player = lane % 2;
          scatter(*models[lane / 2], state, player, random);
          copy(state, player, stock_cars[lane]);
          if (player == 0) worlds.push_back({models[lane / 2].get(), &state, nullptr, 0, {}});
          for (std::size_t role = 0; role < 3; ++role) {
            const Body& body = state.bodies[3 * player + role];
            cars[role].velocity.x[lane] = body.velocity.x;
            cars[role].velocity.y[lane] = body.velocity.y;
            cars[role].w[lane] = body.angular_velocity;
          }
        }
        const auto each_joint = [&](auto&& visit) {
          for (StockCar& car : stock_cars) {
            for (const Owned<cpConstraint>& joint : car.joints) visit(joint.get());
          }
        };

        Suspensions<L> suspensions;
        suspensions.begin(worlds, cars);
        each_joint([](cpConstraint* joint) { joint->klass->preStep(joint, kTickSeconds); });
        ASSERT_NO_FATAL_FAILURE(expect_equal(cars, stock_cars)) << "the springs' forces";
        suspensions.apply_cached(cars);
        each_joint([](cpConstraint* joint) { joint->klass->applyCachedImpulse(joint, 1); });
        ASSERT_NO_FATAL_FAILURE(expect_equal(cars, stock_cars)) << "impulses of the last step";

        Motions<L> motions;
        motions.begin(cars);
        for (int iteration = 0; iteration < 10; ++iteration) {
          // The motions pass through the contacts' layout.
          if (round % 2 == 1) {
            motions.set(cars);
            for (std::size_t body = 0; body < kBodyCount; ++body) {
              typename Motions<L>::Addresses addresses;
              for (std::size_t w = 0; w < addresses.size(); ++w) addresses[w] = motions.address_of(body, w);
              Motions<L>::scatter(addresses, Motions<L>::gather(addresses));
            }
            cars = motions.cars();
          }
          std::array<Cars<L>, 1> one{cars};
          Suspensions<L>::solve({&suspensions}, one, std::index_sequence<0>());
          cars = one[0];
          each_joint([](cpConstraint* joint) { joint->klass->applyImpulse(joint, kTickSeconds); });
          ASSERT_NO_FATAL_FAILURE(expect_equal(cars, stock_cars)) << "iteration " << iteration;
        }
        suspensions.store(worlds);
        for (std::size_t lane = 0; lane < kLanesOf<L>; ++lane) {
          const StockCar& car = stock_cars[lane];
          for (std::size_t w = 0; w < 2; ++w) {
            const LiveState& state = states[lane / 2];
            const std::size_t i = 2 * (lane % 2) + w;
            ASSERT_EQ(state.groove_impulse[i].x, car.grooves[w]->jAcc.x);
            ASSERT_EQ(state.groove_impulse[i].y, car.grooves[w]->jAcc.y);
            if (car.motors[w] != nullptr) {
              ASSERT_EQ(state.motor_impulse[i], car.motors[w]->jAcc);
            }
            (car.grooves[w]->clamp != 0 ? at_an_end : between) += 1;
          }
        }
      }
    }
  }
  EXPECT_GT(at_an_end, 1000);
  EXPECT_GT(between, 1000);
}

}  // namespace
}  // namespace forkmunk::engine::flat
