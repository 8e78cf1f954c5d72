// SPDX-License-Identifier: MIT
#include "flat/broad_phase.h"
#include "flat/velocity_solver.h"
#include "support/scenes.h"
#include "world_implementation.h"

#include <forkmunk/base/check.h>

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

using tests::script;
using tests::touching_scene;

struct BareWorld {
  BareWorld() {
    world->begin_match(touching_scene().setup);
    for (const Commands& commands : script(12, 170)) world->step(commands);
  }
  explicit BareWorld(std::unique_ptr<WorldImplementation> other) : world(std::move(other)) {}
  [[nodiscard]] LiveState& state() const {
    const auto* rules = reinterpret_cast<const std::byte*>(&world->rules());
    return *reinterpret_cast<LiveState*>(const_cast<std::byte*>(rules - offsetof(LiveState, rules)));
  }
  std::unique_ptr<WorldImplementation> world = make_flat_world();
};

TEST(FlatDeathTest, AListNeverGrowsBeyondItsShare) {
  if (FORKMUNK_CHECK_LEVEL == 0) GTEST_SKIP() << "checks are off in this build";
  const MatchModel model(touching_scene().setup);
  BareWorld bare;
  const auto add_too_many = [&] {
    for (std::size_t i = 0; i <= pair_list_capacity_max(model, kDeadlineShape); ++i) {
      add_pair(model, bare.state(), 1, kDeadlineShape);
    }
  };
  EXPECT_DEATH(add_too_many(), "leaf 0 has 9 pairs, one more than it can have");
}

TEST(FlatDeathTest, AStateThatAStepHasBrokenIsNoticedAfterIt) {
  if (FORKMUNK_CHECK_LEVEL < 2) GTEST_SKIP() << "states are validated at check level 2 only";
  BareWorld bare;
  bare.state().leaf_order[3] = bare.state().leaf_order[4];
  EXPECT_DEATH(bare.world->step({}), "after tick 171: wrong leaf_order.4.");
}

#ifdef FORKMUNK_POISONS
void write_at(const BareWorld& bare, std::size_t offset) {
  *(reinterpret_cast<volatile char*>(&bare.state()) + offset) = 1;
}

TEST(FlatDeathTest, RoomBehindTheStateIsPoisoned) {
  BareWorld bare;
  write_at(bare, bare.state().size_bytes() - 1);
  EXPECT_DEATH(write_at(bare, bare.state().size_bytes()), "AddressSanitizer");
  EXPECT_DEATH(write_at(bare, size_bytes_max(MatchModel(touching_scene().setup)) - 1), "AddressSanitizer");

  bare.world->begin_match(touching_scene().setup);
  Snapshot snapshot;
  bare.world->save(snapshot);
  const std::vector<Commands> commands = script(12, 170);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    bare.world->step(commands[i]);
    if (i % 20 != 19) continue;
    EXPECT_DEATH(write_at(bare, bare.state().size_bytes()), "AddressSanitizer") << "after every step";
  }
  const BareWorld twin(bare.world->fork());
  EXPECT_DEATH(write_at(twin, twin.state().size_bytes()), "AddressSanitizer") << "in a fork";
  ASSERT_GT(bare.state().size_bytes(), snapshot.size_bytes());
  ASSERT_TRUE(bare.world->restore(snapshot));
  EXPECT_DEATH(write_at(bare, bare.state().size_bytes()), "AddressSanitizer") << "after a restore";

  MatchSetup smaller = touching_scene().setup;
  smaller.map.segments.clear();
  bare.world->begin_match(smaller);
  EXPECT_DEATH(write_at(bare, bare.state().size_bytes()), "AddressSanitizer") << "in a smaller match";
  const MatchModel model(smaller);
  const std::size_t solver_offset = (size_bytes_max(model) + 63) / 64 * 64;
  const std::size_t end = solver_offset + model.solid_pair_count_max() * sizeof(SolverContact);
  write_at(bare, end - 1);
  EXPECT_DEATH(write_at(bare, end), "AddressSanitizer") << "behind the solver's contacts";
}
#endif

}  // namespace
}  // namespace forkmunk::engine::flat
