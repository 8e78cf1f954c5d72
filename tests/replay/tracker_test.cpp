// SPDX-License-Identifier: MIT
#include "carried.h"
#include "fit.h"
#include "support/scenes.h"

#include <forkmunk/io/message_lines.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>
#include <forkmunk/replay/tracker.h>

#include <deque>
#include <filesystem>

#include <gtest/gtest.h>

namespace forkmunk::replay {
namespace {

using engine::Command;
using engine::Player;

constexpr int kGoodMessages = 5;

// Each recording has the arithmetic in which it is exact.
std::vector<std::pair<std::string, Arithmetic>> games() {
  std::vector<std::pair<std::string, Arithmetic>> result{{"strict_build/game04.visio.gz", Arithmetic::strict},
                                                         {"strict_build/game09.visio.gz", Arithmetic::strict}};
  if (is_available(Arithmetic::referee)) {
    result.emplace_back("referee_build/game08.visio.gz", Arithmetic::referee);
    result.emplace_back("referee_build/game22.visio.gz", Arithmetic::referee);
  }
  return result;
}

void receive_line(Tracker& tracker, const std::string& line) {
  try {
    std::visit([&](const auto& message) { tracker.receive(message); }, io::parse_message(line));
  } catch (const Error&) {}
}

TEST(Tracker, EqualsTheReplayInEveryGameFromBothSeats) {
  for (const auto& [name, arithmetic] : games()) {
    const TrackerReport report = check_tracker(carried(name), engine::fastest_physics(arithmetic));
    EXPECT_GT(report.message_count, 500u);
    EXPECT_EQ(report.wrong(), 0u) << name << ": settled " << report.wrong_settled << ", candidates "
                                  << report.wrong_candidates << ", worlds " << report.wrong_worlds << ", commands "
                                  << report.wrong_commands << ", starts " << report.wrong_starts << ", problems "
                                  << report.problem_count;
  }
}

// Without a command the motors keep their rates.
TEST(Tracker, EqualsTheReplayInTheSeatOfAPlayerWhoDoesNotAnswer) {
  formats::Recording recording = carried("strict_build/game09.visio.gz");
  std::size_t left_out = 0;
  for (formats::RecordedMatch& match : recording.matches) {
    std::optional<Command> last;
    for (formats::RecordedTick& tick : match.ticks) {
      std::optional<Command>& command = tick.commands[0];
      if (std::exchange(last, command) == Command::stop && command == Command::stop) {
        command.reset();
        ++left_out;
      }
    }
  }
  EXPECT_GT(left_out, 100u);
  EXPECT_EQ(replay(recording, engine::Physics::flat).mismatching_ticks, 0u);
  EXPECT_EQ(check_tracker(recording, engine::Physics::flat).wrong(), 0u);
}

/// Sends a match's lines with errors.
class Mishaps {
 public:
  Mishaps(Tracker& tracker, Player me, std::uint64_t seed, std::uint32_t per_thousand)
      : tracker_(tracker), me_(me), random_(seed), per_thousand_(per_thousand) {}

  void play(const formats::RecordedMatch& match) {
    send(io::to_line(formats::message_for(me_, match)));
    for (std::size_t i = 0; i < match.ticks.size(); ++i) {
      const formats::RecordedTick& tick = match.ticks[i];
      if (tick.cars[0].alive == false || tick.cars[1].alive == false) break;
      const std::string line = io::to_line(formats::message_for(me_, tick));
      if (random_.below(1000) >= per_thousand_) {
        deliver(tick, line);
        continue;
      }
      since_mishap_ = 0;
      ++mishaps;
      switch (random_.below(6)) {
        case 0:
          deliver(tick, line);
          send(line);
          break;
        case 1: break;
        case 2: send(line.substr(0, random_.below(line.size()))); break;
        case 3:
          if (i + 1 < match.ticks.size()) send(io::to_line(formats::message_for(me_, match.ticks[++i])));
          send(line);
          break;
        case 4: send("42 \xff not JSON"); break;
        default: i += random_.below(8); break;
      }
      since_mishap_ = 0;
    }
  }

