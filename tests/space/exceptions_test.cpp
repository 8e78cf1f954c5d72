// SPDX-License-Identifier: MIT
#include "thrown.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <functional>

#include <gtest/gtest.h>

/// A callback throws out of every function that locks a space.
namespace forkmunk::space {
namespace {

void add_pair(cpSpace* space) {
  for (int i = 0; i < 2; ++i) {
    cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, 1));
    cpSpaceAddShape(space, cpCircleShapeNew(body, 5, cpvzero));
  }
  cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space);
  handler->separateFunc = [](cpArbiter*, cpSpace*, void*) { throw Thrown(); };
}

cpShape* first_shape(cpSpace* space) {
  cpShape* first = nullptr;
  cpSpaceEachShape(
      space, [](cpShape* shape, void* found) { *static_cast<cpShape**>(found) = shape; }, &first);
  return first;
}

struct ThrowingCall {
  const char* name;
  void (*run)(cpSpace* space);
};

const ThrowingCall kCalls[] = {
    {"cpSpaceStep, in begin",
     [](cpSpace* space) {
       cpSpaceAddDefaultCollisionHandler(space)->beginFunc = [](cpArbiter*, cpSpace*, void*) -> cpBool {
         throw Thrown();
       };
       cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, 1));
       cpSpaceAddShape(space, cpCircleShapeNew(body, 5, cpvzero));
       cpSpaceStep(space, 0.1);
     }},
    {"cpSpaceStep, after the step",
     [](cpSpace* space) {
       cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, 1));
       cpBodySetPositionUpdateFunc(body, [](cpBody* moved, cpFloat) {
         cpSpaceAddPostStepCallback(
             cpBodyGetSpace(moved), [](cpSpace*, void*, void*) { throw Thrown(); }, moved, nullptr);
       });
       cpSpaceStep(space, 0.1);
     }},
    {"cpSpacePointQuery",
     [](cpSpace* space) {
       cpSpacePointQuery(
           space, cpvzero, 9, CP_SHAPE_FILTER_ALL, [](cpShape*, cpVect, cpFloat, cpVect, void*) { throw Thrown(); },
           nullptr);
     }},
    {"cpSpaceSegmentQuery",
     [](cpSpace* space) {
       cpSpaceSegmentQuery(
           space, cpv(-20, 0), cpv(20, 0), 1, CP_SHAPE_FILTER_ALL,
           [](cpShape*, cpVect, cpVect, cpFloat, void*) { throw Thrown(); }, nullptr);
     }},
    {"cpSpaceBBQuery",
     [](cpSpace* space) {
       cpSpaceBBQuery(
           space, cpBBNew(-9, -9, 9, 9), CP_SHAPE_FILTER_ALL, [](cpShape*, void*) { throw Thrown(); }, nullptr);
     }},
    {"cpSpaceShapeQuery",
     [](cpSpace* space) {
       cpSpaceShapeQuery(
           space, first_shape(space), [](cpShape*, cpContactPointSet*, void*) { throw Thrown(); }, nullptr);
     }},
    {"cpSpaceEachBody",
     [](cpSpace* space) {
       cpSpaceEachBody(
           space, [](cpBody*, void*) { throw Thrown(); }, nullptr);
     }},
    {"cpSpaceEachShape",
     [](cpSpace* space) {
       cpSpaceEachShape(
           space, [](cpShape*, void*) { throw Thrown(); }, nullptr);
     }},
    {"cpSpaceEachConstraint",
     [](cpSpace* space) {
       cpSpaceEachConstraint(
           space, [](cpConstraint*, void*) { throw Thrown(); }, nullptr);
     }},
    {"cpSpaceRemoveShape, in separate", [](cpSpace* space) { cpSpaceRemoveShape(space, first_shape(space)); }},
};

// Only cpSpaceStep() steps a further space.
TEST(Exceptions, RestoreRecoversFromEach) {
  for (const bool further : {false, true}) {
    for (const ThrowingCall& call : kCalls) {
      SCOPED_TRACE(std::string(call.name) + (further ? ", of a further space" : ""));
      Space world;
      const auto building = world.enter();
      cpSpace* space = further ? cpSpaceNew() : world.space();
      add_pair(space);
      cpBody* body = first_shape(space)->body;
      cpSpaceAddConstraint(space, cpSimpleMotorNew(body, cpSpaceGetStaticBody(space), 1));
      cpSpaceStep(space, 0.1);
      const Snapshot here = world.save();
      const std::uint64_t hash = world.hash();
      for (int times = 0; times < 2; ++times) {
        EXPECT_THROW(call.run(space), Thrown);
        EXPECT_THROW(static_cast<void>(world.save()), Error);
        EXPECT_THROW(static_cast<void>(world.fork()), Error);
        EXPECT_THROW(world.step(0.1), Error);
        ASSERT_TRUE(world.restore(here));
        EXPECT_EQ(world.hash(), hash);
      }
      world.step(0.1);
      cpSpaceStep(space, 0.1);
      EXPECT_NO_THROW(static_cast<void>(world.save()));
    }
  }
}

// The query stays locked until the step ends.
TEST(Exceptions, OfAQueryInAStepAreOnlyMendedAfterIt) {
  Space world;
  const auto building = world.enter();
  cpBody* body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  cpBodySetUserData(body, &world);
  const Snapshot here = world.save();
  cpBodySetPositionUpdateFunc(body, [](cpBody* moved, cpFloat) {
    auto& its = *static_cast<Space*>(cpBodyGetUserData(moved));
    try {
      cpSpaceEachBody(
          its.space(), [](cpBody*, void*) { throw Thrown(); }, nullptr);
    } catch (const Thrown&) {}
    EXPECT_THROW(static_cast<void>(its.restore(Snapshot())), Error);
  });
  world.step(0.1);
  EXPECT_THROW(static_cast<void>(world.save()), Error);
  ASSERT_TRUE(world.restore(here));
  world.step(0.1);
  EXPECT_NO_THROW(static_cast<void>(world.save()));
}

}  // namespace
}  // namespace forkmunk::space
