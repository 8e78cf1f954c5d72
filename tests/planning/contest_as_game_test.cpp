// SPDX-License-Identifier: MIT
#include "contest.h"
#include "support/scenes.h"

#include <forkmunk/planning/planner.h>
#include <forkmunk/search/game.h>

#include <utility>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using namespace search;
using engine::Player;
using engine::World;

/// The contest as a user's world.
struct ContestAsGame {
  using State = engine::Snapshot;
  static constexpr std::size_t kCommandCount = 3;
  World* world;
  const Evaluator* evaluator;
  int root = 0;

  void save(State& to) const { world->save(to); }
  void restore(const State& from) { world->restore(from); }
  void step(GameCommand first, GameCommand second) {
    world->step({engine::kCommands[first], engine::kCommands[second]});
  }
  [[nodiscard]] bool is_over() const { return !world->takes_commands(); }
  [[nodiscard]] double outcome(Side side) const {
    const bool mine = world->dead(player_of(side)), theirs = world->dead(player_of(opponent_of(side)));
    return mine && theirs ? -0.02 : mine ? -1 : 1;
  }
  [[nodiscard]] double score(Side side) const {
    return evaluator->evaluate(*world, player_of(side), world->tick() - root);
  }
};

TEST(GamePlanner, PlaysTheContestAsItsOwnPlannersDo) {
  using Planned = std::pair<const char*, OpponentModel>;
  for (const auto& [name, opponent] :
       {Planned{"stretched", OpponentModel::robust}, Planned{"stretched", OpponentModel::planned},
        Planned{"coarse", OpponentModel::planned}}) {
    World world(engine::Physics::chipmunk);  // plays one plan at a time
    world.begin_match(tests::all_scenes().front().setup);
    PlannerOptions options;
    options.seed = 5;
    options.evaluator = "normalised";
    options.opponent = opponent;
    const auto planner = make_planner(name, options);
    planner->begin_match(world, Player::second);
    const auto evaluator = make_evaluator("normalised");
    evaluator->begin_match(world.setup());
    ContestAsGame contest{&world, evaluator.get()};
    GameOf<ContestAsGame> game(contest);
    GamePlanner general(game, Side::second, name, options);
    for (int tick = 0; tick < 25; ++tick) {
      contest.root = world.tick();
      const int ticks = tick % 8 < 4 ? 500 : 1000;  // robust plays several replies in 1000
      Budget budget = Budget::of_ticks(ticks), same = Budget::of_ticks(ticks);
      const Decision expected = planner->decide(world, engine::Command::left, budget);
      const GameDecision found = general.decide(0, same);
      ASSERT_EQ(found.score, expected.score) << name << " at tick " << tick;
      ASSERT_EQ(found.ticks, expected.ticks);
      for (int i = 0; i < expected.plan.ticks(); ++i) {
        ASSERT_EQ(engine::kCommands[found.plan.at(i)], expected.plan.at(i)) << name << " at tick " << tick;
      }
      world.step({engine::Command::left, expected.command});
    }
  }
}

}  // namespace
}  // namespace forkmunk::planning
