// Simultaneous moves: what regret matching finds, and that the model `mixed` goes on with it.

#include "playouts.h"
#include "regret_matching.h"
#include "support/scenes.h"

#include <forkmunk/search/planner.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::search {
namespace {

MatrixGame game_of(std::initializer_list<std::initializer_list<double>> rows) {
  MatrixGame game{rows.size(), rows.begin()->size()};
  std::size_t r = 0;
  for (const auto& row : rows) std::copy(row.begin(), row.end(), game.payoff[r++].begin());
  return game;
}

TEST(RegretMatching, FindsTheEquilibriumOfKnownGames) {
  constexpr int kTurns = 20000;
  constexpr double kNear = 0.02;
  const Mixture pennies = match_regrets(game_of({{1, -1}, {-1, 1}}), kTurns);
  EXPECT_NEAR(pennies.rows[0], 0.5, kNear);
  EXPECT_NEAR(pennies.columns[0], 0.5, kNear);
  EXPECT_NEAR(pennies.value, 0, kNear);
  const Mixture scissors = match_regrets(game_of({{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}), kTurns);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(scissors.rows[i], 1.0 / 3, kNear);
  // Of [a b; c d] without a saddle point: (d - c) / (a - b - c + d), (d - b) / (...), (ad - bc) / (...).
  const Mixture uneven = match_regrets(game_of({{3, -1}, {-2, 1}}), kTurns);
  EXPECT_NEAR(uneven.rows[0], 3.0 / 7, kNear);
  EXPECT_NEAR(uneven.columns[0], 2.0 / 7, kNear);
  EXPECT_NEAR(uneven.value, 1.0 / 7, kNear);
}

TEST(RegretMatching, LeavesOutWhatIsWorseInAnyCase) {
  // Deaths are 1e5, values some hundreds: both kinds of differences have to be seen.
  const Mixture mixture = match_regrets(game_of({{-100000, 250, 130}, {90, 80, 120}, {95, 85, 121}}), 500);
  EXPECT_GT(mixture.rows[2], 0.9);
  EXPECT_LT(mixture.rows[0], 0.02);
  EXPECT_EQ(mixture.rows[3], 0);
  const Mixture only = match_regrets(game_of({{7}}), 10);
  EXPECT_EQ(only.rows[0], 1);
  EXPECT_EQ(only.value, 7);
}

// Two planners fight, so that what the other one does matters.
TEST(Mixed, TheScoreIsThatOfThePlanAgainstTheReply) {
  const auto evaluator = make_evaluator(PlannerOptions{}.evaluator, default_weights());
  constexpr Scoring kScoring{.horizon = 40, .discount = 0.995};
  int decided = 0, not_the_last = 0;
  for (const std::size_t scene : {0u, 7u, 12u}) {
    engine::World world;
    world.begin_match(tests::all_scenes()[scene].setup);
    PlannerOptions options;
    const auto enemy = make_planner("stretched", options);
    options.opponent = OpponentModel::mixed;
    const auto planner = make_planner("stretched", options);
    planner->begin_match(world, engine::Player::first);
    enemy->begin_match(world, engine::Player::second);
    evaluator->begin_match(world.setup());
    Playouts playouts(*evaluator, {});
    playouts.begin_match(world, playout_states(kScoring));
    std::vector<Candidate> tried;
    engine::Commands commands{engine::Command::stop, engine::Command::stop};
    for (int tick = 0; tick < 150 && world.takes_commands(); ++tick) {
      const bool is_looked_at = tick % 10 == 5;
      planner->watch(is_looked_at ? &tried : nullptr);
      tried.clear();
      Budget budget = Budget::of_ticks(is_looked_at ? 3000 : 300), its_budget = Budget::of_ticks(300);
      const Decision decision = planner->decide(world, commands.second, budget);
      if (is_looked_at) {
        ASSERT_TRUE(decision.score);
        ASSERT_EQ(decision.reply.ticks(), kScoring.horizon);
        Budget more = Budget::of_ticks(1000);
        playouts.begin(world, more);
        playouts.face(engine::Player::first, {&decision.reply, 1}, kScoring);
        Trial trial;
        trial.plan = decision.plan;
        EXPECT_TRUE(playouts.play(trial, nullptr, 0, -std::numeric_limits<double>::infinity()));
        playouts.end();
        EXPECT_EQ(trial.score, *decision.score) << tick;
        // The matrix is what was played last: each of my three plans against each of theirs.
        ASSERT_GT(tried.size(), 9u);
        const auto matrix = std::span(tried).last(9);
        for (const std::size_t row : {0u, 3u, 6u}) {
          EXPECT_TRUE(matrix[row].plan == matrix[row + 1].plan && matrix[row].plan == matrix[row + 2].plan) << tick;
        }
        EXPECT_TRUE(std::ranges::any_of(matrix, [&](const Candidate& one) { return one.plan == decision.plan; }))
            << tick;
        ++decided;
        not_the_last += decision.plan == matrix[8].plan ? 0 : 1;
      }
      commands = {decision.command, enemy->decide(world, commands.first, its_budget).command};
      world.step(commands);
    }
  }
  EXPECT_GT(decided, 20);
  EXPECT_GT(not_the_last, 0) << "the last plan is always taken: then there is no need of a matrix";
}

}  // namespace
}  // namespace forkmunk::search
