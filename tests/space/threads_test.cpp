// SPDX-License-Identifier: MIT
#include "random_scene.h"
#include "space_host.h"

#include <array>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

constexpr int kThreadSteps = 60;

std::vector<std::uint64_t> play(int seed) {
  Space world;
  random_scene::SpaceHost host(world);
  random_scene::SceneState* state = random_scene::build(host, static_cast<std::uint64_t>(seed), true);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < kThreadSteps; ++i) {
    random_scene::advance(host, *state);
    if (i % 20 == 7) {
      Space fork = world.fork();
      const Snapshot saved = fork.save();
      random_scene::SpaceHost fork_host(fork);
      random_scene::advance(fork_host, *fork.twin_of(world, state));
      EXPECT_TRUE(world.restore(saved));
    }
    hashes.push_back(world.hash());
  }
  return hashes;
}

TEST(Threads, SpacesInSeveralThreadsAreAsAlone) {
  constexpr int kThreads = 4;
  constexpr int kScenes = 4;
  std::array<std::vector<std::vector<std::uint64_t>>, kThreads> found;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&found, t] {
        for (int i = 0; i < kScenes; ++i) found[static_cast<std::size_t>(t)].push_back(play(100 + (t + i) % kThreads));
      });
    }
  }
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < kScenes; ++i) {
      EXPECT_EQ(found[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)], play(100 + (t + i) % kThreads));
    }
  }
}

// Emergencies share a list.
TEST(Threads, EmergenciesDoNotDisturbEachOther) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int round = 0; round < 10; ++round) {
        Space world(64 << 10, 64 << 10);
        const Snapshot saved = world.save();
        const std::uint64_t hash = world.hash();
        {
          const auto scope = world.enter();
          while (!world.is_overflowed()) cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
          for (int i = 0; i < 50; ++i) cpBodyFree(cpBodyNew(1, 1));
        }
        EXPECT_TRUE(world.restore(saved));
        EXPECT_EQ(world.hash(), hash);
      }
    });
  }
}

TEST(Threads, SpacesMoveBetweenThreads) {
  Space world;
  random_scene::SpaceHost host(world);
  random_scene::SceneState* state = random_scene::build(host, 7, true);
  Space fork = world.fork();
  std::jthread([&] {
    random_scene::SpaceHost fork_host(fork);
    for (int i = 0; i < kThreadSteps; ++i) random_scene::advance(fork_host, *fork.twin_of(world, state));
  }).join();
  for (int i = 0; i < kThreadSteps; ++i) random_scene::advance(host, *state);
  EXPECT_EQ(fork.hash(), world.hash());
}

}  // namespace
}  // namespace forkmunk::space
