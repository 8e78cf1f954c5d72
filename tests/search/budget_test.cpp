#include <forkmunk/search/budget.h>

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

TEST(Budget, ExcludedTimeIsNotSpent) {
  Budget budget = Budget::of_time(1s);
  const auto end = Budget::Clock::now() + 1ms;
  while (Budget::Clock::now() < end) EXPECT_FALSE(budget.spent());
  EXPECT_GE(budget.used(), 0.001);
  budget.exclude(1h);
  EXPECT_EQ(budget.used(), 0);
}

}  // namespace
}  // namespace forkmunk::search
