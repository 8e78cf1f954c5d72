// SPDX-License-Identifier: MIT
#include "batch_scene.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/rollout.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

using batch_scene::kStep;
using batch_scene::Scene;

constexpr std::size_t kPlans = 7, kActions = 9, kSubsteps = 5, kEvery = 3;
constexpr std::size_t kWidth = 8, kState = 7;
constexpr double kStiffness = 100, kDamping = 20;

struct Case {
  Scene scene;
  std::vector<Control> controls;
  std::vector<Observed> observed;
  std::vector<ShapePair> contacts;
  std::vector<Event> events;
  std::vector<double> actions;
  RolloutOptions options;

  Case() {
    controls = {{.field = Field::position, .body = scene.ball, .stiffness = kStiffness, .damping = kDamping},
                {.field = Field::motor_rate, .motor = scene.motor},
                {.field = Field::force, .body = scene.boxes[3]},
                {.field = Field::motor_max_force, .motor = scene.motor},
                {.field = Field::force, .body = scene.boxes[3], .is_local = true, .point = {2, 3}}};
    observed = {{.field = Field::position, .body = scene.boxes[0]},
                {.field = Field::angle, .body = scene.boxes[3]},
                {.field = Field::velocity, .body = scene.ball},
                {.field = Field::motor_rate, .motor = scene.motor},
                {.field = Field::motor_max_force, .motor = scene.motor}};
    contacts = {{scene.ball_shape, scene.box_shapes[0]}, {scene.box_shapes[3], scene.floor}};
    events = {{.touching = contacts[0]}, {.body = scene.boxes[3], .box = cpBBNew(-500, -500, 185, 500)}};
    for (std::size_t i = 0; i < kPlans * kActions; ++i) {
      const auto x = static_cast<double>(i);
      for (const double number : {-60 + x, 12.0, std::sin(x), 40 * std::cos(x), 100 + x, 5 * x, 3.0, -x}) {
        actions.push_back(number);
      }
    }
    options = {.dt = kStep,
               .substeps = kSubsteps,
               .action_count = kActions,
               .controls = controls,
               .actions = actions,
               .observed = observed,
               .every = kEvery,
               .contacts = contacts,
               .events = events};
  }
};

void play_by_hand(const Case& c, std::size_t plan, Rollout& result) {
  Space space = c.scene.space.fork();
  const auto twin = [&](auto* object) { return space.twin_of(c.scene.space, object); };
  cpBody *ball = twin(c.scene.ball), *box = twin(c.scene.boxes[3]);
  const auto observe = [&](std::vector<double>& out) {
    const cpVect p = cpBodyGetPosition(twin(c.scene.boxes[0])), v = cpBodyGetVelocity(ball);
    cpConstraint* motor = twin(c.scene.motor);
    for (const double x :
         {p.x, p.y, cpBodyGetAngle(box), v.x, v.y, cpSimpleMotorGetRate(motor), cpConstraintGetMaxForce(motor)}) {
      out.push_back(x);
    }
  };
  const auto touch = [&](const ShapePair& pair) { return cpShapesCollide(twin(pair.a), twin(pair.b)).count > 0; };
  std::int32_t first[2] = {}, step = 0;
  for (std::size_t action = 0; action < kActions; ++action) {
    const double* u = &c.actions[(plan * kActions + action) * kWidth];
    std::uint8_t touched[2] = {};
    for (std::size_t i = 0; i < kSubsteps; ++i) {
      const cpVect p = ball->p, v = ball->v;
      cpBodySetVelocity(ball, cpv(v.x + (kStiffness * (u[0] - p.x) + kDamping * (0 - v.x)) * kStep,
                                  v.y + (kStiffness * (u[1] - p.y) + kDamping * (0 - v.y)) * kStep));
      cpSimpleMotorSetRate(twin(c.scene.motor), u[2]);
      cpBodySetForce(box, cpv(u[3], u[4]));
      cpConstraintSetMaxForce(twin(c.scene.motor), u[5]);
      cpBodyApplyForceAtLocalPoint(box, cpv(u[6], u[7]), cpv(2, 3));
      space.step(kStep);
      ++step;
      for (std::size_t k = 0; k < 2; ++k) {
        if (touch(c.contacts[k])) touched[k] = 1;
      }
      if (first[0] == 0 && touch(c.contacts[0])) first[0] = step;
      if (first[1] == 0 && box->p.x > 185) first[1] = step;
    }
    result.contacts.insert(result.contacts.end(), touched, touched + 2);
    if (action % kEvery == kEvery - 1) observe(result.states);
  }
  observe(result.final_states);
  result.event_steps.insert(result.event_steps.end(), first, first + 2);
  result.step_counts.push_back(step);
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double x : numbers) bits.push_back(std::bit_cast<std::uint64_t>(x));
  return bits;
}

