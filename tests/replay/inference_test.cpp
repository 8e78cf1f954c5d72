// SPDX-License-Identifier: MIT
#include "carried.h"

#include <forkmunk/base/random.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>
#include <forkmunk/replay/verification.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include <gtest/gtest.h>

namespace forkmunk::replay {
namespace {

using engine::Command;

const std::string kStrict = "strict_build/game04.visio.gz";

TEST(Inference, RecoversEveryCommandOfAGame) {
  const formats::Recording recording = carried(kStrict);
  const Inference inference = infer_commands(recording, engine::Physics::flat);
  EXPECT_EQ(inference.ambiguous_ticks(), 0u);
  EXPECT_EQ(inference.unexplained_ticks(), 0u);
  EXPECT_TRUE(inference.wrong_commands(recording).empty());
  const formats::Recording inferred = with_commands(recording, inference);
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    for (std::size_t t = 0; t < recording.matches[m].ticks.size(); ++t) {
      ASSERT_EQ(inferred.matches[m].ticks[t].commands, recording.matches[m].ticks[t].commands) << m << ' ' << t;
    }
  }
}

TEST(Inference, FindsTheArithmetic) {
  EXPECT_EQ(infer_arithmetic(carried("strict_build/game06.visio.gz")), Arithmetic::strict);
  if (!is_available(Arithmetic::referee)) GTEST_SKIP() << "this build has strict arithmetic only";
  EXPECT_EQ(infer_arithmetic(carried("referee_build/game13.visio.gz")), Arithmetic::referee);
}

TEST(Inference, FindsAWrongCommandInTheFile) {
  formats::Recording recording = carried(kStrict);
  const Inference inference = infer_commands(recording, engine::Physics::flat);
  auto& command = recording.matches[1].ticks[30].commands[1];
  const Command right = *command;
  command = right == Command::left ? Command::right : Command::left;
  const std::vector<WrongCommand> wrong = inference.wrong_commands(recording);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].match, 1u);
  EXPECT_EQ(wrong[0].tick, recording.matches[1].ticks[30].tick_num);
  EXPECT_EQ(wrong[0].player, engine::Player::second);
  EXPECT_EQ(wrong[0].recorded, *command);
  EXPECT_EQ(wrong[0].inferred, right);
}

TEST(Inference, BridgesMissingTicks) {
  const formats::Recording recording = carried(kStrict);
  formats::Recording damaged = recording;
  for (formats::RecordedMatch& match : damaged.matches) {
    match.ticks.erase(match.ticks.begin() + 70, match.ticks.begin() + 72);
    match.ticks.erase(match.ticks.begin() + 20);
  }
  const Inference inference = infer_commands(damaged, engine::Physics::flat);
  EXPECT_EQ(inference.unexplained_ticks(), 0u);
  EXPECT_EQ(inference.ambiguous_ticks(), 0u);
  EXPECT_TRUE(inference.wrong_commands(recording).empty());
}

TEST(Inference, ADamagedNumberCostsOneTick) {
  const formats::Recording recording = carried(kStrict);
  formats::Recording damaged = recording;
  damaged.matches[2].ticks[50].cars[0].front_wheel.position.x += 3;
  const Inference inference = infer_commands(damaged, engine::Physics::flat);
  EXPECT_EQ(inference.unexplained_ticks(), 1u);
  EXPECT_TRUE(inference.wrong_commands(recording).empty());
  const ReplayReport report = replay(with_commands(damaged, inference), engine::Physics::flat);
  EXPECT_EQ(report.mismatching_ticks, 1u);
  ASSERT_TRUE(report.first_mismatch.has_value());
  EXPECT_EQ(report.first_mismatch->value, "cars.1.front.x");
  EXPECT_EQ(report.first_mismatch->match_tick, 50);
}

