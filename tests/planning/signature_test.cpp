// SPDX-License-Identifier: MIT
#include "signature.h"

#include "golden_scores.h"

#include <algorithm>
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
  EXPECT_EQ(tests::kGoldenScores.size(), evaluators().size());
  for (const EvaluatorInfo& evaluator : evaluators()) {
    const tests::GoldenScores found = tests::scores_of(evaluator.name);
    const auto* const expected =
        std::ranges::find(tests::kGoldenScores, evaluator.name, &tests::GoldenScores::evaluator);
    EXPECT_TRUE(expected != tests::kGoldenScores.end() && expected->scores == found.scores)
        << "The scores have changed. If that is intended, paste into golden_scores.h:\n    {\"" << evaluator.name
        << "\", " << std::hex << std::showbase << found.scores << "},";
  }
}

}  // namespace
}  // namespace forkmunk::planning
