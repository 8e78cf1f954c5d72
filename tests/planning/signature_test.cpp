// SPDX-License-Identifier: MIT
#include "signature.h"

#include "golden_scores.h"

#include <cinttypes>
#include <cstdio>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using namespace search;

TEST(SearchSignature, IsWhatItWas) {
  std::vector<tests::SearchSignature> found;
  bool same = tests::kSearchSignatures.size() == planners().size();
  for (const PlannerInfo& planner : planners()) {
    found.push_back(tests::signature_of(planner.name));
    same = same && found.back() == tests::kSearchSignatures[found.size() - 1];
  }
  if (same) return;
  std::string text;
  for (const tests::SearchSignature& signature : found) {
    std::array<char, 100> line;
    (void)std::snprintf(line.data(), line.size(), "    {\"%s\", %" PRId64 ", 0x%016" PRIx64 "},\n",
                        signature.planner.data(), signature.ticks, signature.plans);
    text += line.data();
  }
  ADD_FAILURE() << "The search has changed. If that is intended, paste into search_signatures.h:\n" << text;
}

TEST(SearchScores, AreWhatTheyWere) {
  ASSERT_EQ(tests::kGoldenScores.size(), evaluators().size());
  for (const tests::GoldenScores& expected : tests::kGoldenScores) {
    const tests::GoldenScores found = tests::scores_of(expected.evaluator);
    EXPECT_EQ(found.scores, expected.scores) << expected.evaluator << std::hex << std::showbase << ' ' << found.scores;
  }
}

}  // namespace
}  // namespace forkmunk::planning
