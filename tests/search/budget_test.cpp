// SPDX-License-Identifier: MIT
#include <forkmunk/search/budget.h>

#include <limits>

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
  Budget::Clock::time_point time{1s};
  const Budget::Now now = [&time] { return time; };
  const Budget budget = Budget::of_time(1ms, &now);
  time += 999us;
  EXPECT_DOUBLE_EQ(budget.used(), 0.999);
  EXPECT_DOUBLE_EQ(budget.seconds(), 0.000999);
  EXPECT_FALSE(budget.spent());
  time += 1us;
  EXPECT_TRUE(budget.spent());
  EXPECT_FALSE(Budget::of_time(1h).spent(0.5)) << "by the steady clock";
  EXPECT_TRUE(Budget::of_time(0ns).spent());
}

TEST(Budget, ExcludedTimeIsNotSpent) {
  Budget::Clock::time_point time{1s};
  const Budget::Now now = [&time] { return time; };
  Budget budget = Budget::of_time(1s, &now);
  time += 750ms;
  budget.exclude(250ms);
  EXPECT_DOUBLE_EQ(budget.used(), 0.5);
  budget.exclude(1h);
  EXPECT_EQ(budget.used(), 0);
}

TEST(Budget, TheWholeOfTheLargestIsNotSpent) {
  volatile double whole = 1;
  EXPECT_FALSE(Budget::of_ticks(std::numeric_limits<std::int64_t>::max()).first(whole).spent());
  EXPECT_FALSE(Budget::of_time(std::chrono::nanoseconds::max()).first(whole).spent());
}

}  // namespace
}  // namespace forkmunk::search
