#include "engine/golden_hashes.h"
#include "support/scenes.h"

#include <cinttypes>
#include <cstdio>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

using tests::all_scenes;
using tests::GoldenHash;
using tests::Scene;

constexpr std::uint64_t kScriptSeed = 2018;

// Hashes at ticks 0, 60 and 600 of a scripted match in a fresh world.
std::array<std::uint64_t, 3> hashes_of(const Scene& scene, Physics physics) {
  World world(physics);
  world.begin_match(scene.setup);
  std::array<std::uint64_t, 3> result{world.hash(), 0, 0};
  const std::vector<Commands> commands = tests::script(kScriptSeed, 600);
  for (const Commands& c : commands) {
    world.step(c);
    if (world.tick() == 60) result[1] = world.hash();
  }
  result[2] = world.hash();
  return result;
}

class Golden : public testing::TestWithParam<Physics> {};

TEST_P(Golden, StatesAreTheOnesOnRecord) {
  const Arithmetic arithmetic = GetParam().arithmetic();
  if (!is_available(arithmetic)) GTEST_SKIP() << "this build has no " << to_string(arithmetic) << " arithmetic";
  const auto& golden = arithmetic == Arithmetic::strict ? tests::kGoldenStrict : tests::kGoldenReferee;
  ASSERT_EQ(golden.size(), all_scenes().size());
  bool equal = true;
  std::string lines;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const Scene& scene = all_scenes()[i];
    const auto found = hashes_of(scene, GetParam());
    equal = equal && found == golden[i].hashes;
    char line[160];
    std::snprintf(line, sizeof line, "    {\"%s\", \"%s\", {0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "}},\n",
                  std::string(scene.map).c_str(), std::string(scene.car).c_str(), found[0], found[1], found[2]);
    lines += line;
  }
  EXPECT_TRUE(equal) << "The physics changed. If that is meant, paste into tests/engine/golden_hashes.h ("
                     << to_string(arithmetic) << "):\n"
                     << lines;
}

// In strict arithmetic both engines have one table.
INSTANTIATE_TEST_SUITE_P(AllPhysics, Golden,
                         testing::Values(Physics::chipmunk(), Physics::flat(), Physics::chipmunk(Arithmetic::referee)),
                         [](const auto& instance) { return tests::name_of(instance.param); });

}  // namespace
}  // namespace forkmunk::engine
