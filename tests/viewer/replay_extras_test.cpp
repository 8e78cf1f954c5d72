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

const formats::RecordedTick& tick_at(const formats::Recording& recording, std::size_t index, std::size_t& match) {
  for (match = 0; index >= recording.matches[match].ticks.size(); ++match)
    index -= recording.matches[match].ticks.size();
  return recording.matches[match].ticks[index];
}

TEST(ReplayExtras, CarriesTheRecordedStatesOfAGameInTheRefereesArithmetic) {
  if (!is_available(Arithmetic::referee)) GTEST_SKIP() << "this build has strict arithmetic only";
  const formats::Recording recording = carried("referee_build/game16");
  const ReplayExtras extras = replay_extras(recording);
  ASSERT_EQ(extras.verdict->arithmetic, Arithmetic::referee);
  ASSERT_EQ(extras.verdict->mismatching_ticks, 0u);
  std::size_t expected = 0;
  for (const auto& match : recording.matches) expected += (match.ticks.size() + kCarriedTicks - 1) / kCarriedTicks;
  ASSERT_EQ(extras.states.size(), expected);
  for (const auto& [index, bytes] : extras.states) {
    std::size_t match = 0;
    const formats::RecordedTick& tick = tick_at(recording, index, match);
    std::istringstream in(bytes);
    engine::World world;
    world.begin_match(recording.matches[match].setup);
    world.restore(engine::Snapshot::read(in, world));
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
  EXPECT_EQ(extras.verdict->mismatching_ticks > 0, true);
  EXPECT_TRUE(extras.states.empty());
  EXPECT_EQ(extras.causes.size(), recording.matches.size());
}

}  // namespace
}  // namespace forkmunk::reports
