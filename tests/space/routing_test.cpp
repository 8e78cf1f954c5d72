// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <functional>
#include <memory>
#include <vector>

#include <chipmunk/chipmunk_structs.h>
#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

using arena_alloc::Arena;

cpBody* add_small_box(cpSpace* space, cpVect position) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, 100));
  cpBodySetPosition(body, position);
  cpSpaceAddShape(space, cpBoxShapeNew(body, 10, 10, 0));
  return body;
}

cpShape* add_floor(cpSpace* space) {
  return cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-2000, 0), cpv(2000, 0), 5));
}

TEST(Routing, OutsideOfScopesChipmunkTakesMallocs) {
  Space world;
  cpBody* outside = cpBodyNew(1, 1);
  EXPECT_EQ(Arena::containing(outside), nullptr);
  cpBody* inside = nullptr;
  {
    const auto scope = world.enter();
    inside = cpBodyNew(1, 1);
    EXPECT_EQ(Arena::containing(inside), Arena::containing(world.space()));
    cpBodyFree(outside);
  }
  cpBodyFree(inside);
  cpSpace* stock = cpSpaceNew();
  const auto scope = world.enter();
  cpSpaceStep(stock, 0.1);
  cpSpaceFree(stock);
}

// 400 boxes fall and sleep, which fills every pool and grows every array.
TEST(Routing, ASpaceAllocatesInItsOwnArenaInAnyScope) {
  for (const bool hashed : {false, true}) {
    SCOPED_TRACE(hashed);
    Space world;
    Space other;
    std::vector<cpBody*> boxes;
    {
      const auto building = world.enter();
      cpSpaceSetGravity(world.space(), cpv(0, -100));
      cpSpaceSetSleepTimeThreshold(world.space(), 0.3);
      cpSpaceSetIdleSpeedThreshold(world.space(), 30);
      add_floor(world.space());
      for (int i = 0; i < 400; ++i)
        boxes.push_back(add_small_box(world.space(), cpv(i % 50 * 11.0, 10 + i / 50 * 10.0)));
    }
    const auto elsewhere = other.enter();
    const Arena::Scope nowhere(nullptr);
    const std::size_t others = other.live_bytes();
    if (hashed) cpSpaceUseSpatialHash(world.space(), 12, 100);
    cpSpaceAddCollisionHandler(world.space(), 1, 2);
    cpSpaceAddWildcardHandler(world.space(), 3);
    int asleep = 0;
    for (int i = 0; i < 300; ++i) {
      cpSpaceStep(world.space(), 1.0 / 60);
      if (i % 100 == 99) {
        for (cpBody* box : boxes) asleep += cpBodyIsSleeping(box) ? 1 : 0;
        for (cpBody* box : boxes) {
          i % 200 == 99 ? cpBodyActivate(box) : cpBodySetPosition(box, cpvadd(cpBodyGetPosition(box), cpv(0, 30)));
        }
      }
      int found = 0;
      const auto count = [](cpShape*, cpVect, cpFloat, cpVect, void* n) { ++*static_cast<int*>(n); };
      cpSpacePointQuery(world.space(), cpv(100, 20), 50, CP_SHAPE_FILTER_ALL, count, &found);
      EXPECT_GT(found, 0);
    }
    EXPECT_GT(asleep, 0);
    EXPECT_EQ(other.live_bytes(), others);
    for (const OutsidePointer& pointer : world.outside_pointers()) ADD_FAILURE() << pointer.location;
    Space twin = world.fork();
    twin.step(1.0 / 60);
    world.step(1.0 / 60);
    EXPECT_EQ(twin.hash(), world.hash());
  }
}

// Pools of awake objects never held all sleepers.
TEST(Routing, WhatWakesTakesTheSpacesMemory) {
  for (const bool hashed : {false, true}) {
    SCOPED_TRACE(hashed);
    Space world;
    std::vector<cpBody*> boxes;
    {
      const auto building = world.enter();
      cpSpaceSetSleepTimeThreshold(world.space(), 0.3);
      cpSpaceSetGravity(world.space(), cpv(0, -100));
      if (hashed) cpSpaceUseSpatialHash(world.space(), 12, 100);
      add_floor(world.space());
      for (int i = 0; i < 200; ++i) {
        boxes.push_back(add_small_box(world.space(), cpv(-15.0 * (i / 4) - 50, 10 + i % 4 * 10)));
        for (int k = 0; i % 4 == 3 && k < 90; ++k) world.step(1.0 / 60);
      }
      for (int i = 0; i < 600; ++i) {
        boxes.push_back(add_small_box(world.space(), cpv(i % 50 * 9.0, 30 + i / 50 * 9.0)));
        cpBodySleep(boxes.back());
      }
    }
    for (const cpBody* box : boxes) EXPECT_TRUE(cpBodyIsSleeping(box));
    const std::size_t asleep = world.live_bytes();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      i % 2 == 0 ? cpBodyActivate(boxes[i]) : cpBodySetPosition(boxes[i], cpBodyGetPosition(boxes[i]));
    }
    EXPECT_GT(world.live_bytes(), asleep + 10000);
    for (const OutsidePointer& pointer : world.outside_pointers()) ADD_FAILURE() << pointer.location;
    Space twin = world.fork();
    for (int i = 0; i < 5; ++i) {
      twin.step(1.0 / 60);
      world.step(1.0 / 60);
      EXPECT_EQ(twin.hash(), world.hash());
    }
  }
}

