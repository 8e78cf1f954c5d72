#include "positions.h"
#include "search_signatures.h"

#include <forkmunk/search/planner.h>

#include <cinttypes>
#include <cstdio>

#include <gtest/gtest.h>

namespace forkmunk::search {
namespace {

/// 64-bit FNV-1a, a byte at a time.
class Fnv {
 public:
  void add(std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8) hash_ = (hash_ ^ (value & 0xff)) * 0x100000001b3u;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// Searches all positions, three ticks each.
tests::SearchSignature signature_of(std::string_view planner_name) {
  tests::SearchSignature signature{planner_name, 0, 0};
  Fnv plans;
  for (tests::SearchPosition& position : tests::search_positions()) {
    PlannerOptions options;
    options.seed = 1;
    const auto planner = make_planner(planner_name, options);
    planner->begin_match(position.world, engine::Player::first);
    for (int i = 0; i < 3; ++i) {
      Budget budget = Budget::of_ticks(1200);
      const Decision decision = planner->decide(position.world, engine::Command::stop, budget);
      signature.ticks += decision.ticks;
      for (int tick = 0; tick < decision.plan.ticks(); ++tick) {
        plans.add(static_cast<std::uint64_t>(decision.plan.at(tick)));
      }
      position.world.step({decision.command, engine::Command::stop});
    }
  }
  signature.plans = plans.value();
  return signature;
}

TEST(SearchSignature, IsWhatItWas) {
  std::vector<tests::SearchSignature> found;
  bool same = tests::kSearchSignatures.size() == planners().size();
  for (const PlannerInfo& planner : planners()) {
    found.push_back(signature_of(planner.name));
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
  ADD_FAILURE() << "The search has changed. If that is meant, search_signatures.h wants:\n" << text;
}

}  // namespace
}  // namespace forkmunk::search
