// SPDX-License-Identifier: MIT
#include "forced_positions.h"

#include <forkmunk/planning/planner.h>

#include <functional>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using namespace search;

using engine::Command;
using engine::Player;
using engine::World;
using tests::ForcedPosition;

constexpr int kForcedTicks = 40;
constexpr std::int64_t kBudget = 2000;

using Commander = std::function<Command(World& world)>;

/// \return whether `me` reaches the position's goal in 40 ticks.
bool comes_out(const ForcedPosition& position, World world, const Commander& me, const Commander& enemy) {
  for (int tick = 0; tick < kForcedTicks && world.takes_commands(); ++tick) {
    const Command own = me(world);
    const Command other = enemy(world);
    world.step(position.me == Player::first ? engine::Commands{own, other} : engine::Commands{other, own});
  }
  if (position.kind == ForcedPosition::Kind::avoid) return !world.dead(position.me);
  return world.dead(opponent_of(position.me)) && !world.dead(position.me);
}

Commander holds(Command command) {
  return [command](World&) { return command; };
}

Commander scripted(const ForcedPosition& position, Player player) {
  tests::Script script(position.seed);
  for (int tick = 0; tick < position.tick; ++tick) (void)script.next();
  return [script, player](World&) mutable {
    const engine::Commands commands = script.next();
    return player == Player::first ? commands.first : commands.second;
  };
}

World world_at(const ForcedPosition& position) {
  World world;
  world.begin_match({*maps::find(position.map), *cars::find(position.car)});
  tests::Script script(position.seed);
  for (int tick = 0; tick < position.tick; ++tick) world.step(script.next());
  return world;
}

std::vector<Commander> enemies(const ForcedPosition& position) {
  if (position.kind == ForcedPosition::Kind::avoid) return {scripted(position, opponent_of(position.me))};
  return {holds(Command::left), holds(Command::stop), holds(Command::right)};
}

bool is_found(const ForcedPosition& position, std::string_view planner_name, const PlannerOptions& options) {
  const World world = world_at(position);
  for (const Commander& enemy : enemies(position)) {
    const auto planner = make_planner(planner_name, options);
    planner->begin_match(world, position.me);
    Command enemy_last = Command::stop;
    const Commander me = [&](World& now) {
      Budget budget = Budget::of_ticks(kBudget);
      return planner->decide(now, enemy_last, budget).command;
    };
    const Commander seen_enemy = [&](World& now) { return enemy_last = enemy(now); };
    if (!comes_out(position, world.fork(), me, seen_enemy)) return false;
  }
  return true;
}

std::string name_of(const ForcedPosition& position) {
  return std::string(position.kind == ForcedPosition::Kind::kill ? "kill " : "avoid ")
      .append(position.map)
      .append(" ")
      .append(position.car);
}

TEST(ForcedPositions, AreNotTrivial) {
  for (const ForcedPosition& position : tests::kForcedPositions) {
    const World world = world_at(position);
    ASSERT_TRUE(world.takes_commands()) << name_of(position);
    int easy = 0;
    int tried = 0;
    for (const Command command : engine::kCommands) {
      for (const Commander& enemy : enemies(position)) {
        easy += comes_out(position, world.fork(), holds(command), enemy);
        ++tried;
      }
    }
    EXPECT_LE(easy * 3, tried * 2) << name_of(position);
    if (position.kind == ForcedPosition::Kind::avoid) {
      EXPECT_FALSE(comes_out(position, world.fork(), scripted(position, position.me), enemies(position).front()))
          << name_of(position) << ": no player is in danger";
    }
  }
}

// Six seeds found 14 to 16.
TEST(ForcedPositions, TheDefaultBotFindsFourOfFive) {
#ifdef FORKMUNK_SANITIZED
  GTEST_SKIP() << "the release build finds them; here it would take minutes";
#endif
  constexpr int kSeeds = 3;
  int found = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    PlannerOptions options;
    options.seed = static_cast<std::uint64_t>(seed);
    for (const ForcedPosition& position : tests::kForcedPositions) {
      const bool solved = is_found(position, kBestPlanner, options);
      found += solved;
      if (!solved) std::cout << "seed " << seed << ", not found: " << name_of(position) << '\n';
    }
  }
  const std::size_t all = kSeeds * tests::kForcedPositions.size();
  std::cout << found << " of " << all << " found\n";
  EXPECT_GE(static_cast<std::size_t>(found) * 5, all * 4);
}

}  // namespace
}  // namespace forkmunk::planning
