// SPDX-License-Identifier: MIT
#include "double_side.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space.h>
#include <forkmunk/space/batch.h>
#include <forkmunk/space/space.h>

#include <cmath>

#include <gtest/gtest.h>

/// Only single precision has these faults; other tests are compiled for both.
namespace forkmunk::space {
namespace {

static_assert(sizeof(cpFloat) == sizeof(float));

double fall(Space& world) {
  const auto inside = world.enter();
  cpSpaceSetGravity(world.space(), cpv(0, -10));
  cpBody* ball = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  cpSpaceAddShape(world.space(), cpCircleShapeNew(ball, 1, cpvzero));
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  return cpBodyGetPosition(ball).y;
}

TEST(SinglePrecision, OneProgramHasBothPrecisions) {
  Space world;
  const double height = fall(world);
  const double_side::Fall exact = double_side::fall();
  EXPECT_NE(height, exact.height);
  EXPECT_NEAR(height, exact.height, 1e-4);
  EXPECT_NE(world.hash(), exact.hash);
  EXPECT_EQ(exact.hash, double_side::fall().hash);
}

TEST(SinglePrecision, AStateIsReadByItsOwnPrecisionAlone) {
  Space world;
  fall(world);
  const std::vector<std::byte> bytes = world.save().to_bytes();
  const std::vector<std::byte> exact = double_side::fall().bytes;
  Space other;
  ASSERT_TRUE(other.restore(Snapshot::from_bytes(bytes)));
  EXPECT_EQ(other.hash(), world.hash());
  EXPECT_EQ(double_side::read(exact), "");
  EXPECT_NE(double_side::read(bytes).find("in single precision, expected double"), std::string::npos);
  try {
    static_cast<void>(Snapshot::from_bytes(exact));
    ADD_FAILURE() << "a state of doubles was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("in double precision, expected single"), std::string::npos);
  }
  EXPECT_LT(bytes.size(), exact.size());
}

TEST(SinglePrecision, NumbersBeyondFloatsAreRefused) {
  Space world;
  fall(world);
  const std::uint64_t before = world.hash();
  EXPECT_THROW(world.step(1e39), Error);
  EXPECT_THROW(world.step_checked(1e39), Error);
  EXPECT_EQ(world.hash(), before);
  Batch batch(world, 1);
  EXPECT_THROW(batch.step(1e39), Error);
  cpBody* ball = nullptr;
  cpSpaceEachBody(
      world.space(), [](cpBody* body, void* found) { *static_cast<cpBody**>(found) = body; }, &ball);
  cpBody* const bodies[] = {ball};
  const double number[] = {1e39};
  for (const Field field : {Field::angle, Field::angular_velocity, Field::torque}) {
    EXPECT_THROW(batch.write(field, bodies, number), Error);
  }
  std::uint64_t after = 0;
  batch.hashes({&after, 1});
  EXPECT_EQ(after, before);
}

TEST(SinglePrecision, TheInterfaceForCHasNamesOfItsOwn) {
  forkmunk_space* world = forkmunk_space_new(0, 0);
  ASSERT_NE(world, nullptr);
  cpSpace* const space = forkmunk_space_space(world);
  cpSpaceSetGravity(space, cpv(0, -1));
  EXPECT_EQ(cpSpaceGetGravity(space).y, -1.0F);
  EXPECT_EQ(forkmunk_space_step(world, 0.5), FORKMUNK_OK);
  EXPECT_EQ(cpSpaceGetCurrentTimeStep(space), 0.5F);
  forkmunk_space_free(world);
}

}  // namespace
}  // namespace forkmunk::space