void expect_equal(const Rollout& found, const Rollout& expected) {
  EXPECT_EQ(bits_of(found.final_states), bits_of(expected.final_states));
  EXPECT_EQ(bits_of(found.states), bits_of(expected.states));
  EXPECT_EQ(found.contacts, expected.contacts);
  EXPECT_EQ(found.event_steps, expected.event_steps);
  EXPECT_EQ(found.step_counts, expected.step_counts);
}

TEST(Rollout, IsWhatALoopByHandFinds) {
  const Case c;
  Rollout expected;
  for (std::size_t plan = 0; plan < kPlans; ++plan) play_by_hand(c, plan, expected);
  EXPECT_NE(expected.event_steps, std::vector<std::int32_t>(2 * kPlans)) << "no event: the test is weak";
  EXPECT_NE(expected.contacts, std::vector<std::uint8_t>(2 * kActions * kPlans)) << "no contact: the test is weak";
  const Snapshot start = c.scene.space.save();
  for (const std::size_t threads : {1, 2, 8}) {
    Batch batch(c.scene.space, 2, threads);
    batch.step(kStep, 7);
    const std::uint64_t before = batch.world(1).hash();
    Rollout result;
    for (int again = 0; again < 2; ++again) {
      batch.rollout(start, c.options, result);
      expect_equal(result, expected);
    }
    EXPECT_EQ(batch.world(1).hash(), before);
    batch.rollout(batch.world(0).save(), c.options, result);
    EXPECT_NE(result.final_states, expected.final_states);
  }
}

TEST(Rollout, WithoutControlsOrObservations) {
  Scene scene;
  Batch batch(scene.space, 1, 1);
  Rollout result;
  int calls = 0;
  batch.rollout(
      scene.space.save(),
      {.action_count = 4, .plan_count = 3, .after_action = [&](std::size_t, std::size_t, Space&) { ++calls; }}, result);
  EXPECT_EQ(result.plan_count, 3u);
  EXPECT_EQ(calls, 12);
  EXPECT_EQ(result.step_counts, (std::vector<std::int32_t>{4, 4, 4}));
  EXPECT_TRUE(result.final_states.empty() && result.states.empty() && result.contacts.empty());
  batch.rollout(scene.space.save(), {.action_count = 4, .plan_count = 3, .stop = [] { return true; }}, result);
  EXPECT_EQ(result.step_counts, (std::vector<std::int32_t>{0, 0, 0}));
}

TEST(Rollout, MarksAPlanThatDiverges) {
  Case c;
  c.actions[kWidth * (kActions + 4)] = 1e306;
  c.actions[kWidth * (kActions + 5)] = -1e308;
  Batch batch(c.scene.space, 1, 2);
  Rollout result;
  batch.rollout(c.scene.space.save(), c.options, result);
  EXPECT_GE(result.step_counts[1], 4 * 5);
  EXPECT_LT(result.step_counts[1], static_cast<std::int32_t>(kActions * kSubsteps));
  EXPECT_TRUE(std::isnan(result.final_states[kState]));
  EXPECT_EQ(result.step_counts[2], static_cast<std::int32_t>(kActions * kSubsteps));
  EXPECT_FALSE(std::isnan(result.final_states[2 * kState]));
}

