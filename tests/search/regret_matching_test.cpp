#include "regret_matching.h"

#include <algorithm>
#include <initializer_list>

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
  // Deaths are 1e5, values some hundreds: both kinds of differences must count.
  const Mixture mixture = match_regrets(game_of({{-100000, 250, 130}, {90, 80, 120}, {95, 85, 121}}), 500);
  EXPECT_GT(mixture.rows[2], 0.9);
  EXPECT_LT(mixture.rows[0], 0.02);
  EXPECT_EQ(mixture.rows[3], 0);
  const Mixture only = match_regrets(game_of({{7}}), 10);
  EXPECT_EQ(only.rows[0], 1);
  EXPECT_EQ(only.value, 7);
}

}  // namespace
}  // namespace forkmunk::search
