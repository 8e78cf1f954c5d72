// SPDX-License-Identifier: MIT
#include "support/allocation_counter.h"
#include "support/scenes.h"

#include <forkmunk/planning/planner.h>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using namespace search;

TEST(SearchAllocation, NothingIsTakenFromTheSystemWhileSearching) {
#ifndef FORKMUNK_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer owns the allocator";
#else
  { EXPECT_NE(std::make_unique<int>(1), nullptr); }
  ASSERT_GT(tests::allocation_count(), 0) << "the counter does not count";
  for (const PlannerInfo& info : planners()) {
    for (const OpponentModelInfo& model : opponent_models()) {
      for (const std::size_t index : {8u, 17u}) {  // states grow most there
        const tests::Scene& scene = tests::all_scenes()[index];
        engine::World world;
        world.begin_match(scene.setup);
        PlannerOptions options;
        options.opponent = model.model;
        const auto planner = make_planner(info.name, options);
        planner->begin_match(world, engine::Player::first);
        tests::Script script(4);
        const long before = tests::allocation_count();
        for (int tick = 0; tick < 150 && world.takes_commands(); ++tick) {
          Budget budget = Budget::of_ticks(tick % 30 == 0 ? 1500 : 100);
          const Decision decision = planner->decide(world, engine::Command::left, budget);
          world.step({decision.command, script.next().second});
        }
        ASSERT_EQ(tests::allocation_count() - before, 0) << info.name << ' ' << model.name << ' ' << scene.map << ' '
                                                         << scene.car << ", up to tick " << world.tick();
      }
    }
  }
#endif
}

}  // namespace
}  // namespace forkmunk::planning
