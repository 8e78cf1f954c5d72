// SPDX-License-Identifier: MIT
#include "random_scene.h"

#include "space_host.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

using random_scene::SceneState;
using random_scene::SpaceHost;

constexpr int kStepsBetweenSaves = 40;

struct Extent {
  int scenes = 40;
  int steps = 200;
  int first_seed = 1;
};

// FORKMUNK_RANDOM_SCENES=1000x500+7 sets scenes, steps and the first seed.
Extent extent() {
  Extent wanted;
  if (const char* text = std::getenv("FORKMUNK_RANDOM_SCENES")) {
    if (std::sscanf(text, "%dx%d+%d", &wanted.scenes, &wanted.steps, &wanted.first_seed) < 2) wanted = {};
  }
  return wanted;
}

/// Goes back at intervals and repeats the steps next to a fork.
void run(int seed, int step_count) {
  Space origin;
  SpaceHost host(origin);
  SceneState* state = random_scene::build(host, static_cast<std::uint64_t>(seed), true);
  Snapshot saved;
  for (int step = 0; step < step_count; step += kStepsBetweenSaves) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
    origin.save(saved);
    const int count = std::min(kStepsBetweenSaves, step_count - step);
    Space fork = origin.fork();
    SpaceHost fork_host(fork);
    SceneState* twin = fork.twin_of(origin, state);
    ASSERT_EQ(fork.hash(), origin.hash()) << first_difference(origin, fork).value_or("");
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < count; ++i) {
      random_scene::advance(host, *state);
      random_scene::advance(fork_host, *twin);
      hashes.push_back(origin.hash());
      ASSERT_EQ(fork.hash(), hashes.back()) << "fork, " << i << ": " << first_difference(origin, fork).value_or("");
    }
    ASSERT_TRUE(origin.restore(saved));
    for (int i = 0; i < count; ++i) {
      random_scene::advance(host, *state);
      ASSERT_EQ(origin.hash(), hashes[static_cast<std::size_t>(i)])
          << "restored, " << i << ": " << first_difference(origin, fork).value_or("");
    }
    for (const OutsidePointer& pointer : origin.outside_pointers()) ADD_FAILURE() << pointer.location;
  }
}

TEST(RandomScenes, ForksAndRestoresRunInLockstep) {
  const Extent wanted = extent();
  for (int i = 0; i < wanted.scenes; ++i) {
    run(wanted.first_seed + i, wanted.steps);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RandomScenes, UseEverything) {
  std::uint64_t happened[random_scene::kDeedCount] = {};
  for (int seed = 1; seed <= 40; ++seed) {
    Space world;
    SpaceHost host(world);
    SceneState* state = random_scene::build(host, static_cast<std::uint64_t>(seed), true);
    for (int i = 0; i < 200; ++i) random_scene::advance(host, *state);
    for (int deed = 0; deed < random_scene::kDeedCount; ++deed) happened[deed] += state->happened[deed];
  }
  // Post-step callbacks, handlers, functions of bodies and joints, queries.
  for (const int deed : {1,  2,  3,  10, 11, 13, 14, 20, 21, 23, 24, 30, 31, 33, 34, 40, 41,
                         43, 44, 50, 51, 52, 60, 61, 70, 71, 72, 73, 74, 75, 76, 90, 91}) {
    EXPECT_GT(happened[deed], 0u) << deed;
  }
  // Kinds of objects, and changes of bodies, shapes, spaces and the game's objects.
  const auto all_of = [&](int first, int last) {
    for (int deed = first; deed <= last; ++deed) EXPECT_GT(happened[deed], 0u) << deed;
  };
  all_of(100, 117);
  all_of(120, 123);
  all_of(130, 137);
  all_of(140, 149);
  all_of(150, 158);
  all_of(160, 167);
  all_of(170, 173);
}

}  // namespace
}  // namespace forkmunk::space