  int mishaps = 0;
  int checks = 0;
  int exact = 0;

 private:
  void send(const std::string& line) { receive_line(tracker_, line); }

  void deliver(const formats::RecordedTick& tick, const std::string& line) {
    send(line);
    if (const auto own = tick.commands[index_of(me_)]) tracker_.answered(*own);
    if (++since_mishap_ < kGoodMessages) return;
    ++checks;
    exact += tracker_.status() == Tracker::Status::exact ? 1 : 0;
    ASSERT_TRUE(tracker_.status() == Tracker::Status::exact || tracker_.status() == Tracker::Status::following ||
                tracker_.status() == Tracker::Status::approximate)
        << "tick " << tick.tick_num << ": " << tracker_.problem();
    ASSERT_LE(fit_of(tracker_.world(), tick.cars).error(), kToleranceDefault)
        << "tick " << tick.tick_num << ": " << tracker_.problem();
  }

  Tracker& tracker_;
  Player me_;
  Random random_;
  std::uint32_t per_thousand_;
  int since_mishap_ = 0;
};

// After more than two dropped messages the tracker only follows approximately.
TEST(Tracker, FitsAgainAfterFiveGoodMessages) {
  int mishaps = 0;
  int checks = 0;
  int exact = 0;
  for (const auto& [name, arithmetic] : games()) {
    const formats::Recording recording = carried(name);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Tracker tracker(engine::fastest_physics(arithmetic));
      Mishaps player(tracker, seed % 2 == 0 ? Player::first : Player::second, seed, seed % 3 == 0 ? 100 : 25);
      for (const formats::RecordedMatch& match : recording.matches) {
        player.play(match);
        if (HasFatalFailure()) FAIL() << name << " seed " << seed;
      }
      mishaps += player.mishaps;
      checks += player.checks;
      exact += player.exact;
      EXPECT_GT(tracker.problem_count(), 0u);
    }
  }
  EXPECT_GT(mishaps, 500);
  EXPECT_GT(checks, 5000);
  EXPECT_GT(exact, checks / 3);
}

// A tick moves resting cars by less than last bits; the deadline shows it.
TEST(Tracker, IsExactAfterADroppedMessageWhileBothCarsRest) {
  const formats::Recording recording = carried("strict_build/game04.visio.gz");
  int at_rest = 0;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const formats::RecordedMatch& match = recording.matches[m];
    engine::World truth;
    truth.begin_match(match.setup);
    Tracker tracker(engine::Physics::flat);
    tracker.receive(formats::message_for(Player::first, match));
    while (truth.takes_commands()) {
      const engine::CarState before = truth.car(Player::first);
      if (truth.tick() % 50 != 49) {
        tracker.receive(formats::message_for(Player::first, truth));
        tracker.answered(Command::stop);
        ASSERT_EQ(tracker.status(), Tracker::Status::exact) << "match " << m << " at tick " << truth.tick();
        ASSERT_EQ(tracker.tick(), truth.tick());
      }
      truth.step({});
      const auto moved = truth.car(Player::first).body.position - before.body.position;
      at_rest += truth.tick() > 650 && std::abs(moved.x) + std::abs(moved.y) < 1e-4 ? 1 : 0;
    }
  }
  EXPECT_GT(at_rest, 100);
}

