// SPDX-License-Identifier: MIT
// prove_strict_math compares any number of arguments.

#include <gtest/gtest.h>

#ifdef FORKMUNK_HAS_MUSL

#include "compare.h"

namespace {

namespace test = forkmunk::strict_math::test;

class AgainstMusl : public testing::TestWithParam<std::string_view> {};

TEST_P(AgainstMusl, EdgesHaveItsBits) {
  const test::Comparison result = test::compare_edges(GetParam());
  EXPECT_GT(result.compared, 100u);
  EXPECT_EQ(result.different, 0u) << result.first_difference;
}

TEST_P(AgainstMusl, RandomArgumentsHaveItsBits) {
  const test::Comparison result = test::compare_random(GetParam(), 2'000'000, 1);
  EXPECT_EQ(result.compared, 2'000'000u);
  EXPECT_EQ(result.different, 0u) << result.first_difference;
}

INSTANTIATE_TEST_SUITE_P(StrictMath, AgainstMusl, testing::ValuesIn(test::kFunctions),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace

#else

TEST(AgainstMusl, HasItsBits) {
  GTEST_SKIP() << "no musl for x86-64 on this machine: install Debian's musl-dev and configure again";
}

#endif
