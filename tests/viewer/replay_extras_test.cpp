// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "support/recordings.h"

#include <forkmunk/engine/observation.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/tolerance.h>

#include <sstream>

#include <gtest/gtest.h>

namespace forkmunk::reports {
namespace {

formats::Recording carried(const std::string& name) { return io::read_recording(tests::recorded(name + ".visio.gz")); }

TEST(ReplayExtras, CarriesTheRecordedStatesOfAGameInTheRefereesArithmetic) {
  if (!is_available(Arithmetic::referee)) GTEST_SKIP() << "this build has strict arithmetic only";
  const formats::Recording recording = carried("referee_build/game16");
  const ReplayExtras extras = replay_extras(recording);
  ASSERT_EQ(arithmetic_of(extras.verdict.physics), Arithmetic::referee);
  ASSERT_EQ(extras.verdict.mismatching_ticks(), 0u);
  std::istringstream states(extras.states);
  for (const formats::RecordedMatch& match : recording.matches) {
    engine::World world;
    world.begin_match(match.setup);
    for (std::size_t index = 0; index < match.ticks.size(); index += kCarriedTicks) {
      const formats::RecordedTick& tick = match.ticks[index];
      world.restore(engine::Snapshot::read(states, world));
      std::array<double, engine::kObservationSize> seen{};
      engine::observe(world, seen);
      std::size_t at = 0;
      for (const formats::RecordedCar& car : tick.cars) {
        for (const formats::RecordedBody* body : car.parts()) {
          EXPECT_EQ(seen[at++], body->position.x) << index;
          EXPECT_EQ(seen[at++], body->position.y) << index;
          EXPECT_EQ(seen[at++], body->angle) << index;
        }
      }
      EXPECT_EQ(seen[at], tick.deadline_position) << index;
    }
  }
  EXPECT_EQ(states.peek(), EOF);
}

TEST(ReplayExtras, HasTheResultsOfFollowingTheGame) {
  for (const char* name : {"strict_build/game09", "strict_build/game06"}) {
    const formats::Recording recording = carried(name);
    const ReplayExtras extras = replay_extras(recording);
    EXPECT_TRUE(extras.states.empty()) << "the page has strict arithmetic";
    const auto outcomes = replay::match_outcomes(recording);
    ASSERT_EQ(extras.causes.size(), outcomes.size());
    for (std::size_t m = 0; m < outcomes.size(); ++m)
      EXPECT_EQ(extras.causes[m], outcomes[m].cause) << name << ' ' << m;
    EXPECT_EQ(extras.commands[0].size(), recording.has_commands ? 0 : recording.tick_count());
  }
}

TEST(ReplayExtras, CarriesNothingOfAGameThatDiffers) {
  formats::Recording recording = carried("referee_build/game16");
  recording.matches[1].ticks[30].cars[0].body.angle += 1e-9;
  const ReplayExtras extras = replay_extras(recording);
  EXPECT_GT(extras.verdict.mismatching_ticks(), 0u);
  EXPECT_TRUE(extras.states.empty());
  EXPECT_EQ(extras.causes.size(), recording.matches.size());
}

}  // namespace
}  // namespace forkmunk::reports
