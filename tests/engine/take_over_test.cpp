// SPDX-License-Identifier: MIT
#include "support/scenes.h"

#include <forkmunk/base/error.h>
#include <forkmunk/cars/random_car.h>
#include <forkmunk/engine/testing/lockstep.h>
#include <forkmunk/maps/random_map.h>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

// Takes over at every `every`th tick and stays in lockstep.
void expect_lockstep(const MatchSetup& setup, const std::vector<Commands>& commands, int every,
                     const std::string& what) {
  World chipmunk(Physics::chipmunk);
  World flat;
  chipmunk.begin_match(setup);
  for (std::size_t tick = 0; tick < commands.size(); ++tick) {
    if (tick % static_cast<std::size_t>(every) == 0) {
      flat.take_over(chipmunk);
      const auto difference = first_difference(chipmunk, flat);
      ASSERT_FALSE(difference) << what << ", tick " << tick << ": chipmunk has " << difference->a << ", flat has "
                               << difference->b;
    }
    ASSERT_EQ(chipmunk.hash(), flat.hash()) << what << ", tick " << tick;
    chipmunk.step(commands[tick]);
    flat.step(commands[tick]);
  }
}

TEST(TakeOver, StrictWorldsGoOnInLockstep) {
  for (const tests::Scene& scene : tests::all_scenes()) {
    for (const int every : {1, 37}) {
      ASSERT_NO_FATAL_FAILURE(expect_lockstep(scene.setup, tests::script(5, 800), every, std::string(scene.map)));
    }
  }
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    const MatchSetup setup{maps::random_map(random), cars::random_car(random)};
    ASSERT_NO_FATAL_FAILURE(expect_lockstep(setup, tests::script(random.next(), 200), 5, "random match"));
  }
}

TEST(TakeOver, KeepsTheBitsOfTheRefereesArithmetic) {
  if (!is_available(Arithmetic::referee)) GTEST_SKIP() << "this build has no referee arithmetic";
  for (const tests::Scene& scene : tests::all_scenes()) {
    World referee(Physics::chipmunk_fast_math);
    World flat;
    referee.begin_match(scene.setup);
    for (const Commands commands : tests::script(6, 700)) {
      flat.take_over(referee);
      ASSERT_EQ(referee.hash(), flat.hash());
      referee.step(commands);
    }
  }
}

TEST(TakeOver, OfAFlatWorldAndOfANonFiniteOne) {
  const std::vector<tests::Scene>& scenes = tests::all_scenes();
  World from, to;
  to.begin_match(scenes[3].setup);
  from.begin_match(scenes[1].setup);
  for (const Commands commands : tests::script(3, 100)) from.step(commands);
  to.take_over(from);
  EXPECT_EQ(to.setup(), scenes[1].setup);
  EXPECT_EQ(to.hash(), from.hash());

  World diverged(Physics::chipmunk);
  diverged.begin_match(tests::exploding_setup());
  for (const Commands commands : tests::script(7, 120)) diverged.step(commands);
  ASSERT_FALSE(diverged.is_finite());
  to.take_over(diverged);
  EXPECT_FALSE(to.is_finite());
  EXPECT_EQ(to.hash(), diverged.hash());
  to.step({});
  EXPECT_EQ(to.tick(), diverged.tick() + 1);
}

TEST(TakeOver, BadUseIsRefused) {
  World chipmunk(Physics::chipmunk), flat, empty;
  flat.begin_match(tests::scene_of("PillMap", "Buggy").setup);
  EXPECT_THROW(chipmunk.take_over(flat), Error);
  EXPECT_THROW(flat.take_over(empty), Error);
}

}  // namespace
}  // namespace forkmunk::engine
