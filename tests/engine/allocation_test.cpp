// SPDX-License-Identifier: MIT
#include "support/allocation_counter.h"
#include "support/scenes.h"

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

class Allocation : public testing::TestWithParam<Physics> {};

TEST_P(Allocation, NothingIsTakenFromTheSystemAfterBeginMatch) {
#ifndef FORKMUNK_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer owns the allocator";
#else
  { EXPECT_NE(std::make_unique<int>(1), nullptr); }
  ASSERT_GT(tests::allocation_count(), 0) << "the counter does not count";
  const std::vector<Commands> commands = tests::script(1, 900);
  for (const tests::Scene& scene : tests::all_scenes()) {
    World world(GetParam());
    world.begin_match(scene.setup);
    Snapshot snapshot = world.save();
    std::uint64_t hash = 0;
    const long before = tests::allocation_count();
    for (std::size_t i = 0; i < commands.size(); ++i) {
      world.step(commands[i]);
      if (i % 50 == 0 && world.live_bytes() <= snapshot.size_bytes()) {
        world.save(snapshot);
        world.restore(snapshot);
        hash += world.hash();
      }
    }
    EXPECT_EQ(tests::allocation_count() - before, 0) << scene.map << ' ' << scene.car << ' ' << hash;
  }
#endif
}

TEST_P(Allocation, ASnapshotsBufferIsReplacedOnlyWhenItIsTooSmall) {
#ifndef FORKMUNK_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer owns the allocator";
#else
  MatchSetup small = tests::scene_of("PillMap", "Buggy").setup;
  small.map.segments.clear();
  MatchSetup large = small;
  large.map.segments.assign(500, Segment{{0, 250}, {1200, 250}, 5});  // the cars land on all of them
  World world(GetParam());
  world.begin_match(small);
  Snapshot snapshot = world.save();
  const auto allocations_of_a_save = [&] {
    const long before = tests::allocation_count();
    world.save(snapshot);
    return tests::allocation_count() - before;
  };
  EXPECT_EQ(allocations_of_a_save(), 0);
  world.begin_match(large);
  for (int tick = 0; tick < 200 && world.live_bytes() <= 4 * snapshot.size_bytes(); ++tick) world.step({});
  ASSERT_GT(world.live_bytes(), 4 * snapshot.size_bytes());
  // The buffer, and perhaps a list in the cache of released blocks.
  const long replacing = allocations_of_a_save();
  EXPECT_GE(replacing, 1);
  EXPECT_LE(replacing, 2);
  EXPECT_EQ(snapshot.size_bytes(), world.live_bytes());
  EXPECT_EQ(allocations_of_a_save(), 0);
  world.begin_match(small);
  EXPECT_EQ(allocations_of_a_save(), 0);
#endif
}

INSTANTIATE_TEST_SUITE_P(EveryPhysics, Allocation, testing::ValuesIn(available_physics()),
                         [](const auto& param) { return tests::name_of(param.param); });

}  // namespace
}  // namespace forkmunk::engine