TEST(Tracker, ReportsProblems) {
  const formats::Recording recording = carried("strict_build/game04.visio.gz");
  const formats::RecordedMatch& match = recording.matches[4];  // no tick below is in its rest
  Tracker tracker(engine::Physics::flat);
  const auto tick_line = [&](std::size_t i) {
    return io::to_line(formats::message_for(Player::first, match.ticks[i]));
  };

  receive_line(tracker, tick_line(0));
  EXPECT_FALSE(tracker.problem().empty());
  EXPECT_EQ(tracker.status(), Tracker::Status::waiting);

  tracker.receive(formats::message_for(Player::first, match));
  tracker.receive(formats::message_for(Player::first, match));
  EXPECT_NE(tracker.problem().find("new_match"), std::string::npos) << tracker.problem();
  for (std::size_t i = 0; i < 100; ++i) {
    receive_line(tracker, tick_line(i));
    tracker.answered(*match.ticks[i].commands[0]);
    ASSERT_TRUE(tracker.problem().empty()) << tracker.problem();
  }
  receive_line(tracker, tick_line(99));
  EXPECT_FALSE(tracker.problem().empty());
  EXPECT_EQ(tracker.tick(), 99);
  for (const Command second : engine::kCommands) tracker.answered(second);  // the referee takes the first answer
  receive_line(tracker, tick_line(102));
  EXPECT_NE(tracker.problem().find(": 2"), std::string::npos) << tracker.problem();
  EXPECT_EQ(tracker.status(), Tracker::Status::exact) << "explained by dropped messages";
  EXPECT_EQ(tracker.tick(), 102);
  receive_line(tracker, tick_line(50));
  EXPECT_EQ(tracker.status(), Tracker::Status::holding);
  receive_line(tracker, tick_line(103));
  EXPECT_EQ(tracker.status(), Tracker::Status::exact);
  EXPECT_TRUE(tracker.problem().empty());
  for (const std::size_t i : {140u, 141u, 142u}) receive_line(tracker, tick_line(i));
  EXPECT_EQ(tracker.status(), Tracker::Status::approximate);
  EXPECT_LT(fit_of(tracker.world(), match.ticks[142].cars).error(), 1e-3);
  tracker.world().restore(*tracker.settled());
  EXPECT_EQ(fit_of(tracker.world(), match.ticks[141].cars).error(), 0);
}

TEST(Tracker, LosesNothingWhenAMessageIsDropped) {
  const formats::Recording recording = carried("strict_build/game04.visio.gz");
  Tracker tracker(engine::Physics::flat);
  engine::World truth;
  for (const formats::RecordedMatch& match : recording.matches) {
    truth.begin_match(match.setup);
    tracker.receive(formats::message_for(Player::second, match));
    ASSERT_EQ(tracker.world().hash(), truth.hash());
    std::vector<Command> opponent;
    for (const formats::RecordedTick& tick : match.ticks) {
      if (truth.takes_commands()) {
        if (truth.tick() % 40 != 39) {
          tracker.receive(formats::message_for(Player::second, tick));
          tracker.answered(*tick.commands[1]);
        }
        opponent.push_back(*tick.commands[0]);
      }
      truth.step(formats::played(tick.commands));
    }
    const auto known = tracker.opponent_commands();
    ASSERT_GE(known.size() + 4, opponent.size());
    EXPECT_TRUE(std::equal(known.begin(), known.end(), opponent.begin()));
  }
  EXPECT_EQ(tracker.resync_count(), 0u);
}

TEST(Message, LinesReadBackEqual) {
  const formats::Recording recording = carried("strict_build/game09.visio.gz");
  for (const formats::RecordedMatch& match : recording.matches) {
    for (const Player player : engine::kPlayers) {
      const formats::NewMatchMessage message = formats::message_for(player, match);
      EXPECT_EQ(std::get<formats::NewMatchMessage>(io::parse_message(io::to_line(message))), message);
    }
    const formats::TickMessage tick = formats::message_for(Player::second, match.ticks.back());
    EXPECT_EQ(tick.my_car.side, -1);
    EXPECT_EQ(std::get<formats::TickMessage>(io::parse_message(io::to_line(tick))), tick);
  }
}

}  // namespace
}  // namespace forkmunk::replay
