// SPDX-License-Identifier: MIT
#include <forkmunk/referee/statistics.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace forkmunk::referee::statistics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// chessprogramming.org, "Match Statistics"; odds of 10:1 are 400 by definition.
TEST(StatisticsElo, AgreesWithTheTables) {
  EXPECT_EQ(elo_from_score(0.5), 0);
  EXPECT_NEAR(elo_from_score(0.75), 190.85, 5e-3);
  EXPECT_NEAR(elo_from_score(0.64), 99.95, 5e-3);
  EXPECT_NEAR(elo_from_score(0.25), -190.85, 5e-3);
  EXPECT_NEAR(elo_from_score(10.0 / 11), 400, 1e-9);
  EXPECT_DOUBLE_EQ(score_from_elo(400), 10.0 / 11);
  EXPECT_NEAR(score_from_elo(100), 0.640065, 5e-7);
  EXPECT_NEAR(score_from_elo(-200), 0.240253, 5e-7);
}

TEST(StatisticsElo, ScoreAndEloAreInverse) {
  for (double elo = -1000; elo <= 1000; elo += 12.5) EXPECT_NEAR(elo_from_score(score_from_elo(elo)), elo, 1e-9);
}

TEST(StatisticsElo, IsInfiniteAtTheEnds) {
  EXPECT_EQ(elo_from_score(0), -kInfinity);
  EXPECT_EQ(elo_from_score(1), kInfinity);
  EXPECT_EQ(score_from_elo(-kInfinity), 0);
  EXPECT_EQ(score_from_elo(kInfinity), 1);
}

// Wilson's lower end of the score is n / (n + z^2), which is 400 * log10(10 / 3.841459) = 166.20 as Elo.
TEST(StatisticsElo, TenToNothingHasAFiniteLowerEnd) {
  const EloDifference won = elo_of(score_of(Record{.wins = 10}).value());
  EXPECT_EQ(won.value, kInfinity);
  EXPECT_NEAR(won.interval.low, 166.20, 5e-3);
  EXPECT_EQ(won.interval.high, kInfinity);
  const EloDifference lost = elo_of(score_of(Record{.losses = 10}).value());
  EXPECT_EQ(lost.value, -kInfinity);
  EXPECT_EQ(lost.interval.low, -kInfinity);
  EXPECT_NEAR(lost.interval.high, -166.20, 5e-3);
}

TEST(StatisticsElo, IntervalIsThatOfTheScore) {
  const Score score = score_of(Record{.wins = 60, .draws = 20, .losses = 20}).value();
  const EloDifference elo = elo_of(score);
  EXPECT_NEAR(elo.value, 147.19, 5e-3);  // 400 * log10(70 / 30)
  EXPECT_DOUBLE_EQ(elo.interval.low, elo_from_score(score.interval.low));
  EXPECT_DOUBLE_EQ(elo.interval.high, elo_from_score(score.interval.high));
}

}  // namespace
}  // namespace forkmunk::referee::statistics
