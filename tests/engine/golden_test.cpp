// SPDX-License-Identifier: MIT
#include "engine/golden_states.h"

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

using tests::all_scenes;
using tests::Scene;

class Golden : public testing::TestWithParam<Physics> {};

TEST_P(Golden, StatesAreTheOnesOnRecord) {
  const Arithmetic arithmetic = arithmetic_of(GetParam());
  if (!is_available(arithmetic)) GTEST_SKIP() << "this build has no " << to_string(arithmetic) << " arithmetic";
  const auto& golden = arithmetic == Arithmetic::strict ? tests::kGoldenStrict : tests::kGoldenReferee;
  ASSERT_EQ(golden.size(), all_scenes().size());
  bool equal = true;
  std::string lines;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const Scene& scene = all_scenes()[i];
    const auto found = tests::golden_states_of(scene, GetParam());
    equal = equal && found == golden[i].hashes;
    lines += tests::golden_line(scene, found);
  }
  EXPECT_TRUE(equal) << "The physics changed. If that is meant, paste into tests/engine/golden_hashes.h ("
                     << to_string(arithmetic) << "):\n"
                     << lines;
}

// Both engines share the strict table.
INSTANTIATE_TEST_SUITE_P(AllPhysics, Golden,
                         testing::Values(Physics::chipmunk, Physics::flat, Physics::chipmunk_fast_math),
                         [](const auto& instance) { return tests::name_of(instance.param); });

}  // namespace
}  // namespace forkmunk::engine