cpBody* born = nullptr;

TEST(Routing, WhatCallbacksMakeIsTheSpacesForAllCallers) {
  Space world;
  Space other;
  cpBody* mother = nullptr;
  {
    const auto building = world.enter();
    mother = add_small_box(world.space(), cpvzero);
  }
  cpBodySetVelocityUpdateFunc(mother, [](cpBody*, cpVect, cpFloat, cpFloat) { born = cpBodyNew(1, 1); });
  const auto elsewhere = other.enter();
  cpSpaceStep(world.space(), 0.1);
  EXPECT_EQ(Arena::containing(born), Arena::containing(world.space()));
  born = nullptr;
  world.step(0.1);
  EXPECT_EQ(Arena::containing(born), Arena::containing(world.space()));
  EXPECT_EQ(Arena::current(), Arena::containing(other.space()));
}

TEST(Routing, AFreedMainSpaceIsReportedAndCanBeRestored) {
  Space world;
  const Snapshot whole = world.save();
  cpSpaceFree(world.space());
  EXPECT_EQ(world.space(), nullptr);
  EXPECT_TRUE(world.spaces().empty());
  EXPECT_THROW(world.step(0.1), Error);
  Space twin = world.fork();
  EXPECT_EQ(twin.hash(), world.hash());
  ASSERT_TRUE(world.restore(whole));
  world.step(0.1);
  EXPECT_NE(world.space(), nullptr);
}

TEST(Routing, SecondSpacesComeAndGo) {
  Space world;
  const auto building = world.enter();
  cpSpace* second = cpSpaceNew();
  cpSpace* third = cpSpaceNew();
  add_small_box(second, cpv(0, 50));
  EXPECT_EQ(world.spaces(), (std::vector<cpSpace*>{world.space(), second, third}));
  const Snapshot with_three = world.save();
  const std::uint64_t hash = world.hash();
  cpSpaceFree(second);
  EXPECT_EQ(world.spaces(), (std::vector<cpSpace*>{world.space(), third}));
  Space twin = world.fork();
  EXPECT_EQ(twin.spaces().size(), 2u);
  EXPECT_EQ(twin.twin_of(world, third), twin.spaces()[1]);
  EXPECT_EQ(twin.hash(), world.hash());
  cpSpace* fourth = cpSpaceNew();
  EXPECT_EQ(world.spaces().back(), fourth);
  cpSpaceFree(fourth);
  cpSpaceFree(third);
  cpSpace* fifth = cpSpaceNew();
  EXPECT_EQ(world.spaces(), (std::vector<cpSpace*>{world.space(), fifth}));
  ASSERT_TRUE(world.restore(with_three));
  EXPECT_EQ(world.spaces(), (std::vector<cpSpace*>{world.space(), second, third}));
  EXPECT_EQ(world.hash(), hash);
}

TEST(Routing, AFreedSpaceReturnsItsPools) {
  Space world;
  const Arena& arena = *Arena::containing(world.space());
  const auto used_count = [&] {
    std::size_t count = 0;
    arena.for_each_allocation([&](std::byte*, std::size_t, int) { ++count; });
    return count;
  };
  const std::size_t count_before = used_count();
  const auto building = world.enter();
  cpSpace* second = cpSpaceNew();
  cpSpaceSetGravity(second, cpv(0, -100));
  std::vector<cpShape*> shapes{add_floor(second)};
  std::vector<cpBody*> bodies;
  for (int i = 0; i < 60; ++i) {
    bodies.push_back(add_small_box(second, cpv(i % 20 * 10.0, 10.0 + i / 20 * 10.0)));
    shapes.push_back(bodies.back()->shapeList);
  }
  for (int i = 0; i < 10; ++i) cpSpaceStep(second, 1.0 / 60);
  EXPECT_GT(second->arbiters->num, 60);
  for (cpShape* shape : shapes) {
    cpSpaceRemoveShape(second, shape);
    cpShapeFree(shape);
  }
  for (cpBody* body : bodies) {
    cpSpaceRemoveBody(second, body);
    cpBodyFree(body);
  }
  cpSpaceFree(second);
  EXPECT_EQ(used_count(), count_before);
}

#if FORKMUNK_CHECK_LEVEL >= 1
TEST(Routing, ASpaceIsNotDestroyedInItsScopesAndCallbacks) {
  const auto destroy_in_scope = [] {
    auto world = std::make_unique<Space>();
    Space other;
    const auto outer = world->enter();
    const auto inner = other.enter();
    world.reset();
  };
  EXPECT_DEATH(destroy_in_scope(), "in a scope of its enter");
  const auto destroy_in_callback = [] {
    static std::unique_ptr<Space> world;
    world = std::make_unique<Space>();
    cpBody* body = nullptr;
    {
      const auto building = world->enter();
      body = add_small_box(world->space(), cpvzero);
    }
    cpBodySetVelocityUpdateFunc(body, [](cpBody*, cpVect, cpFloat, cpFloat) { world.reset(); });
    cpSpaceStep(world->space(), 0.1);
  };
  EXPECT_DEATH(destroy_in_callback(), "in one of its own callbacks");
}
#endif

