#include <forkmunk/search/budget.h>
#include <forkmunk/search/time_bank.h>

#include <gtest/gtest.h>

namespace forkmunk::search {
namespace {

using namespace std::chrono_literals;

TEST(Budget, OfTicksIsSpentByCountingThem) {
  Budget budget = Budget::of_ticks(200);
  EXPECT_FALSE(budget.spent());
  budget.count(50);
  EXPECT_DOUBLE_EQ(budget.used(), 0.25);
  EXPECT_TRUE(budget.spent(0.25));
  EXPECT_FALSE(budget.spent(0.5));
  budget.count(150);
  EXPECT_TRUE(budget.spent());
  EXPECT_EQ(budget.ticks_used(), 200);
  EXPECT_TRUE(Budget::of_ticks(0).spent());
}

TEST(Budget, OfTimeIsSpentByTheClock) {
  const Budget budget = Budget::of_time(1ms);
  const auto end = Budget::Clock::now() + 1ms;
  while (Budget::Clock::now() < end) EXPECT_GE(budget.used(), 0);
  EXPECT_TRUE(budget.spent());
  EXPECT_FALSE(Budget::of_time(1h).spent(0.01));
  EXPECT_TRUE(Budget::of_time(0ns).spent());
}

constexpr int kMatches = 9;

// Plays on as long as a game can: 9 matches of 1,300 answers each, every answer as long as allowed and `late` longer.
TimeBank longest_game(TimeBank bank, TimeBank::Duration late) {
  for (int match = 0; match < kMatches; ++match) {
    for (int tick = 0; tick < 1300; ++tick) bank.spend(bank.allowance(kMatches - match, tick) + late);
  }
  return bank;
}

TEST(TimeBank, LastsForTheLongestGame) {
  EXPECT_GT(longest_game(TimeBank(120s), 0ns).left(), 0s);
  EXPECT_GT(longest_game(TimeBank(120s, 6ms), 0ns).left(), 0s);
  EXPECT_GT(longest_game(TimeBank(120s, 50ms), 0ns).left(), 0s);
  EXPECT_GT(longest_game(TimeBank(120s), 500us).left(), 0s);
}

TEST(TimeBank, IsUsedInAGameOfCommonLength) {
  TimeBank bank(120s);
  for (int match = 0; match < kMatches; ++match) {
    for (int tick = 0; tick < 500; ++tick) bank.spend(bank.allowance(kMatches - match, tick));
  }
  EXPECT_LT(bank.left(), 60s) << "most of the time is left over";
}

TEST(TimeBank, SteadyKeepsTheMeanWhenAnswersAreLate) {
  TimeBank bank(120s, 6ms);
  TimeBank::Duration total{0};
  constexpr int kAnswers = 1000;
  for (int tick = 0; tick < kAnswers; ++tick) {
    const TimeBank::Duration taken = bank.allowance(kMatches, tick) + (tick % 10 == 0 ? 7ms : 0ms);
    total += taken;
    bank.spend(taken);
  }
  EXPECT_LE(total / kAnswers, 6ms);
  EXPECT_GE(total / kAnswers, 5ms) << "time is given away";
}

TEST(TimeBank, AStopOfSecondsIsTakenFromTheBankAndForgiven) {
  TimeBank bank(120s, 6ms);
  bank.spend(3s);
  EXPECT_LT(bank.left(), 117s);
  for (int tick = 0; tick < 100; ++tick) {
    const auto allowed = bank.allowance(kMatches, tick);
    EXPECT_GT(allowed, 2ms);
    bank.spend(allowed);
  }
  EXPECT_GT(bank.allowance(kMatches, 100), 5ms);
}

TEST(TimeBank, AnEmptyBankStillAnswers) {
  TimeBank bank(120s);
  bank.spend(130s);
  EXPECT_GT(bank.allowance(kMatches, 0), 0ns);
  EXPECT_LT(bank.allowance(kMatches, 0), 1ms);
}

}  // namespace
}  // namespace forkmunk::search
