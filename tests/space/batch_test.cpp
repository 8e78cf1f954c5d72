// SPDX-License-Identifier: MIT
#include "batch_scene.h"
#include "random_scene.h"
#include "space_host.h"
#include "support/allocation_counter.h"
#include "thrown.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/error.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/rollout.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include <chipmunk/chipmunk_structs.h>
}

namespace forkmunk::space {
namespace {

using batch_scene::kStep;
using batch_scene::Scene;

constexpr std::size_t kThreadCounts[] = {1, 2, 3, 8};

std::vector<std::uint64_t> hashes_of(const Batch& batch) {
  std::vector<std::uint64_t> hashes(batch.size());
  batch.hashes(hashes);
  return hashes;
}

// Each world's callbacks draw from its own generator.
TEST(Batch, EveryWorldIsAsASpaceAlone) {
  constexpr std::size_t kWorlds = 9;
  for (const std::uint64_t seed : {3, 8}) {
    Space origin;
    random_scene::SpaceHost host(origin);
    random_scene::SceneState* state = random_scene::build(host, seed, true);
    for (int i = 0; i < 20; ++i) random_scene::advance(host, *state);
    std::vector<Space> alone;
    for (std::size_t i = 0; i < kWorlds; ++i) {
      alone.push_back(origin.fork());
      alone[i].twin_of(origin, state)->random.state += i;
    }
    std::vector<Batch> batches;
    for (const std::size_t threads : kThreadCounts) {
      Batch batch(origin, kWorlds, threads);
      EXPECT_EQ(batch.thread_count(), threads);
      for (std::size_t i = 0; i < kWorlds; ++i) batch.twin_of(i, state)->random.state += i;
      batches.push_back(std::move(batch));
    }
    for (int round = 0; round < 3; ++round) {
      std::vector<std::uint64_t> expected;
      for (Space& space : alone) {
        for (int i = 0; i < 5; ++i) space.step(kStep);
        expected.push_back(space.hash());
      }
      for (Batch& batch : batches) {
        batch.step(kStep, 5);
        EXPECT_EQ(hashes_of(batch), expected) << "seed " << seed << ", round " << round;
      }
      EXPECT_NE(expected[0], expected[1]) << "the worlds should differ";
    }
  }
}

cpBody* add_random_body(cpSpace* space, random_scene::Random& random) {
  cpBody* const body = cpSpaceAddBody(space, cpBodyNew(random.between(0.5, 3), random.between(30, 300)));
  cpBodySetPosition(body, cpv(random.between(-60, 60), random.between(10, 120)));
  cpBodySetAngle(body, random.between(-3, 3));
  const double size = random.between(5, 15);
  cpShape* const shapes[] = {cpCircleShapeNew(body, size, cpvzero), cpBoxShapeNew(body, size, 2 * size, 0),
                             cpSegmentShapeNew(body, cpv(-size, 0), cpv(size, 2), 3)};
  const int chosen = random.below(3);
  for (int i = 0; i < 3; ++i)
    i == chosen ? static_cast<void>(cpSpaceAddShape(space, shapes[i])) : cpShapeFree(shapes[i]);
  cpShapeSetFriction(shapes[chosen], random.between(0, 1));
  cpShapeSetElasticity(shapes[chosen], random.between(0, 0.8));
  return body;
}

// Without callbacks, the velocities of several worlds are solved as one.
TEST(Batch, EveryWorldWithoutCallbacksIsAsASpaceAlone) {
  constexpr std::size_t kWorlds = 21;
  const SimdTarget usual = simd_target();
  for (const SimdTarget target : available_simd_targets()) {
    set_simd_target(target);
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      random_scene::Random random{seed};
      Space origin;
      const auto scope = origin.enter();
      cpSpace* const space = origin.space();
      cpSpaceSetGravity(space, cpv(0, -100));
      for (const auto& [a, b] :
           {std::pair{cpv(-80, 0), cpv(80, -9)}, {cpv(-80, 0), cpv(-80, 200)}, {cpv(80, -9), cpv(80, 200)}}) {
        cpShapeSetFriction(cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), a, b, 2)), 1);
      }
      std::vector<cpBody*> bodies;
      while (bodies.size() < 4 * seed) bodies.push_back(add_random_body(space, random));
      cpSpaceAddConstraint(space, cpPivotJointNew(bodies[0], bodies[1], cpBodyGetPosition(bodies[1])));
      cpSpaceAddConstraint(space, cpDampedSpringNew(bodies[2], bodies[3], cpvzero, cpvzero, 20, 40, 1));
      cpSpaceAddConstraint(space, cpRotaryLimitJointNew(bodies[0], bodies[3], -0.2, 0.2));
      Batch batch(origin, kWorlds, seed % 2 + 1);
      std::vector<Space> alone;
      for (std::size_t i = 0; i < kWorlds; ++i) {
        for (cpBody* const body : bodies) {
          cpBodySetVelocity(batch.twin_of(i, body), random.vector(50));
        }
        cpSpace* const world = batch.world(i).space();
        if (i % 5 == 1) cpSpaceSetIterations(world, 3);
        if (i % 5 == 3) cpSpaceSetCollisionSlop(world, 0.5);
        if (i % 7 == 4) cpSpaceSetSleepTimeThreshold(world, 0.1);
        // Chipmunk's own solver keeps the sign of 0.
        if (i % 8 == 6) cpBodySetVelocity(cpSpaceGetStaticBody(world), cpv(-0.0, 0));
        alone.push_back(batch.world(i).fork());
      }
      const Recorder recorder(batch.world(2));
      for (const double dt : {kStep, kStep, kStep / 2, 0.0, 1e-50, kStep, 3 * kStep, kStep, kStep, kStep}) {
        batch.step(dt, 4);
        std::vector<std::uint64_t> expected;
        for (Space& each : alone) {
          for (int i = 0; i < 4; ++i) each.step(dt);
          expected.push_back(each.hash());
        }
        ASSERT_EQ(hashes_of(batch), expected) << to_string(target) << ", seed " << seed << ", dt " << dt;
        EXPECT_NE(expected[0], expected[1]) << "the worlds should differ";
      }
      EXPECT_EQ(recorder.recording().last(), 40u);
    }
  }
  set_simd_target(usual);
}

