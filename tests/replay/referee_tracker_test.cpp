// SPDX-License-Identifier: MIT
#include "support/recordings.h"
#include "support/scenes.h"

#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/tracker.h>

#include <filesystem>

#include <gtest/gtest.h>

namespace forkmunk::replay {
namespace {

using engine::Player;

/// \return the number of messages with a problem.
std::size_t play(RefereeTracker& tracker, const formats::Recording& recording, Player me, RefereeKind expected) {
  std::size_t problems = 0;
  for (const formats::RecordedMatch& match : recording.matches) {
    tracker.receive(formats::message_for(me, match));
    int count = 0;
    for (const formats::RecordedTick& tick : match.ticks) {
      if (tick.cars[0].alive == false || tick.cars[1].alive == false) break;
      tracker.receive(formats::message_for(me, tick));
      problems += tracker.tracker().problem().empty() ? 0 : 1;
      if (const auto own = tick.commands[index_of(me)]) tracker.answered(*own);
      if (++count >= 3) {
        EXPECT_EQ(tracker.kind(), expected) << "after " << count << " messages";
        EXPECT_EQ(tracker.tracker().status(), Tracker::Status::exact);
        EXPECT_EQ(tracker.tracker().candidate_count(), 3u) << "its own command is known";
      }
    }
  }
  return problems;
}

TEST(RefereeTracker, DetectsItByTheThirdMessageAndStaysExact) {
  for (const auto& [name, arithmetic, kind] :
       {std::tuple{"strict_build/game04.visio.gz", Arithmetic::strict, RefereeKind::strict},
        std::tuple{"referee_build/game08.visio.gz", Arithmetic::referee, RefereeKind::referee}}) {
    if (!is_available(arithmetic)) continue;
    const auto recording = io::read_recording(tests::recorded(name));
    for (const Player me : engine::kPlayers) {
      RefereeTracker tracker;
      EXPECT_EQ(tracker.kind(), RefereeKind::unknown);
      EXPECT_EQ(play(tracker, recording, me, kind), 0u) << name;
      EXPECT_EQ(tracker.tracker().world().physics(), engine::fastest_physics(arithmetic));
    }
  }
}

// Another build has different last bits.
formats::TickMessage nudged(formats::TickMessage message, Random& random) {
  for (formats::RecordedCar* car : {&message.my_car, &message.enemy_car}) {
    for (formats::RecordedBody* body : car->parts()) {
      body->position.x += random.between(-1e-10, 1e-10);
      body->angle += random.between(-1e-12, 1e-12);
    }
  }
  return message;
}

TEST(RefereeTracker, AnotherBuildIsFollowedWithoutResynchronising) {
  Random random(4);
  engine::World truth;
  const tests::Scene& scene = tests::scene_of("PillHillMap", "Bus");
  truth.begin_match(scene.setup);
  RefereeTracker tracker;
  formats::NewMatchMessage match;
  match.setup = scene.setup;
  match.my_lives = match.enemy_lives = 3;
  tracker.receive(match);
  std::vector<engine::Command> given;
  for (const engine::Commands commands : tests::script(12, 400)) {
    if (!truth.takes_commands()) break;
    const formats::TickMessage message = formats::message_for(Player::first, truth);
    tracker.receive(truth.tick() == 0 ? message : nudged(message, random));
    tracker.answered(commands.first);
    given.push_back(commands.second);
    truth.step(commands);
  }
  ASSERT_GT(given.size(), 50u);
  EXPECT_EQ(tracker.kind(), RefereeKind::other);
  const Tracker& followed = tracker.tracker();
  EXPECT_EQ(followed.status(), Tracker::Status::following);
  EXPECT_EQ(followed.resync_count(), 0u);
  EXPECT_LE(followed.problem_count(), 1u);
  ASSERT_EQ(followed.opponent_commands().size(), given.size() - 2);
  std::size_t sure = 0;
  for (std::size_t i = 0; i < followed.opponent_commands().size(); ++i) {
    if (followed.sure()[i] == 0) continue;
    ++sure;
    EXPECT_EQ(followed.opponent_commands()[i], given[i]) << i;
  }
  EXPECT_GT(sure, given.size() * 9 / 10);
}

TEST(RefereeTracker, AGivenArithmeticIsNotDetected) {
  EXPECT_EQ(RefereeTracker(Arithmetic::strict).kind(), RefereeKind::strict);
  if (is_available(Arithmetic::referee)) {
    EXPECT_EQ(RefereeTracker(Arithmetic::referee).kind(), RefereeKind::referee);
  }
}

}  // namespace
}  // namespace forkmunk::replay
