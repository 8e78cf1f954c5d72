// SPDX-License-Identifier: MIT
#include "random_scene.h"
#include "space_host.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/routing.h>
#include <forkmunk/base/error.h>

#include <cstdlib>
#include <fstream>
#include <future>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#ifndef _WIN32
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace forkmunk::space {
namespace {

constexpr std::size_t kSmallBytes = 64 << 10;

cpBody* add_ball(cpSpace* space, cpVect position) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, 10));
  cpBodySetPosition(body, position);
  cpSpaceAddShape(space, cpCircleShapeNew(body, 5, cpvzero));
  return body;
}

void build_box(Space& world, int balls) {
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -100));
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-300, 0), cpv(300, 0), 3));
  for (int i = 0; i < balls; ++i) add_ball(space, cpv(i % 10 * 11.0 - 50, 10 + i / 10 * 11.0));
}

void flood(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  cpBodyUpdateVelocity(body, gravity, damping, dt);
  for (int i = 0; i < 200; ++i) static_cast<void>(cpCircleShapeNew(body, 5, cpvzero));
}

/// Steps without looking for room.
class Careless final : public random_scene::Host {
 public:
  random_scene::SceneState* make_scene() override { return nullptr; }
  random_scene::Note* make_note() override { return static_cast<random_scene::Note*>(make(64)); }
  random_scene::Counter* make_counter() override { return static_cast<random_scene::Counter*>(make(64)); }
  void release(void* object) override { forkmunk_arena_free(object); }
  cpSpace* main_space() override { return nullptr; }
  void step(cpSpace* space, double dt) override { cpSpaceStep(space, dt); }
  void act_inside(random_scene::SceneState& s, void (*act)(Host&, random_scene::SceneState&)) override {
    act(*this, s);
  }
  static void* make(std::size_t bytes) { return forkmunk_arena_allocate(bytes, nullptr, 0); }
};

void expect_refused(Space& world) {
  EXPECT_TRUE(world.is_overflowed());
  EXPECT_THROW(static_cast<void>(world.save()), Error);
  EXPECT_THROW(static_cast<void>(world.fork()), Error);
  EXPECT_THROW(world.step(1.0 / 60), Error);
  EXPECT_THROW(static_cast<void>(world.make<int>(3)), Error);
  EXPECT_THROW(static_cast<void>(world.hash()), Error);
  EXPECT_THROW(static_cast<void>(world.outside_pointers()), Error);
  EXPECT_THROW(static_cast<void>(first_difference(world, Space())), Error);
}

void expect_restored(Space& world, const Snapshot& saved, std::uint64_t hash) {
  ASSERT_TRUE(world.restore(saved));
  EXPECT_FALSE(world.is_overflowed());
  EXPECT_EQ(world.hash(), hash);
  Space twin = world.fork();
  for (int i = 0; i < 5; ++i) {
    world.step(1.0 / 60);
    twin.step(1.0 / 60);
    EXPECT_EQ(world.hash(), twin.hash());
  }
}

TEST(Overflow, InACallbackIsReportedAfterTheStepAndUndone) {
  Space world(kSmallBytes, kSmallBytes);
  build_box(world, 20);
  for (int i = 0; i < 10; ++i) world.step(1.0 / 60);
  const Snapshot saved = world.save();
  const std::uint64_t hash = world.hash();
  cpBody* body = nullptr;
  cpSpaceEachBody(
      world.space(), [](cpBody* b, void* found) { *static_cast<cpBody**>(found) = b; }, &body);
  for (int round = 0; round < 2; ++round) {
    cpBodySetVelocityUpdateFunc(body, &flood);
    EXPECT_THROW(world.step(1.0 / 60), Error);
    expect_refused(world);
    expect_restored(world, saved, hash);
    ASSERT_TRUE(world.restore(saved));
  }
  cpBodySetVelocityUpdateFunc(body, &flood);
  EXPECT_THROW(world.step(1.0 / 60), Error);
}

TEST(Overflow, InAStepOfChipmunksOwn) {
  int outgrown_in_a_step = 0;
  for (int balls = 20; balls < 70; ++balls) {  // some outgrow the Space in building, some in a step
    Space world(kSmallBytes, kSmallBytes);
    build_box(world, 15);
    const Snapshot saved = world.save();
    const std::uint64_t hash = world.hash();
    {
      const auto building = world.enter();
      for (int i = 15; i < balls && !world.is_overflowed(); ++i) add_ball(world.space(), cpv(i * 0.01, 20));
    }
    const bool outgrown_before = world.is_overflowed();
    bool refused = false;
    for (int i = 0; i < 20 && !refused; ++i) {
      try {
        world.step(1.0 / 60);
        ASSERT_FALSE(world.is_overflowed()) << "the step that outgrew it did not throw";
      } catch (const Error&) {
        refused = true;
        expect_refused(world);
      }
    }
    EXPECT_EQ(refused, world.is_overflowed());
    outgrown_in_a_step += refused && !outgrown_before ? 1 : 0;
    if (balls == 69) {
      EXPECT_TRUE(refused);
    }
    expect_restored(world, saved, hash);
  }
  EXPECT_GT(outgrown_in_a_step, 0);
}