TEST(Rollout, RefusesWithNothingChanged) {
  Case c;
  Scene other;
  Batch batch(c.scene.space, 1, 1);
  const Snapshot start = c.scene.space.save();
  Rollout result;
  result.plan_count = 99;
  const auto refused = [&](const auto& change) {
    RolloutOptions options = c.options;
    change(options);
    EXPECT_THROW(batch.rollout(start, options, result), Error);
    EXPECT_EQ(result.plan_count, 99u);
  };
  const auto control = [&](Control changed) {
    std::vector<Control> controls = c.controls;
    controls[1] = changed;
    refused([&](RolloutOptions& o) { o.controls = controls; });
  };
  refused([](RolloutOptions& o) { o.dt = -1; });
  refused([](RolloutOptions& o) { o.action_count = 0; });
  refused([](RolloutOptions& o) { o.action_count = 4; });
  refused([](RolloutOptions& o) { o.substeps = 0; });
  refused([](RolloutOptions& o) { o.substeps = 1'000'000 / o.action_count + 1; });
  refused([](RolloutOptions& o) { o.substeps = std::numeric_limits<std::size_t>::max(); });
  refused([](RolloutOptions& o) {  // no memory holds the results
    o.controls = {};
    o.actions = {};
    o.plan_count = std::numeric_limits<std::size_t>::max() / 2;
  });
  control({.field = Field::motor_rate});
  control({.field = Field::motor_rate, .body = c.scene.ball, .motor = c.scene.motor});
  control({.field = Field::angle, .motor = c.scene.motor});
  control({.field = Field::motor_rate, .body = c.scene.ball});
  control({.field = Field::angle, .body = other.ball});
  control({.field = Field::angle, .body = c.scene.ball, .stiffness = 1});
  control({.field = Field::motor_rate, .motor = c.scene.joint});
  control({.field = Field::velocity, .body = c.scene.ball, .is_local = true});
  control({.field = Field::force, .body = c.scene.ball, .is_local = true, .point = {INFINITY, 0}});
  std::vector<double> bad = c.actions;
  bad[9] = std::numeric_limits<double>::infinity();
  refused([&](RolloutOptions& o) { o.actions = bad; });
  bad[9] = 0;
  bad[2 * kWidth - 3] = -1;  // a motor's maximal force
  refused([&](RolloutOptions& o) { o.actions = bad; });
  const Observed foreign[] = {{.field = Field::angle, .body = other.ball}};
  refused([&](RolloutOptions& o) { o.observed = foreign; });
  const ShapePair half[] = {{c.scene.floor, nullptr}};
  refused([&](RolloutOptions& o) { o.contacts = half; });
  const Event both[] = {{.touching = {c.scene.floor, c.scene.ball_shape}, .body = c.scene.ball}}, none[] = {{}};
  refused([&](RolloutOptions& o) { o.events = both; });
  refused([&](RolloutOptions& o) { o.events = none; });
  EXPECT_THROW(batch.rollout(Snapshot(), c.options, result), Error);

  // The control's object is missing in the state.
  c.scene.remove_box(3);
  EXPECT_THROW(batch.rollout(c.scene.space.save(), c.options, result), Error);
  EXPECT_EQ(result.plan_count, 99u);
}

// A callback removes an observed body.
TEST(Rollout, NamesThePlanInWhichAnObjectGoes) {
  Case c;
  cpBodySetVelocityUpdateFunc(c.scene.boxes[3], [](cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
    cpBodyUpdateVelocity(body, gravity, damping, dt);
    const auto remove = [](cpSpace* space, void* key, void*) {
      batch_scene::remove_body(space, static_cast<cpBody*>(key));
    };
    if (body->p.x > 181) cpSpaceAddPostStepCallback(body->space, remove, body, nullptr);
  });
  std::string first;
  for (const std::size_t threads : {1, 2, 8}) {
    Batch batch(c.scene.space, 1, threads);
    Rollout result;
    try {
      batch.rollout(c.scene.space.save(), c.options, result);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("plan "), std::string::npos) << error.what();
      if (first.empty()) first = error.what();
      EXPECT_EQ(error.what(), first);
    }
  }
}

}  // namespace
}  // namespace forkmunk::space