// Commands show after two ticks.
TEST(Inference, TheLastTwoTicksOfATruncatedRecordingAreAmbiguous) {
  formats::Recording cut = carried(kStrict);
  cut.matches.resize(1);
  cut.matches[0].ticks.resize(60);
  cut.final_lives.reset();
  const Inference inference = infer_commands(cut, engine::Physics::flat);
  EXPECT_EQ(inference.ambiguous_ticks(), 2u);
  Verification found;
  found.inferred = inference.matches;
  EXPECT_EQ(commands_of(cut, found).ambiguous_ticks, (std::vector<std::size_t>{58, 59}));
  EXPECT_EQ(std::popcount(inference.matches[0].fitting[57]), 1);
  EXPECT_EQ(std::popcount(inference.matches[0].fitting[58]), 9);
  EXPECT_EQ(std::popcount(inference.matches[0].fitting[59]), 9);
}

// Without engine and torque all nine pairs of commands lead to equal states.
TEST(Inference, RealTiesAreCounted) {
  formats::Recording recording = carried(kStrict);
  recording.matches.resize(1);
  recording.final_lives.reset();
  formats::RecordedMatch& match = recording.matches[0];
  match.setup.car.torque = 0;
  match.setup.car.max_speed = 0;
  engine::World world;
  world.begin_match(match.setup);
  for (formats::RecordedTick& tick : match.ticks) {
    for (const engine::Player player : engine::kPlayers) {
      const engine::CarState car = world.car(player);
      formats::RecordedCar& recorded = tick.cars[index_of(player)];
      for (std::size_t part = 0; part < 3; ++part) {
        *recorded.parts()[part] = {car.parts()[part]->position, car.parts()[part]->angle};
      }
      recorded.alive = !world.dead(player);
    }
    tick.deadline_position = world.deadline_y();
    world.step({});
  }
  const Inference inference = infer_commands(recording, engine::Physics::flat);
  EXPECT_EQ(inference.unexplained_ticks(), 0u);
  EXPECT_EQ(inference.ambiguous_ticks(), match.ticks.size());
  EXPECT_TRUE(inference.wrong_commands(recording).empty());
}

// The bot closed its input while its car was in the air: the motors keep their rates, and there is no torque.
TEST(Inference, FindsThatAPlayerIsLost) {
  formats::Recording recording = carried(kStrict);
  recording.matches.resize(1);
  recording.final_lives.reset();
  formats::RecordedMatch& match = recording.matches[0];
  match.ticks.clear();
  engine::World world;
  world.begin_match(match.setup);
  while (!world.match_over()) {
    const int tick = world.tick();
    match.ticks.push_back(formats::recorded_tick(world, tick));
    formats::RecordedCommands& commands = match.ticks.back().commands;
    if (world.takes_commands()) commands[1] = tick % 20 < 10 ? Command::left : Command::right;
    if (tick < 12) commands[0] = Command::right;
    world.step(formats::played(commands));
  }
  const Inference inference = infer_commands(recording, engine::Physics::flat);
  EXPECT_EQ(inference.unexplained_ticks(), 0u);
  EXPECT_TRUE(inference.wrong_commands(recording).empty());
  EXPECT_EQ(inference.matches[0].commands[11][0], Command::right);
  EXPECT_EQ(inference.matches[0].commands[12][0], std::nullopt);
  EXPECT_EQ(replay(with_commands(recording, inference), engine::Physics::flat).mismatching_ticks, 0u);
  match.ticks[12].commands[0] = Command::right;
  EXPECT_EQ(inference.wrong_commands(recording).at(0).inferred, std::nullopt);
}

// Every number changes by up to 1e-11.
TEST(Tolerance, FollowsARecordingWithOtherLastBits) {
  const formats::Recording recording = carried(kStrict);
  formats::Recording other = recording;
  Random random(1);
  for (formats::RecordedMatch& match : other.matches) {
    for (formats::RecordedTick& tick : match.ticks) {
      for (formats::RecordedCar& car : tick.cars) {
        for (double* number : {&car.body.position.x, &car.body.position.y, &car.body.angle, &car.rear_wheel.position.x,
                               &car.front_wheel.position.y, &car.front_wheel.angle}) {
          *number += 1e-14 * static_cast<double>(random.below(1000));
        }
      }
    }
  }
  const TolerantReplay followed = replay_tolerantly(other, engine::Physics::flat);
  EXPECT_EQ(followed.unsure_commands(), 0u);
  EXPECT_EQ(followed.resyncs(), 0u);
  EXPECT_TRUE(followed.same_ends());
  EXPECT_GT(followed.max_error(), 0);
  Inference inference;
  for (const TolerantMatch& match : followed.matches) inference.matches.push_back(match.inferred);
  EXPECT_TRUE(inference.wrong_commands(recording).empty());
}

