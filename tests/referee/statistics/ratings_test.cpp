// SPDX-License-Identifier: MIT
#include "referee/statistics/random_games.h"

#include <forkmunk/referee/statistics.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::referee::statistics {
namespace {

constexpr double kEloPerLogStrength = 400 / std::numbers::ln10;

TEST(StatisticsRatings, OfNoBotAndOfOneBot) {
  EXPECT_TRUE(ratings_of(0, {}).empty());
  const auto alone = ratings_of(1, {});
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].elo, 0);
  EXPECT_EQ(alone[0].standard_error, 0);
}

// With the prior's draw the score is p = 70.5 / 101. The logistic curve gives the difference, with a variance of
// 1 / (n * p * (1 - p)) in log strength; a bot's rating and error are half of it and of its root.
TEST(StatisticsRatings, OfTwoBotsIsTheLogisticElo) {
  const std::array pairings{Pairing{1, 0, {.wins = 60, .draws = 20, .losses = 20}}};
  const auto ratings = ratings_of(2, pairings);
  const double p = 70.5 / 101;
  EXPECT_NEAR(ratings[1].elo - ratings[0].elo, elo_from_score(p), 1e-8);
  EXPECT_NEAR(ratings[0].elo + ratings[1].elo, 0, 1e-9);
  const double error = kEloPerLogStrength / std::sqrt(101 * p * (1 - p)) / 2;
  for (const Rating& rating : ratings) {
    EXPECT_NEAR(rating.standard_error, error, 1e-8);
    EXPECT_NEAR(rating.interval.low, rating.elo - 1.959964 * error, 1e-4);
    EXPECT_NEAR(rating.interval.high, rating.elo + 1.959964 * error, 1e-4);
  }
}

// n = 10.5 games a pair give the information w = n / 4; the pseudoinverse of w * (3 I - J) is (I - J / 3) / (3 w), and
// its diagonal 2 / (9 w).
TEST(StatisticsRatings, OfThreeEqualBotsAreZero) {
  const Record even{.wins = 3, .draws = 4, .losses = 3};
  const std::array pairings{Pairing{0, 1, even}, Pairing{1, 2, even}, Pairing{2, 0, even}};
  const auto ratings = ratings_of(3, pairings);
  ASSERT_EQ(ratings.size(), 3u);
  for (const Rating& rating : ratings) {
    EXPECT_NEAR(rating.elo, 0, 1e-9);
    EXPECT_NEAR(rating.standard_error, kEloPerLogStrength * std::sqrt(2 / (9 * 10.5 / 4)), 1e-9);
  }
}

// Strengths 4 : 2 : 1 explain 2:1, 2:1 and 4:1 exactly.
TEST(StatisticsRatings, FindTheStrengthsThatExplainAll) {
  const std::array pairings{Pairing{0, 1, {.wins = 20, .losses = 10}}, Pairing{2, 1, {.wins = 10, .losses = 20}},
                            Pairing{0, 2, {.wins = 24, .losses = 6}}};
  const auto ratings = ratings_of(3, pairings, 1e-9);
  EXPECT_NEAR(ratings[0].elo, 400 * std::log10(2.0), 1e-6);
  EXPECT_NEAR(ratings[1].elo, 0, 1e-6);
  EXPECT_NEAR(ratings[2].elo, -400 * std::log10(2.0), 1e-6);
}

TEST(StatisticsRatings, AddUpPairingsOfTheSameBots) {
  const std::array together{Pairing{0, 1, {.wins = 5, .draws = 2, .losses = 3}}};
  const std::array apart{Pairing{0, 1, {.wins = 4, .losses = 3}}, Pairing{1, 0, {.draws = 2, .losses = 1}}};
  EXPECT_DOUBLE_EQ(ratings_of(2, together)[0].elo, ratings_of(2, apart)[0].elo);
}

TEST(StatisticsRatings, UndefeatedAndIdleBotsStayFinite) {
  const std::array pairings{Pairing{0, 1, {.wins = 100}}, Pairing{0, 2, {.wins = 100}}};
  const auto ratings = ratings_of(4, pairings);
  for (const Rating& rating : ratings) {
    EXPECT_TRUE(std::isfinite(rating.elo));
    EXPECT_TRUE(std::isfinite(rating.standard_error));
    EXPECT_LT(rating.interval.low, rating.interval.high);
  }
  EXPECT_GT(ratings[0].elo, 400);
  EXPECT_NEAR(ratings[1].elo, ratings[2].elo, 1e-6);
  EXPECT_GT(ratings[3].standard_error, ratings[1].standard_error);
}

// Two groups with few games between them converge slowest.
TEST(StatisticsRatings, ExplainThePointsOfGroupsThatHardlyMet) {
  const std::array pairings{Pairing{0, 1, {.wins = 6000, .losses = 4000}},
                            Pairing{2, 3, {.wins = 7000, .losses = 3000}}, Pairing{1, 2, {.wins = 3, .losses = 1}}};
  const auto ratings = ratings_of(4, pairings, 1e-3);
  EXPECT_NEAR(ratings[0].elo - ratings[1].elo, elo_from_score(0.6), 0.01);
  EXPECT_NEAR(ratings[2].elo - ratings[3].elo, elo_from_score(0.7), 0.01);
  EXPECT_NEAR(ratings[1].elo - ratings[2].elo, elo_from_score(0.75), 0.5);
}

template <std::size_t size>
std::vector<Pairing> round_robin(const std::array<double, size>& elos, int games, double draw_rate, Random& random) {
  std::vector<Pairing> pairings;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      Pairing pairing{i, j, {}};
      for (int game = 0; game < games; ++game) {
        pairing.record.add(random.game(score_from_elo(elos[i] - elos[j]), draw_rate));
      }
      pairings.push_back(pairing);
    }
  }
  return pairings;
}

TEST(StatisticsRatings, ComeCloseToTheTruthWithManyGames) {
  constexpr std::array kElos{-180.0, -90.0, -30.0, 0.0, 100.0, 200.0};
  Random random(7);
  const auto ratings = ratings_of(kElos.size(), round_robin(kElos, 20'000, 0.1, random));
  for (std::size_t i = 0; i < kElos.size(); ++i) {
    EXPECT_LT(ratings[i].standard_error, 1.5) << i;
    EXPECT_NEAR(ratings[i].elo, kElos[i], 4 * ratings[i].standard_error) << i;
  }
}

// 950 of 1000 intervals should hold the truth (standard deviation 7).
TEST(StatisticsRatings, IntervalsHoldTheTruthNineteenTimesInTwenty) {
  constexpr std::array kElos{-150.0, -50.0, 0.0, 75.0, 125.0};
  Random random(11);
  int held = 0;
  for (int tournament = 0; tournament < 200; ++tournament) {
    const auto ratings = ratings_of(kElos.size(), round_robin(kElos, 100, 0, random));
    for (std::size_t i = 0; i < kElos.size(); ++i) {
      if (ratings[i].interval.low <= kElos[i] && kElos[i] <= ratings[i].interval.high) ++held;
    }
  }
  EXPECT_GE(held, 929);
  EXPECT_LE(held, 975);
}

}  // namespace
}  // namespace forkmunk::referee::statistics