// A step fetches the next world, which another thread may step.
TEST(Batch, ThreadsStepMoreWorldsThanCachesHold) {
  Scene scene;
  Batch batch(scene.space, (std::size_t{1} << 21) / scene.space.live_bytes() + 2, 2);
  for (int i = 0; i < 3; ++i) {
    batch.step(kStep);
    scene.space.step(kStep);
  }
  EXPECT_EQ(hashes_of(batch), std::vector(batch.size(), scene.space.hash()));
  const Space taken = std::move(batch.world(1));
  try {
    batch.step(kStep);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("world 1:"), std::string::npos) << error.what();
  }
  scene.space.step(kStep);
  EXPECT_EQ(batch.world(0).hash(), scene.space.hash());
}

TEST(Batch, ReadsAndWritesFields) {
  Scene scene;
  Batch batch(scene.space, 3, 2);
  const std::vector<cpBody*> bodies{scene.boxes[1], scene.boxes[0]};
  const std::vector<double> vectors{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, numbers{1, 2, 3, 4, 5, 6};
  for (const Field field : {Field::position, Field::velocity, Field::force}) {
    std::vector<double> found(12);
    batch.write(field, bodies, vectors);
    batch.read(field, bodies, found);
    EXPECT_EQ(found, vectors);
  }
  for (const Field field : {Field::angle, Field::angular_velocity, Field::torque}) {
    std::vector<double> found(6);
    batch.write(field, bodies, numbers);
    batch.read(field, bodies, found);
    EXPECT_EQ(found, numbers);
  }
  const cpBody* last = batch.twin_of(2, scene.boxes[0]);
  EXPECT_EQ(cpBodyGetPosition(last).x, 11);
  EXPECT_EQ(cpBodyGetAngle(last), 6);
  EXPECT_EQ(cpBodyGetVelocity(last).x, 11);
  EXPECT_EQ(cpBodyGetForce(last).y, 12);

  const std::vector<cpConstraint*> motors{scene.motor};
  const std::vector<double> rates{0.5, -1, 2};
  std::vector<double> found(3);
  batch.write(Field::motor_rate, motors, rates);
  batch.read(Field::motor_rate, motors, found);
  EXPECT_EQ(found, rates);
  EXPECT_EQ(cpSimpleMotorGetRate(scene.motor), 1);
  batch.write(Field::motor_max_force, motors, std::vector<double>{3, 0, 4});
  EXPECT_EQ(cpConstraintGetMaxForce(batch.twin_of(2, scene.motor)), 4);
  batch.read(Field::motor_max_force, motors, found);
  EXPECT_EQ(found, (std::vector<double>{3, 0, 4}));
  EXPECT_THROW(batch.write(Field::motor_max_force, motors, rates), Error);
}

TEST(Batch, RestoresAndForks) {
  Scene scene;
  const Snapshot start = scene.space.save();
  const std::uint64_t start_hash = scene.space.hash();
  Batch batch(scene.space, 4, 2);
  const std::vector<cpBody*> bodies{scene.boxes[0]};
  batch.write(Field::velocity, bodies, std::vector<double>{1, 0, 2, 0, 3, 0, 4, 0});
  batch.step(kStep, 10);
  std::vector<std::uint64_t> hashes = hashes_of(batch);
  const std::vector<std::uint8_t> outer{1, 0, 0, 1}, third{0, 0, 1, 0};
  batch.restore(start, outer);
  EXPECT_EQ(hashes_of(batch), (std::vector{start_hash, hashes[1], hashes[2], start_hash}));
  batch.fork(1, third);
  EXPECT_EQ(hashes_of(batch), (std::vector{start_hash, hashes[1], hashes[1], start_hash}));
  batch.fork(1);
  EXPECT_EQ(hashes_of(batch), std::vector(4, hashes[1]));
  batch.restore(start);
  EXPECT_EQ(hashes_of(batch), std::vector(4, start_hash));
  batch.restore(batch.world(0).save());
  EXPECT_EQ(hashes_of(batch), std::vector(4, start_hash));
}

TEST(Batch, RestoresAnotherStateInEachWorld) {
  Scene scene;
  std::vector<Snapshot> states;
  std::vector<std::uint64_t> expected;
  for (int i = 0; i < 3; ++i) {
    states.push_back(scene.space.save());
    expected.push_back(scene.space.hash());
    scene.space.step(kStep);
  }
  Batch batch(scene.space, 4, 2);
  const std::uint64_t end = scene.space.hash();
  const std::vector<const Snapshot*> chosen{&states[2], &states[0], &states[2]};
  batch.restore(chosen, std::vector<std::size_t>{3, 0, 1});
  EXPECT_EQ(hashes_of(batch), (std::vector{expected[0], expected[2], end, expected[2]}));
  const Snapshot empty;
  const std::vector<const Snapshot*> none{&empty}, one{&states[1]};
  for (const std::vector<std::size_t>& worlds : {std::vector<std::size_t>{4}, {0, 1}, {}}) {
    EXPECT_THROW(batch.restore(one, worlds), Error) << worlds.size();
  }
  EXPECT_THROW(batch.restore(chosen, std::vector<std::size_t>{0, 1, 0}), Error);
  EXPECT_THROW(batch.restore(none, std::vector<std::size_t>{0}), Error);
  EXPECT_EQ(hashes_of(batch), (std::vector{expected[0], expected[2], end, expected[2]}));
}

TEST(Batch, OutlivesItsOrigin) {
  auto scene = std::make_unique<Scene>();
  const std::vector<cpBody*> bodies{scene->boxes[0]};
  Batch batch(scene->space, 2, 1);
  Space alone = scene->space.fork();
  scene.reset();
  batch.step(kStep, 30);
  for (int i = 0; i < 30; ++i) alone.step(kStep);
  EXPECT_EQ(batch.world(1).hash(), alone.hash());
  std::vector<double> found(4);
  batch.read(Field::position, bodies, found);
  EXPECT_EQ(found[1], found[3]);
}

TEST(Batch, RefusesWithNothingChanged) {
  Scene scene, other;
  cpBody* freed = scene.boxes[2];
  Batch batch(scene.space, 3, 2);
  const auto late = scene.space.enter();
  cpBody* added_later = cpSpaceAddBody(scene.space.space(), cpBodyNew(1, 1));
  scene.remove_box(2);
  std::vector<std::uint64_t> before = hashes_of(batch);
  std::vector<double> six(6), three(3), ones(6, 1);
  std::vector<double> bad(ones);
  bad[4] = std::numeric_limits<double>::quiet_NaN();
  const auto read = [&](Field field, cpBody* body, std::span<double> out) {
    batch.read(field, std::vector<cpBody*>{body}, out);
  };
  const auto write = [&](cpBody* body, std::span<const double> values) {
    batch.write(Field::velocity, std::vector<cpBody*>{body}, values);
  };
  const std::vector<std::uint8_t> two(2, 1);
  const auto static_body = cpSpaceGetStaticBody(scene.space.space());
  EXPECT_NO_THROW(read(Field::position, freed, six));
  EXPECT_THROW(Batch(scene.space, 0), Error);
  EXPECT_THROW(Batch(scene.space, std::numeric_limits<std::size_t>::max()), Error);
  EXPECT_THROW(Batch(scene.space, 1, 100'000), Error);
  EXPECT_THROW(read(Field::position, scene.boxes[0], three), Error);
  EXPECT_THROW(read(Field::angle, scene.boxes[0], six), Error);
  EXPECT_THROW(read(Field::motor_rate, scene.boxes[0], three), Error);
  EXPECT_THROW(read(Field::position, other.boxes[0], six), Error);
  EXPECT_THROW(read(Field::position, batch.twin_of(0, scene.boxes[0]), six), Error);
  EXPECT_THROW(read(Field::position, added_later, six), Error);
  EXPECT_THROW(read(Field::position, static_body, six), Error);
  EXPECT_THROW(read(Field::position, nullptr, six), Error);
  EXPECT_THROW(read(Field::position, reinterpret_cast<cpBody*>(scene.motor), six), Error);
  EXPECT_THROW(write(scene.boxes[0], three), Error);
  EXPECT_THROW(write(scene.boxes[0], bad), Error);
  EXPECT_THROW(batch.read(Field::angle, std::vector<cpConstraint*>{scene.motor}, three), Error);
  EXPECT_THROW(batch.read(Field::motor_rate, std::vector<cpConstraint*>{scene.joint}, three), Error);
  EXPECT_THROW(batch.step(-1), Error);
  EXPECT_THROW(batch.step(std::numeric_limits<double>::infinity()), Error);
  EXPECT_THROW(batch.restore(Snapshot()), Error);
  EXPECT_THROW(batch.restore(other.space.save(), two), Error);
  EXPECT_THROW(batch.fork(3), Error);
  EXPECT_THROW(batch.fork(0, two), Error);
  EXPECT_THROW(static_cast<void>(batch.world(3)), Error);
  EXPECT_THROW(static_cast<void>(batch.twin_of(0, other.boxes[0])), Error);
  EXPECT_EQ(hashes_of(batch), before);
}

TEST(Batch, AMovedFromOneHasNoWorlds) {
  Scene scene;
  Batch batch(scene.space, 3, 2);
  const Batch moved = std::move(batch);
  EXPECT_EQ(moved.size(), 3u);
  EXPECT_EQ(batch.size(), 0u);
  EXPECT_EQ(batch.thread_count(), 0u);
  EXPECT_THROW(batch.step(kStep), Error);
  EXPECT_THROW(batch.hashes({}), Error);
  EXPECT_THROW(batch.restore(scene.space.save()), Error);
  EXPECT_THROW(batch.fork(0), Error);
  EXPECT_THROW(batch.read(Field::position, std::vector<cpBody*>{scene.boxes[0]}, {}), Error);
  EXPECT_THROW(static_cast<void>(batch.twin_of(0, scene.boxes[0])), Error);
  Rollout result;
  EXPECT_THROW(batch.rollout(scene.space.save(), {}, result), Error);
}

// A new body has the memory of a freed one.
TEST(Batch, NamesTheWorldThatLacksABody) {
  Scene scene;
  scene.boxes[1]->userData = uncounted(7);
  Batch batch(scene.space, 3, 1);
  const std::vector<cpBody*> bodies{scene.boxes[0], scene.boxes[1]};
  std::vector<double> all(12);
  batch.read(Field::position, bodies, all);
  const auto message = [&] {
    try {
      batch.write(Field::position, bodies, all);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Space& world = batch.world(1);
  cpBody* removed = batch.twin_of(1, scene.boxes[1]);
  batch_scene::remove_body(world.space(), removed);
  EXPECT_NE(message().find("world 1: body 1"), std::string::npos) << message();
  EXPECT_TRUE(message().starts_with("Batch::write()")) << message();
  cpBodyFree(removed);
  EXPECT_NE(message().find("world 1: body 1"), std::string::npos) << message();
  const auto scope = world.enter();
  cpBody* next = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  ASSERT_EQ(next, removed) << "the arena gives the same memory again";
  next->userData = uncounted(8);
  EXPECT_NE(message().find("world 1: body 1"), std::string::npos) << message();
  next->userData = uncounted(7);
  EXPECT_EQ(message(), "");
}

TEST(Batch, AFailureStaysInItsWorld) {
  Scene scene;
  const std::vector<cpBody*> bodies{scene.boxes[0]};
  Space alone = scene.space.fork();
  for (int i = 0; i < 3; ++i) alone.step(kStep);
  for (const std::size_t threads : kThreadCounts) {
    Batch batch(scene.space, 6, threads);
    const Snapshot start = batch.world(0).save();
    batch.twin_of(4, scene.boxes[0])->velocity_func = [](cpBody*, cpVect, cpFloat, cpFloat) { throw Thrown(); };
    EXPECT_THROW(batch.step(kStep, 3), Thrown);
    batch.twin_of(2, scene.boxes[0])->p = threads == 1 ? cpv(NAN, 0) : cpv(0, -1e200);
    batch.restore(start, std::vector<std::uint8_t>{1, 1, 0, 1, 1, 1});
    try {
      batch.step(kStep, 3);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("world 2"), std::string::npos) << error.what();
    }
    for (const std::size_t i : {0, 1, 3, 4, 5}) EXPECT_EQ(batch.world(i).hash(), alone.hash()) << i;
    batch.restore(start);
    batch.step(kStep, 3);
    EXPECT_EQ(hashes_of(batch), std::vector(6, alone.hash()));
  }
}

std::atomic<int> strays = 0;

TEST(Batch, AJointOfAnotherClassRunsInTheScopeOfItsWorld) {
  strays = 0;
  Scene scene;
  static cpConstraintClass brake;  // not Chipmunk's own
  brake = *scene.joint->klass;
  brake.applyImpulse = [](cpConstraint* joint, cpFloat) {
    cpBody* body = cpBodyNew(1, 1);
    if (arena_alloc::Arena::containing(body) != arena_alloc::Arena::containing(joint)) ++strays;
    cpBodyFree(body);
    joint->a->w *= 0.9;
  };
  scene.joint->klass = &brake;
  Space alone = scene.space.fork();
  for (int i = 0; i < 3; ++i) alone.step(kStep);
  Batch batch(scene.space, 4, 1);
  batch.step(kStep, 3);
  EXPECT_EQ(strays, 0);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(batch.twin_of(i, scene.boxes[0])->w, alone.twin_of(scene.space, scene.boxes[0])->w) << i;
  }
}

Batch* stepping = nullptr;
std::atomic<int> refusals = 0;

TEST(Batch, IsRefusedInItsCallbacks) {
  refusals = 0;
  Scene scene;
  scene.boxes[0]->velocity_func = [](cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
    cpBodyUpdateVelocity(body, gravity, damping, dt);
    for (const auto& call :
         {std::function<void()>([] { stepping->step(kStep); }), std::function<void()>([] { stepping->fork(0); })}) {
      try {
        call();
      } catch (const Error&) {
        ++refusals;
      }
    }
  };
  Batch batch(scene.space, 3, 2);
  stepping = &batch;
  batch.step(kStep, 2);
  EXPECT_EQ(refusals, 12);
}

#ifdef FORKMUNK_COUNTS_ALLOCATIONS
TEST(Batch, StepsWithoutAllocating) {
  Scene scene;
  Batch batch(scene.space, 8, 1);
  const Snapshot start = scene.space.save();
  const std::vector<cpBody*> bodies(scene.boxes.begin(), scene.boxes.end());
  std::vector<double> numbers(8 * bodies.size() * 2);
  std::vector<std::uint8_t> mask(8, 1);
  const auto once = [&] {
    batch.step(kStep, 3);
    batch.read(Field::position, bodies, numbers);
    batch.write(Field::force, bodies, numbers);
    batch.fork(1, mask);
    batch.restore(start, mask);
    batch.step(kStep, 40);
  };
  once();  // scratch memory grows in the first runs
  once();
  const long before = tests::allocation_count();
  for (int i = 0; i < 5; ++i) once();
  EXPECT_EQ(tests::allocation_count(), before);
}
#endif

}  // namespace
}  // namespace forkmunk::space