TEST(Routing, ScopesMayEndInAnyOrder) {
  Space one;
  Space other;
  std::unique_ptr<Scope> outer(new Scope(one.enter()));
  std::unique_ptr<Scope> inner(new Scope(other.enter()));
  outer.reset();
  EXPECT_EQ(Arena::current(), Arena::containing(other.space()));
  inner.reset();
  EXPECT_EQ(Arena::current(), nullptr);
}

/// C functions reach it outside of all spaces.
struct Attempt {
  Space* world = nullptr;
  const Snapshot* saved = nullptr;
  std::vector<int> refused = std::vector<int>(16);

  void operator()(int callback) {
    int errors = 0;
    const auto expect_error = [&](const std::function<void()>& call) {
      try {
        call();
      } catch (const Error&) {
        ++errors;
      }
    };
    expect_error([this] { static_cast<void>(world->save()); });
    expect_error([this] { static_cast<void>(world->fork()); });
    expect_error([this] { static_cast<void>(world->restore(*saved)); });
    expect_error([this] { world->step(1.0 / 60); });
    EXPECT_EQ(errors, 4) << callback;
    ++refused[static_cast<std::size_t>(callback)];
  }
};
Attempt attempt;

void in_velocity(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  attempt(0);
  cpBodyUpdateVelocity(body, gravity, damping, dt);
}
void in_position(cpBody* body, cpFloat dt) {
  attempt(1);
  cpBodyUpdatePosition(body, dt);
}
cpBool in_begin(cpArbiter*, cpSpace*, void*) {
  attempt(2);
  return cpTrue;
}
cpBool in_pre_solve(cpArbiter*, cpSpace* space, void*) {
  attempt(3);
  cpSpaceAddPostStepCallback(
      space, [](cpSpace*, void*, void*) { attempt(4); }, space, nullptr);
  return cpTrue;
}
void in_post_solve(cpArbiter*, cpSpace*, void*) { attempt(5); }
void in_separate(cpArbiter*, cpSpace*, void*) { attempt(6); }

TEST(Routing, NothingIsSavedOrRestoredInCallbacks) {
  Space world;
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -300));
  add_floor(space);
  cpBody* box = add_small_box(space, cpv(0, 30));
  cpBodySetVelocityUpdateFunc(box, &in_velocity);
  cpBodySetPositionUpdateFunc(box, &in_position);
  cpCollisionHandler* handler = cpSpaceAddCollisionHandler(space, 0, 0);
  handler->beginFunc = &in_begin;
  handler->preSolveFunc = &in_pre_solve;
  handler->postSolveFunc = &in_post_solve;
  handler->separateFunc = &in_separate;
  cpConstraint* joint =
      cpSpaceAddConstraint(space, cpDampedSpringNew(box, cpSpaceGetStaticBody(space), cpvzero, cpvzero, 9, 1, 1));
  cpConstraintSetPreSolveFunc(joint, [](cpConstraint*, cpSpace*) { attempt(7); });
  cpConstraintSetPostSolveFunc(joint, [](cpConstraint*, cpSpace*) { attempt(8); });

  const Snapshot saved = world.save();
  attempt = {&world, &saved};
  const auto act = [&] {
    for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
    cpBodySetPosition(box, cpv(0, 300));
    for (int i = 0; i < 5; ++i) world.step(1.0 / 60);
    cpSpacePointQuery(
        space, cpv(0, 0), 5000, CP_SHAPE_FILTER_ALL, [](cpShape*, cpVect, cpFloat, cpVect, void*) { attempt(9); },
        nullptr);
    cpSpaceSegmentQuery(
        space, cpv(0, 900), cpv(0, -50), 9, CP_SHAPE_FILTER_ALL,
        [](cpShape*, cpVect, cpVect, cpFloat, void*) { attempt(10); }, nullptr);
    cpSpaceBBQuery(
        space, cpBBNew(-900, -900, 900, 900), CP_SHAPE_FILTER_ALL, [](cpShape*, void*) { attempt(11); }, nullptr);
    cpSpaceEachBody(
        space, [](cpBody*, void*) { attempt(12); }, nullptr);
    cpSpaceEachShape(
        space, [](cpShape*, void*) { attempt(13); }, nullptr);
    cpSpaceEachConstraint(
        space, [](cpConstraint*, void*) { attempt(14); }, nullptr);
    return world.hash();
  };
  const std::uint64_t hash = act();
  for (std::size_t i = 0; i < 15; ++i) EXPECT_GT(attempt.refused[i], 0) << i;
  ASSERT_TRUE(world.restore(saved));
  EXPECT_EQ(act(), hash);
}

}  // namespace
}  // namespace forkmunk::space
