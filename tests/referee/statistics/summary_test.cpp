// SPDX-License-Identifier: MIT
#include <forkmunk/referee/statistics.h>

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::referee::statistics {
namespace {

/// Returns size, size - 1, ..., 1.
std::vector<double> countdown(int size) {
  std::vector<double> values(static_cast<std::size_t>(size));
  std::iota(values.rbegin(), values.rend(), 1.0);
  return values;
}

TEST(StatisticsSummary, NothingOfNothing) { EXPECT_FALSE(summary_of({})); }

TEST(StatisticsSummary, OfOneValueIsThatValue) {
  const Summary summary = summary_of({2.5}).value();
  EXPECT_EQ(summary.mean, 2.5);
  EXPECT_EQ(summary.p99, 2.5);
  EXPECT_EQ(summary.max, 2.5);
}

// The rank is ceil(0.99 * n), from 1.
TEST(StatisticsSummary, TakesTheNearestRank) {
  struct Case {
    int size, rank;
  };
  for (const auto [size, rank] : {Case{2, 2}, Case{99, 99}, Case{100, 99}, Case{101, 100}, Case{199, 198},
                                  Case{200, 198}, Case{1000, 990}, Case{1001, 991}}) {
    const Summary summary = summary_of(countdown(size)).value();
    EXPECT_EQ(summary.mean, (size + 1) / 2.0) << size;
    EXPECT_EQ(summary.p99, rank) << size;
    EXPECT_EQ(summary.max, size) << size;
  }
}

}  // namespace
}  // namespace forkmunk::referee::statistics
