// SPDX-License-Identifier: MIT
#include "demo_lockstep.h"

#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

/// FORKMUNK_DEMO_STEPS; large scenes have fewer steps by default.
std::size_t steps_of(const DemoScene& scene) {
  if (const char* wanted = std::getenv("FORKMUNK_DEMO_STEPS")) return std::strtoul(wanted, nullptr, 10);
  if (scene.is_benchmark) return FORKMUNK_DEMO_STEPS_MAX / 10;
  return scene.name == "LogoSmash" || scene.name == "Plink" ? FORKMUNK_DEMO_STEPS_MAX / 5 : FORKMUNK_DEMO_STEPS_MAX;
}

class Demos : public testing::TestWithParam<DemoScene> {};

TEST_P(Demos, GoBackAndForkInLockstepWithStock) {
  Lockstep lockstep(GetParam());
  EXPECT_EQ(lockstep.run(steps_of(GetParam())), "");
}

INSTANTIATE_TEST_SUITE_P(All, Demos, testing::ValuesIn(demo_scenes()),
                         [](const auto& instance) { return instance.param.name; });

// A step takes twenty times as long under ThreadSanitizer.
#ifdef __SANITIZE_THREAD__
constexpr int kShareTogether = 40;
#else
constexpr int kShareTogether = 10;
#endif

TEST(DemosTogether, RunInFourThreads) {
  constexpr std::size_t kThreads = 4;
  const std::vector<DemoScene> scenes = demo_scenes();
  std::vector<std::string> failures(scenes.size());
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    // A unit's variables belong to one thread.
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i < scenes.size(); ++i) {
        if (scenes[i].unit % kThreads == thread)
          failures[i] = Lockstep(scenes[i]).run(steps_of(scenes[i]) / kShareTogether);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < scenes.size(); ++i) EXPECT_EQ(failures[i], "") << scenes[i].name;
}

struct Coverage {
  int sleeping_max = 0, handlers = 0, bodies_added = 0, bodies_removed = 0, joints_added = 0, joints_removed = 0;
  bool spatial_hash = false;
};

Coverage coverage_of(const std::string& name) {
  Coverage coverage;
  for (const DemoScene& scene : demo_scenes()) {
    if (scene.name != name) continue;
    Branch branch(*demos_of_space.units[scene.unit], scene.number, Lockstep::kSeed);
    DemoCensus before = branch.census();
    for (int i = 0; i < 1000; ++i) {
      branch.tick();
      const DemoCensus now = branch.census();
      coverage.sleeping_max = std::max(coverage.sleeping_max, now.sleeping_count);
      coverage.handlers = std::max(coverage.handlers, now.handler_count);
      coverage.spatial_hash = coverage.spatial_hash || now.has_spatial_hash != 0;
      coverage.bodies_added += std::max(0, now.body_count - before.body_count);
      coverage.bodies_removed += std::max(0, before.body_count - now.body_count);
      coverage.joints_added += std::max(0, now.constraint_count - before.constraint_count);
      coverage.joints_removed += std::max(0, before.constraint_count - now.constraint_count);
      before = now;
    }
    EXPECT_TRUE(branch.finish());
  }
  return coverage;
}

TEST(DemosTogether, CoverWhatChipmunkHas) {
  if (FORKMUNK_DEMO_STEPS_MAX < 1000) GTEST_SKIP() << "so few steps do not come to all of it";
  EXPECT_TRUE(coverage_of("LogoSmash").spatial_hash);
  EXPECT_GT(coverage_of("PyramidTopple").sleeping_max, 100);
  const Coverage sticky = coverage_of("Sticky");
  EXPECT_EQ(sticky.handlers, 1);
  EXPECT_GT(sticky.joints_added, 100) << "by preSolve and a callback after the step";
  EXPECT_GT(sticky.joints_removed, 10) << "by separate and a callback after the step";
  const Coverage chains = coverage_of("Chains");
  EXPECT_GT(chains.sleeping_max, 10);
  EXPECT_GT(chains.joints_removed, 0) << "broken by their load";
  const Coverage crane = coverage_of("Crane");
  EXPECT_GT(crane.joints_added, 0) << "by a sensor's handler and a callback after the step";
  EXPECT_GT(crane.joints_removed, 0);
  const Coverage slice = coverage_of("Slice");
  EXPECT_GT(slice.sleeping_max, 1);
  EXPECT_GT(slice.bodies_added, 5) << "in callbacks after a query";
  EXPECT_GT(coverage_of("Shatter").bodies_added, 10);
}

}  // namespace
}  // namespace forkmunk::space