// Emergency memory is freed and grown.
TEST(Overflow, ScenesGoOnIntoEmergencyMemory) {
  int outgrown = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    Space roomy;
    random_scene::SpaceHost host(roomy);
    random_scene::SceneState* state = random_scene::build(host, static_cast<std::uint64_t>(seed), true);
    Space world(roomy.live_bytes() + 3000, roomy.live_bytes() + 3000);
    ASSERT_TRUE(world.restore(roomy.save()));
    random_scene::SceneState* twin = world.twin_of(roomy, state);
    const Snapshot saved = world.save();
    for (int i = 0; i < 60; ++i) {
      const auto scope = world.enter();
      Careless careless;
      random_scene::advance(careless, *twin);
    }
    outgrown += world.is_overflowed() ? 1 : 0;
    ASSERT_TRUE(world.restore(saved));
    EXPECT_EQ(world.hash(), roomy.hash()) << first_difference(world, roomy).value_or("");
  }
  EXPECT_GT(outgrown, 10);
}

TEST(Overflow, SmallCapacitiesGrowToAHundredMegabytes) {
  Space world(4096);
  {
    const auto building = world.enter();
    for (int i = 0; i < 100; ++i) {
      const auto numbers = world.make_array<std::uint64_t>(128 << 10);
      numbers[5] = static_cast<std::uint64_t>(i);
    }
  }
  EXPECT_GT(world.live_bytes(), std::size_t{100} << 20);
  EXPECT_FALSE(world.is_overflowed());
  const Snapshot saved = world.save();
  EXPECT_EQ(saved.size_bytes(), world.live_bytes());
  EXPECT_EQ(world.fork().live_bytes(), world.live_bytes());
}

TEST(Overflow, ImpossibleArraysAreRefused) {
  Space world(kSmallBytes, kSmallBytes);
  EXPECT_THROW(static_cast<void>(world.make_array<std::uint64_t>(SIZE_MAX / 8 + 2)), Error);
  EXPECT_THROW(static_cast<void>(world.make_array<std::uint64_t>(kSmallBytes)), Error);
  EXPECT_FALSE(world.is_overflowed()) << "nothing was taken";
  world.step(1.0 / 60);
  struct Odd {
    char bytes[8000];
  };
  Space large(kSmallBytes, Space::kCapacityBytesMax);
  EXPECT_THROW(static_cast<void>(large.make_array<Odd>(SIZE_MAX / 2)), Error) << "the most that there can be would fit";
}

#ifndef _WIN32  // Windows limits memory, not addresses
// Exits with 0 if Spaces are made, stepped and forked within 400 MiB of addresses.
[[noreturn]] void make_spaces_in_few_addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (std::size_t{400} << 20);
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(3);
  try {
    Space world;
    build_box(world, 40);
    for (int i = 0; i < 20; ++i) world.step(1.0 / 60);
    Space twin = world.fork();
    if (world.capacity_bytes() >= Space::kGrowthBytesMax) ::_exit(4);
    for (int i = 0; i < 20; ++i) {
      world.step(1.0 / 60);
      twin.step(1.0 / 60);
      if (world.hash() != twin.hash()) ::_exit(5);
    }
    std::vector<Space> forks;
    forks.reserve(1000);
    std::promise<void> full, destroyed, ended;
    std::thread other([&] {  // only destroys Spaces
      full.get_future().wait();
      forks.clear();
      destroyed.set_value();
      ended.get_future().wait();
    });
    try {
      while (forks.size() < 1000) forks.push_back(world.fork());
    } catch (const std::bad_alloc& error) {
      if (std::string_view(error.what()).find("32,766") == std::string_view::npos) ::_exit(12);
    }
    if (forks.size() < 32 || forks.size() == 1000) ::_exit(8);
    for (const Space& fork : forks) {
      if (fork.capacity_bytes() < Space::kCapacityBytesDefault) ::_exit(9);
    }
    // The last one can grow.
    if (forks.back().make_array<std::byte>(Space::kCapacityBytesDefault / 2).empty()) ::_exit(10);
    forks.back().step(1.0 / 60);
    full.set_value();
    destroyed.get_future().wait();
    for (int i = 0; i < 32; ++i) forks.push_back(world.fork());
    ended.set_value();
    other.join();
    forks.clear();
    world.step(1.0 / 60);
    if (std::malloc(std::size_t{64} << 20) == nullptr) ::_exit(11);  // released Spaces keep no addresses
    try {
      while (true) {
        if (world.make_array<std::uint64_t>(1 << 20).empty()) ::_exit(6);
      }
    } catch (const Error&) {
      ::_exit(0);
    }
  } catch (const std::exception&) {
    ::_exit(7);
  }
}

TEST(Overflow, SpacesAreMadeWhereAddressesAreFew) {
#ifdef FORKMUNK_SANITIZED
  GTEST_SKIP() << "sanitizers reserve addresses of their own";
#endif
  // A forked process would have the addresses of earlier tests.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(make_spaces_in_few_addresses(), testing::ExitedWithCode(0), "");
}
#endif

void fail(cpBody*, cpVect, cpFloat, cpFloat) { throw std::runtime_error("the game's"); }

TEST(Overflow, WhatACallbackThrowsLeavesAStepThatCanBeUndone) {
  Space world;
  build_box(world, 10);
  const Snapshot saved = world.save();
  const std::uint64_t hash = world.hash();
  cpBody* body = nullptr;
  cpSpaceEachBody(
      world.space(), [](cpBody* b, void* found) { *static_cast<cpBody**>(found) = b; }, &body);
  cpBodySetVelocityUpdateFunc(body, &fail);
  EXPECT_THROW(world.step(1.0 / 60), std::runtime_error);
  EXPECT_THROW(static_cast<void>(world.save()), Error);
  EXPECT_THROW(static_cast<void>(world.fork()), Error);
  EXPECT_THROW(world.step(1.0 / 60), Error);
  EXPECT_EQ(arena_alloc::Arena::current(), nullptr);
  expect_restored(world, saved, hash);
}

}  // namespace
}  // namespace forkmunk::space
