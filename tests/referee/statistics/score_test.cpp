// SPDX-License-Identifier: MIT
#include <forkmunk/referee/statistics.h>

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace forkmunk::referee::statistics {
namespace {

TEST(StatisticsRecord, CountsResults) {
  Record record;
  for (const Result result : {Result::win, Result::win, Result::win, Result::draw, Result::draw, Result::loss}) {
    record.add(result);
  }
  EXPECT_EQ(record, (Record{.wins = 3, .draws = 2, .losses = 1}));
  EXPECT_EQ(record.games(), 6u);
}

TEST(StatisticsRecord, CountsPairsByTheirHalfPoints) {
  PairRecord record;
  record.add(Result::loss, Result::loss);
  record.add(Result::draw, Result::loss);
  record.add(Result::win, Result::loss);
  record.add(Result::draw, Result::draw);
  record.add(Result::draw, Result::win);
  record.add(Result::win, Result::win);
  EXPECT_EQ(record, (PairRecord{{1, 1, 2, 1, 1}}));
  EXPECT_EQ(record.pairs(), 6u);
}

// R. Newcombe, Stat. Med. 17 (1998), table I, method 3.
TEST(StatisticsInterval, WilsonAgreesWithNewcombesTable) {
  struct Case {
    double successes, size, low, high;
  };
  for (const auto& [successes, size, low, high] : {Case{81, 263, 0.2553, 0.3662}, Case{15, 148, 0.0624, 0.1605},
                                                   Case{0, 20, 0.0000, 0.1611}, Case{1, 29, 0.0061, 0.1718}}) {
    const Interval interval = wilson_interval(successes / size, size);
    EXPECT_NEAR(interval.low, low, 5e-5) << successes << " of " << size;
    EXPECT_NEAR(interval.high, high, 5e-5) << successes << " of " << size;
  }
}

// The lower end is 1 / (1 + z^2 / n) = 1 / (1 + 3.841459 / 10) = 0.722467.
TEST(StatisticsInterval, WilsonEndsExactlyInZeroAndOne) {
  const Interval all = wilson_interval(1, 10);
  EXPECT_NEAR(all.low, 0.722467, 1e-6);
  EXPECT_EQ(all.high, 1);
  const Interval none = wilson_interval(0, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - 0.722467, 1e-6);
  for (int size = 1; size <= 1000; ++size) {
    EXPECT_EQ(wilson_interval(0, size).low, 0) << size;
    EXPECT_EQ(wilson_interval(1, size).high, 1) << size;
  }
}

TEST(StatisticsScore, NothingWithoutGames) {
  EXPECT_FALSE(score_of(Record{}));
  EXPECT_FALSE(score_of(PairRecord{}));
}

TEST(StatisticsScore, IsWilsonsWhereNothingWasDrawn) {
  const Score all = score_of(Record{.wins = 10}).value();
  EXPECT_EQ(all.value, 1);
  EXPECT_EQ(all.standard_error, 0);
  EXPECT_NEAR(all.interval.low, 0.7225, 5e-5);
  EXPECT_EQ(all.interval.high, 1);

  const Score some = score_of(Record{.wins = 15, .losses = 35}).value();
  EXPECT_DOUBLE_EQ(some.value, 0.3);
  EXPECT_NEAR(some.interval.low, 0.191, 5e-4);
  EXPECT_NEAR(some.interval.high, 0.438, 5e-4);
}

// m = 2.5 / 4 = 0.625; v = (2 * 0.375^2 + 0.125^2 + 0.625^2) / 4 = 0.171875; sqrt(v / 4) = 0.2072890.
TEST(StatisticsScore, StandardErrorIsThatOfTheTrinomial) {
  const Score score = score_of(Record{.wins = 2, .draws = 1, .losses = 1}).value();
  EXPECT_DOUBLE_EQ(score.value, 0.625);
  EXPECT_NEAR(score.standard_error, 0.2072890, 5e-8);
}

// m = (15 * 0.25 + 20 * 0.5 + 25 * 0.75 + 30) / 100 = 0.625; mean square = (15 * 0.0625 + 20 * 0.25 + 25 * 0.5625 + 30)
// / 100 = 0.5; v = 0.5 - 0.390625 = 0.109375; sqrt(v / 100) = 0.0330719.
TEST(StatisticsScore, StandardErrorOfPairsIsThatOfThePentanomial) {
  const Score score = score_of(PairRecord{{10, 15, 20, 25, 30}}).value();
  EXPECT_DOUBLE_EQ(score.value, 0.625);
  EXPECT_NEAR(score.standard_error, 0.0330719, 5e-8);
}

// Two wins and two losses are added: m = 7 / 14, v = 4 * 0.25 / 14 = 1 / 14, f = (1 / 14) / 0.25 = 2 / 7. Wilson at 0.5
// of 35 has the half width sqrt(z^2 / (35 + z^2)) / 2 = sqrt(3.841459 / 38.841459) / 2 = 0.157243.
TEST(StatisticsScore, TenDrawsAreNotCertainty) {
  const Score score = score_of(Record{.draws = 10}).value();
  EXPECT_EQ(score.standard_error, 0);
  EXPECT_NEAR(score.interval.low, 0.5 - 0.157243, 1e-6);
  EXPECT_NEAR(score.interval.high, 0.5 + 0.157243, 1e-6);
}

TEST(StatisticsScore, PairsSeeThroughASeatThatAlwaysWins) {
  const Score games = score_of(Record{.wins = 200, .losses = 200}).value();
  const Score pairs = score_of(PairRecord{{0, 0, 200, 0, 0}}).value();
  EXPECT_EQ(pairs.value, games.value);
  EXPECT_LT(pairs.interval.high - pairs.interval.low, (games.interval.high - games.interval.low) / 4);
  EXPECT_GT(pairs.interval.high, pairs.interval.low);
}

TEST(StatisticsScore, IntervalBecomesTheNormalOneWithManyGames) {
  const Score score = score_of(Record{.wins = 40'000, .draws = 100'000, .losses = 60'000}).value();
  EXPECT_NEAR(score.interval.low, score.value - kNormalQuantile95 * score.standard_error, 1e-2 * score.standard_error);
  EXPECT_NEAR(score.interval.high, score.value + kNormalQuantile95 * score.standard_error, 1e-2 * score.standard_error);
}

TEST(StatisticsScore, ExchangingTheBotsMirrorsTheInterval) {
  const Score one = score_of(PairRecord{{1, 4, 9, 2, 3}}).value();
  const Score other = score_of(PairRecord{{3, 2, 9, 4, 1}}).value();
  EXPECT_DOUBLE_EQ(one.value, 1 - other.value);
  EXPECT_DOUBLE_EQ(one.interval.low, 1 - other.interval.high);
  EXPECT_DOUBLE_EQ(one.interval.high, 1 - other.interval.low);
}

double log_factorial(std::uint64_t n) { return std::lgamma(static_cast<double>(n) + 1); }

/// Sums the probabilities of all records whose interval holds the true score.
double coverage(std::uint64_t games, double win, double draw) {
  const double loss = 1 - win - draw;
  const double score = win + draw / 2;
  double covered = 0;
  for (std::uint64_t wins = 0; wins <= games; ++wins) {
    for (std::uint64_t draws = 0; wins + draws <= games; ++draws) {
      const Record record{.wins = wins, .draws = draws, .losses = games - wins - draws};
      const Interval interval = score_of(record).value().interval;
      EXPECT_TRUE(0 <= interval.low && interval.low < interval.high && interval.high <= 1) << wins << ' ' << draws;
      if (score < interval.low || score > interval.high) continue;
      covered +=
          std::exp(log_factorial(games) - log_factorial(wins) - log_factorial(draws) - log_factorial(record.losses) +
                   static_cast<double>(wins) * std::log(win) + static_cast<double>(draws) * std::log(draw) +
                   static_cast<double>(record.losses) * std::log(loss));
    }
  }
  return covered;
}

TEST(StatisticsScore, FewGamesKeepAboutNinetyFivePercent) {
  for (const std::uint64_t games : {5u, 10u, 20u, 40u}) {
    for (const double score : {0.5, 0.6, 0.75, 0.9}) {
      for (const double draw_rate : {0.02, 0.1, 0.19}) {
        EXPECT_GT(coverage(games, score - draw_rate / 2, draw_rate), 0.90) << games << ' ' << score << ' ' << draw_rate;
      }
    }
    EXPECT_GT(coverage(games, 0.05, 0.9), 0.90) << games;
    EXPECT_GT(coverage(games, 0.2, 0.6), 0.90) << games;
  }
}

}  // namespace
}  // namespace forkmunk::referee::statistics