// The other arithmetic diverges chaotically.
TEST(Tolerance, ResynchronisesOnARecordingOfTheOtherArithmetic) {
  for (const std::string name : {"referee_build/game08.visio.gz", "referee_build/game22.visio.gz"}) {
    const formats::Recording recording = carried(name);
    const TolerantReplay followed = replay_tolerantly(recording, engine::Physics::flat);
    const double sure = static_cast<double>(followed.sure_commands());
    EXPECT_GT(sure / static_cast<double>(followed.sure_commands() + followed.unsure_commands()), 0.97) << name;
    EXPECT_GT(followed.resyncs(), 0u) << name;
    EXPECT_TRUE(followed.same_ends()) << name;
    Inference inference;
    for (const TolerantMatch& match : followed.matches) inference.matches.push_back(match.inferred);
    EXPECT_LT(inference.wrong_commands(recording).size(), recording.tick_count() / 50) << name;
  }
}

TEST(Tolerance, ReportsThatAnotherPlayerDies) {
  formats::Recording recording = carried(kStrict);
  std::swap(recording.matches[0].setup.car.button_poly, recording.matches[0].setup.car.body_poly);
  EXPECT_FALSE(replay_tolerantly(recording, engine::Physics::flat).matches[0].same_end());
}

TEST(Tolerance, FlagsBetweenNearDeathsAreNoMismatch) {
  for (const std::size_t later : {2, 3}) {
    formats::Recording recording = carried(kStrict);
    std::vector<formats::RecordedTick>& ticks = recording.matches[0].ticks;
    const auto death =
        std::ranges::find_if(ticks, [](const formats::RecordedTick& tick) { return !*tick.cars[1].alive; });
    for (std::size_t i = 0; i < later; ++i) (death + static_cast<std::ptrdiff_t>(i))->cars[1].alive = true;
    const TolerantReplay followed = replay_tolerantly(recording, engine::Physics::flat);
    EXPECT_EQ(followed.same_ends(), later == 2);
    EXPECT_EQ(followed.wrong_flags(), later == 2 ? 0 : 1);
    EXPECT_EQ(followed.first_mismatch().has_value(), later != 2);
  }
}

// The oldest runner wrote no alive flags.
TEST(Tolerance, DoesNotJudgeDeathsThatALogLacks) {
  const formats::Recording recording = carried(kStrict);
  formats::Recording old = recording;
  for (formats::RecordedMatch& match : old.matches) {
    for (formats::RecordedTick& tick : match.ticks) {
      for (formats::RecordedCar& car : tick.cars) car.alive.reset();
    }
  }
  const TolerantReplay with_flags = replay_tolerantly(recording, engine::Physics::flat);
  const TolerantReplay followed = replay_tolerantly(old, engine::Physics::flat);
  EXPECT_TRUE(followed.same_ends());
  EXPECT_EQ(followed.unsure_commands(), 0u);
  EXPECT_EQ(followed.sure_commands(), with_flags.sure_commands());
  for (std::size_t m = 0; m < followed.matches.size(); ++m) {
    EXPECT_FALSE(followed.matches[m].deaths_recorded);
    EXPECT_TRUE(with_flags.matches[m].deaths_recorded);
    EXPECT_FALSE(followed.matches[m].recorded_death);
    EXPECT_EQ(followed.matches[m].replayed_death, with_flags.matches[m].replayed_death) << m;
  }
}

}  // namespace
}  // namespace forkmunk::replay
