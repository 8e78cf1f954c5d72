// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

struct Score {
  cpBody* leader;
  int points;
};

cpBody* add_box(cpSpace* space, cpVect position) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 30, 30)));
  cpBodySetPosition(body, position);
  cpShapeSetFriction(cpSpaceAddShape(space, cpBoxShapeNew(body, 30, 30, 0)), 0.6);
  return body;
}

TEST(Space, TheGamesOwnStateForks) {
  Space world;
  Score* score = nullptr;
  {
    const auto building = world.enter();
    score = world.make<Score>(add_box(world.space(), cpv(1, 2)), 7);
  }
  Space twin = world.fork();
  Score* same = twin.twin_of(world, score);
  EXPECT_NE(same, score);
  EXPECT_EQ(same->points, 7);
  EXPECT_EQ(same->leader, twin.twin_of(world, score->leader));
  EXPECT_EQ(cpBodyGetPosition(same->leader).x, 1);
  same->points = 8;
  EXPECT_NE(twin.hash(), world.hash());
  EXPECT_NE(first_difference(world, twin).value_or("nothing").find("differs: 7, 8"), std::string::npos)
      << first_difference(world, twin).value_or("nothing");
}

// Such a body is in no space.
TEST(Space, ABodyWithShapesInTwoSpacesKeepsTheContactsOfBoth) {
  Space world;
  cpBody* ground = nullptr;
  cpSpace* other = nullptr;
  {
    const auto building = world.enter();
    other = cpSpaceNew();
    ground = cpBodyNewStatic();
    for (cpSpace* space : {world.space(), other}) {
      cpSpaceSetGravity(space, cpv(0, -100));
      cpSpaceAddShape(space, cpSegmentShapeNew(ground, cpv(-500, 0), cpv(500, 0), 0));
      add_box(space, cpv(space == other ? 100 : 0, 15));
    }
  }
  for (int i = 0; i < 10; ++i) {
    for (cpSpace* space : {world.space(), other}) {
      cpSpaceStep(space, 1.0 / 60);
      if (i == 0 && space == world.space()) continue;
      int count = 0;
      cpBodyEachArbiter(
          ground, [](cpBody*, cpArbiter*, void* counted) { ++*static_cast<int*>(counted); }, &count);
      EXPECT_EQ(count, 2) << i;
    }
    std::stringstream stream;
    EXPECT_NO_THROW(world.save().write(stream)) << i;
  }
}

#if GTEST_HAS_DEATH_TEST && !defined(_WIN32)
// An exception out of a step would leave the space locked.
TEST(SpaceDeathTest, InstructionsThatAreNotThereAreReportedWhereASpaceIsMade) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto make = [] {
    setenv("FORKMUNK_LANES", "avx3", 1);
    try {
      const Space world;
    } catch (const Error& error) {
      std::fputs(error.what(), stderr);
      std::exit(3);
    }
  };
  EXPECT_EXIT(make(), testing::ExitedWithCode(3), "avx3");
}
#endif

}  // namespace
}  // namespace forkmunk::space
