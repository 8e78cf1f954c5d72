// SPDX-License-Identifier: MIT
#include "referee/statistics/random_games.h"

#include <forkmunk/referee/statistics.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace forkmunk::referee::statistics {
namespace {

// A. Wald, 1945: log(0.95 / 0.05) = log(19) = 2.944439.
TEST(StatisticsSprt, BoundsAreWalds) {
  const SprtBounds bounds = sprt_bounds({});
  EXPECT_NEAR(bounds.lower, -2.944439, 5e-7);
  EXPECT_NEAR(bounds.upper, 2.944439, 5e-7);
  // log(0.2 / 0.9) = -1.504077; log(0.8 / 0.1) = 2.079442.
  const SprtBounds uneven = sprt_bounds({.alpha = 0.1, .beta = 0.2});
  EXPECT_NEAR(uneven.lower, -1.504077, 5e-7);
  EXPECT_NEAR(uneven.upper, 2.079442, 5e-7);
}

TEST(StatisticsSprt, DecidesAtTheBounds) {
  EXPECT_EQ(sprt_decision(-2.95, {}), SprtDecision::accept_h0);
  EXPECT_EQ(sprt_decision(-2.94, {}), SprtDecision::undecided);
  EXPECT_EQ(sprt_decision(0, {}), SprtDecision::undecided);
  EXPECT_EQ(sprt_decision(2.94, {}), SprtDecision::undecided);
  EXPECT_EQ(sprt_decision(2.95, {}), SprtDecision::accept_h1);
}

TEST(StatisticsSprt, RefusesOptionsThatMakeNoTest) {
  EXPECT_TRUE(is_valid({}));
  EXPECT_TRUE(is_valid({.elo0 = -4000, .elo1 = 4000, .alpha = 0.5, .beta = 0.4}));
  EXPECT_FALSE(is_valid({.elo0 = 5, .elo1 = 5}));
  EXPECT_FALSE(is_valid({.elo0 = 5, .elo1 = 0}));
  EXPECT_FALSE(is_valid({.elo0 = -4001, .elo1 = 0}));
  EXPECT_FALSE(is_valid({.elo0 = 0, .elo1 = 4001}));
  EXPECT_FALSE(is_valid({.alpha = 0}));
  EXPECT_FALSE(is_valid({.beta = 0}));
  EXPECT_FALSE(is_valid({.alpha = 0.5, .beta = 0.5}));
  EXPECT_FALSE(is_valid({.elo1 = std::numeric_limits<double>::quiet_NaN()}));
}

// Under H0 (s0 = 0.5) the terms n * d / (1 + d) with d = -0.5, -0.25, 0, 0.25, 0.5 are -10, -5, 0, 5, 10, so x = 1
// solves the equation, and p_i(s0) = n_i / (100 * (1 + d_i)) = 0.2. With s1 = 0.625 = mean, x = 0 and p_i(s1) = n_i /
// 100. The ratio is 10 log(1/2) + 15 log(3/4) + 20 log(1) + 25 log(5/4) + 30 log(3/2) = 6.495839.
TEST(StatisticsSprt, RatioOfPairsAgreesWithAComputationByHand) {
  const SprtOptions options{.elo0 = 0, .elo1 = elo_from_score(0.625)};
  EXPECT_NEAR(log_likelihood_ratio(PairRecord{{10, 15, 20, 25, 30}}, options), 6.495839, 1e-6);
}

// Wald's test of a proportion: wins * log(s1 / s0) + losses * log((1 - s1) / (1 - s0)) = 60 log(1.2) + 40 log(0.8) =
// 2.013551. The 0.001 for missing draws changes the last digits only.
TEST(StatisticsSprt, RatioWithoutDrawsIsWalds) {
  const SprtOptions options{.elo0 = 0, .elo1 = elo_from_score(0.6)};
  EXPECT_NEAR(log_likelihood_ratio(PairRecord{{40, 0, 0, 0, 60}}, options), 2.013551, 2e-3);
}

// M. Van den Bergh, "A practical introduction to the GSPRT": n / 2 * (s1 - s0) * (2 * mean - s0 - s1) / variance.
TEST(StatisticsSprt, RatioApproachesTheNormalApproximation) {
  const SprtOptions options{.elo0 = 0, .elo1 = 5};
  const PairRecord record{{2280, 80020, 179190, 83980, 2530}};
  const Score score = score_of(record).value();
  const double s0 = 0.5;
  const double s1 = score_from_elo(5);
  const double approximation =
      (s1 - s0) * (2 * score.value - s0 - s1) / (2 * score.standard_error * score.standard_error);
  EXPECT_NEAR(log_likelihood_ratio(record, options), approximation, 1e-3 * std::abs(approximation));
}

TEST(StatisticsSprt, ExchangingBotsAndHypothesesTurnsTheSign) {
  const double one = log_likelihood_ratio(PairRecord{{1, 4, 9, 2, 3}}, {.elo0 = -3, .elo1 = 8});
  const double other = log_likelihood_ratio(PairRecord{{3, 2, 9, 4, 1}}, {.elo0 = -8, .elo1 = 3});
  EXPECT_NEAR(one, -other, 1e-12);
  EXPECT_NE(one, 0);
}

TEST(StatisticsSprt, WithoutGamesTheRatioIsZero) { EXPECT_EQ(log_likelihood_ratio(PairRecord{}, {}), 0); }

// A won pair weighs log(s1 / s0) = 0.1334 at 50 Elo, so 23 pairs end the test.
TEST(StatisticsSprt, EqualResultsNeitherExplodeNorStall) {
  const SprtOptions options{.elo0 = 0, .elo1 = 50};
  const double weight = std::log(score_from_elo(50) / 0.5);
  for (const std::uint64_t pairs : {1u, 2u, 10u, 22u, 23u, 1'000'000u}) {
    const double llr = log_likelihood_ratio(PairRecord{{0, 0, 0, 0, pairs}}, options);
    EXPECT_NEAR(llr, static_cast<double>(pairs) * weight, 1e-3) << pairs;
    EXPECT_EQ(sprt_decision(llr, options), pairs < 23 ? SprtDecision::undecided : SprtDecision::accept_h1) << pairs;
    EXPECT_LT(log_likelihood_ratio(PairRecord{{pairs, 0, 0, 0, 0}}, options), 0) << pairs;
  }
  const double draws = log_likelihood_ratio(PairRecord{{0, 0, 1000, 0, 0}}, options);
  EXPECT_EQ(sprt_decision(draws, options), SprtDecision::accept_h0);
}

/// Counts how many of 400 tests at true strength `elo` accept `decision`.
int tests_that_end_in(SprtDecision decision, double elo) {
  const SprtOptions options{.elo0 = 0, .elo1 = 100};
  Random random(20240229);
  int count = 0;
  for (int test = 0; test < 400; ++test) {
    PairRecord record;
    SprtDecision now = SprtDecision::undecided;
    while (now == SprtDecision::undecided) {
      const double score = score_from_elo(elo);
      record.add(random.game(score, 0.3), random.game(score, 0.3));
      now = sprt_decision(log_likelihood_ratio(record, options), options);
    }
    if (now == decision) ++count;
  }
  return count;
}

// 5 % of 400 are 20 (standard deviation 4.4); the excess over the bounds lowers the number.
TEST(StatisticsSprt, ErrsAsOftenAsItPromises) {
  EXPECT_LE(tests_that_end_in(SprtDecision::accept_h1, 0), 30);
  EXPECT_LE(tests_that_end_in(SprtDecision::accept_h0, 100), 30);
  EXPECT_GE(tests_that_end_in(SprtDecision::accept_h1, 200), 399);
}

}  // namespace
}  // namespace forkmunk::referee::statistics
