// SPDX-License-Identifier: MIT
#include "golden_hashes.h"

#include <forkmunk/space/space.h>

#include <cstdio>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

/// tests/js builds the same scene.
namespace forkmunk::space {
namespace {

constexpr bool kIsDouble = sizeof(cpFloat) == sizeof(double);
constexpr const auto& kGoldenHashes = kIsDouble ? kGoldenHashesOfDoubles : kGoldenHashesOfFloats;

cpBool begin(cpArbiter*, cpSpace*, void*) { return cpTrue; }

cpBody* add_body(cpSpace* space, cpBody* body, double x, double y) {
  cpSpaceAddBody(space, body);
  cpBodySetPosition(body, cpv(x, y));
  return body;
}

void add_shape(cpSpace* space, cpShape* shape, double friction, double elasticity, cpCollisionType type) {
  cpSpaceAddShape(space, shape);
  cpShapeSetFriction(shape, friction);
  cpShapeSetElasticity(shape, elasticity);
  cpShapeSetCollisionType(shape, type);
}

void add_joint(cpSpace* space, int kind, cpBody* a, cpBody* b) {
  cpConstraint* const joints[] = {cpPinJointNew(a, b, cpv(1, 0), cpv(0, 2)),
                                  cpSlideJointNew(a, b, cpvzero, cpvzero, 10, 30),
                                  cpPivotJointNew2(a, b, cpv(10, 10), cpv(-5, -10)),
                                  cpGrooveJointNew(a, b, cpv(-10, 20), cpv(20, 15), cpvzero),
                                  cpDampedSpringNew(a, b, cpvzero, cpvzero, 20, 40, 1),
                                  cpDampedRotarySpringNew(a, b, 0.5, 3000, 20),
                                  cpRotaryLimitJointNew(a, b, -0.25, 0.25),
                                  cpRatchetJointNew(a, b, 0.125, 0.5),
                                  cpGearJointNew(a, b, 0.25, 2),
                                  cpSimpleMotorNew(a, b, 3)};
  for (int i = 0; i < 10; ++i) {
    if (i == kind) cpSpaceAddConstraint(space, joints[i]);
    if (i != kind) cpConstraintFree(joints[i]);
  }
}

void build(Space& world) {
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -300));
  cpSpaceSetIterations(space, 15);
  cpSpaceSetSleepTimeThreshold(space, 0.5);
  cpSpaceSetCollisionSlop(space, 0.25);
  cpBody* ground = cpSpaceGetStaticBody(space);
  add_shape(space, cpSegmentShapeNew(ground, cpv(-400, 0), cpv(400, 0), 2), 0.9, 0, 0);
  add_shape(space, cpSegmentShapeNew(ground, cpv(-400, 0), cpv(-400, 400), 2), 0.9, 0, 0);
  add_shape(space, cpSegmentShapeNew(ground, cpv(400, 0), cpv(400, 400), 2), 0.9, 0, 0);
  for (int i = 0; i < 8; ++i) {
    cpBody* box = add_body(space, cpBodyNew(1, cpMomentForBox(1, 20, 20)), -60 + 3 * i, 12 + 21 * i);
    add_shape(space, cpBoxShapeNew(box, 20, 20, 0.5), 0.6, 0.125, 2);
  }
  for (int kind = 0; kind < 10; ++kind) {
    cpBody* a = add_body(space, cpBodyNew(1, 20), -250 + 50 * kind, 250);
    cpBody* b = add_body(space, cpBodyNew(2, 40), -235 + 50 * kind, 270);
    add_shape(space, cpCircleShapeNew(a, 6, cpv(1, 0)), 0.5, 0.25, 1);
    add_shape(space, cpCircleShapeNew(b, 8, cpvzero), 0.5, 0.25, 1);
    add_joint(space, kind, a, b);
  }
  cpBody* paddle = add_body(space, cpBodyNewKinematic(), 150, 60);
  cpBodySetAngularVelocity(paddle, 2);
  const cpVect blade[] = {{40, -4}, {40, 4}, {-40, 4}, {-40, -4}, {0, 9}};
  cpVect hull[5];
  const int count = cpConvexHull(5, blade, hull, nullptr, 0);
  add_shape(space, cpPolyShapeNewRaw(paddle, count, hull, 1), 1, 0.5, 0);
  cpCollisionHandler* handler = cpSpaceAddWildcardHandler(space, 1);
  handler->beginFunc = &begin;
  handler->userData = reinterpret_cast<void*>(std::uintptr_t{1});
}

constexpr int kHashedSteps[] = {0, 60, 600};

TEST(GoldenHash, IsThatOfOtherMachines) {
  name_code("js begin", &begin);
  Space world;
  build(world);
  int step = 0;
  std::string found;
  for (std::size_t i = 0; i < std::size(kHashedSteps); ++i) {
    for (; step < kHashedSteps[i]; ++step) world.step(1.0 / 60);
    char text[40];
    std::snprintf(text, sizeof text, "0x%016llxu, ", static_cast<unsigned long long>(world.hash()));
    found += text;
    EXPECT_EQ(world.hash(), kGoldenHashes[i]) << "after " << step << " steps";
  }
  if (HasFailure()) std::printf("kGoldenHashes: %s\n", found.c_str());
}

// Differences come from a rotary spring's impulse and from circles on rounded boxes.
TEST(GoldenHash, IsAnotherOneWithStocksDefects) {
  name_code("js begin", &begin);
  constexpr std::uint64_t kHashesOfStock[][2] = {{0xb43be487cba25869u, 0x0acea027b4856469u},
                                                 {0x09a799408c2f3946u, 0x5fee9e5e2d01a1dbu},
                                                 {0x4609e97359801ad5u, 0x096b3a875744b6dbu}};
  for (std::size_t i = 0; i < std::size(kHashedSteps); ++i) {
    Space world;
    build(world);
    world.set_defects(Defects::stock);
    for (int step = 0; step < kHashedSteps[i]; ++step) world.step(1.0 / 60);
    world.set_defects(Defects::none);  // the mode is not hashed
    EXPECT_EQ(world.hash(), kHashesOfStock[i][kIsDouble ? 0 : 1]) << "after " << kHashedSteps[i] << " steps";
  }
}

TEST(GoldenHash, StaysInForksCopiesAndPackedMemory) {
  name_code("js begin", &begin);
  Space world;
  build(world);
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  EXPECT_EQ(world.fork().hash(), kGoldenHashes[1]);
  std::stringstream bytes;
  world.save().write(bytes);
  Space other(1 << 22);
  ASSERT_TRUE(other.restore(Snapshot::read(bytes)));
  EXPECT_EQ(other.hash(), kGoldenHashes[1]);
  const Snapshot same = Snapshot::from_bytes(world.save().to_bytes());
  ASSERT_TRUE(other.restore(same));
  EXPECT_EQ(other.hash(), kGoldenHashes[1]);
  static_cast<void>(world.compact());
  EXPECT_EQ(world.hash(), kGoldenHashes[1]);
}

}  // namespace
}  // namespace forkmunk::space
