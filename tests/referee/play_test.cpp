// SPDX-License-Identifier: MIT
#include "support/playback_bot.h"
#include "support/recordings.h"
#include "support/scenes.h"

#include <forkmunk/engine/game.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/io/recording_writer.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/replay.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace forkmunk::referee {
namespace {

using engine::Command;
using engine::Player;

struct RecordedGame {
  std::filesystem::path path;
  Arithmetic arithmetic;
};

std::vector<RecordedGame> recorded_games() {
  std::vector<RecordedGame> games;
  for (const std::filesystem::path& path : tests::all_recorded()) {
    const bool referee = path.string().find("referee_build") != std::string::npos;
    const Arithmetic arithmetic = referee ? Arithmetic::referee : Arithmetic::strict;
    if (is_available(arithmetic)) games.push_back({path, arithmetic});
  }
  return games;
}

void play_again(const RecordedGame& game) {
  const formats::Recording recording = io::read_recording(game.path);
  if (!recording.has_commands) return;
  GamePlan plan;
  plan.physics = engine::fastest_physics(game.arithmetic);
  for (const formats::RecordedMatch& match : recording.matches) plan.matches.push_back(match.setup);
  // Lives count the drawn matches, which may exceed the played ones.
  while (engine::starting_lives(plan.matches.size()) < recording.matches[0].lives[0])
    plan.matches.push_back(plan.matches[0]);
  tests::PlaybackBot first(recording, Player::first);
  tests::PlaybackBot second(recording, Player::second);
  GameRecord record;
  const GameResult result = play_game(plan, first, second, &record);
  record.recording.player_ids = recording.player_ids;
  EXPECT_EQ(result.lives, *recording.final_lives) << game.path;
  EXPECT_EQ(result.matches.size(), recording.matches.size()) << game.path;
  ASSERT_EQ(record.recording.tick_count(), recording.tick_count()) << game.path;
  EXPECT_TRUE(record.recording == recording) << game.path;
}

TEST(Play, TheRefereeIsTheReferee) {
  for (const RecordedGame& game : recorded_games()) play_again(game);
}

GamePlan plan_of(std::size_t match_count, Arithmetic arithmetic) {
  GamePlan plan;
  plan.physics = engine::fastest_physics(arithmetic);
  for (std::size_t i = 0; i < match_count; ++i) plan.matches.push_back(tests::all_scenes()[(i * 7) % 18].setup);
  return plan;
}

TEST(Play, ARecordedGameVerifiesWithAndWithoutItsCommands) {
  for (const Arithmetic arithmetic : tests::available_arithmetics()) {
    const auto first = make_bot("builtin:runs", 1, {});
    const auto second = make_bot("builtin:level", 2, {});
    GameRecord record;
    const GameResult result = play_game(plan_of(9, arithmetic), *first, *second, &record);
    EXPECT_GE(result.matches.size(), 5u);

    const formats::Recording read = io::parse_recording(io::to_json_text(record.recording), "played");
    EXPECT_TRUE(read == record.recording);
    EXPECT_EQ(replay::detect_arithmetic(read), arithmetic);
    EXPECT_EQ(replay::replay(read, engine::fastest_physics(arithmetic)).mismatching_ticks, 0u);
    const replay::Inference inference = replay::infer_commands(read, engine::fastest_physics(arithmetic));
    EXPECT_TRUE(inference.wrong_commands(read).empty());
    EXPECT_EQ(
        replay::replay(replay::with_commands(read, inference), engine::fastest_physics(arithmetic)).mismatching_ticks,
        0u);
  }
}

TEST(Play, TheSameSeedGivesTheSameBytes) {
  const auto bytes = [](std::uint64_t seed) {
    const auto first = make_bot("builtin:random", seed, {});
    const auto second = make_bot("builtin:chase", seed, {});
    GameRecord record;
    (void)play_game(plan_of(3, Arithmetic::strict), *first, *second, &record);
    record.recording.player_ids = {"one", "quoted \" \\ \n"};
    record.recording.match_names = {"PillMap,Buggy"};
    const auto path = std::filesystem::temp_directory_path() / ("forkmunk_play_" + std::to_string(getpid()) + ".gz");
    io::write_recording(path, record.recording, {record.extras.trace});
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    const formats::Recording read = io::parse_recording(text, "bytes");
    EXPECT_EQ(read.player_ids, record.recording.player_ids);
    EXPECT_EQ(read.match_names, record.recording.match_names);
    return text;
  };
  EXPECT_EQ(bytes(1), bytes(1));
  EXPECT_NE(bytes(1), bytes(2));
  EXPECT_THROW(io::write_recording("/nonexistent/x.gz", {}), Error);
}

TEST(Play, CausesAreTheFirstContactOfTheDeadlyStep) {
  // On IslandMap only the deadline can touch a still car.
  GamePlan plan;
  plan.matches = {tests::scene_of("IslandMap", "Buggy").setup};
  const auto first = make_bot("builtin:hold", 0, {});
  const auto second = make_bot("builtin:hold", 0, {});
  const GameResult result = play_game(plan, *first, *second);
  ASSERT_EQ(result.matches.size(), 1u);
  EXPECT_TRUE(result.matches[0].died[0] || result.matches[0].died[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto expected = result.matches[0].died[i] ? engine::DeathCause::deadline : engine::DeathCause::none;
    EXPECT_EQ(result.matches[0].cause[i], expected);
  }
  EXPECT_GT(result.matches[0].ticks, engine::kTicksToDeadline);
}

class ListBot final : public Bot {
 public:
  explicit ListBot(std::deque<Answer> answers) : answers_(std::move(answers)) {}
  void begin_match(const engine::World&, Player, const engine::Lives&) override { ++matches; }
  void send_tick(const engine::World&) override { ++received; }
  Answer answer(const engine::World&) override {
    if (answers_.size() == 1) return answers_.front();
    const Answer next = answers_.front();
    answers_.pop_front();
    return next;
  }
  int received = 0;
  int matches = 0;

 private:
  std::deque<Answer> answers_;
};

TEST(Play, ABotThatIsGoneStopsOnceAndIsNeverAskedAgain) {
  for (const auto kind : {Answer::Kind::gone, Answer::Kind::unwritable}) {
    ListBot lost({{Answer::Kind::command, Command::right, "hello", {}},
                  {Answer::Kind::garbled, Command::stop, {}, {}},
                  {kind, Command::stop, {}, "why"}});
    const auto other = make_bot("builtin:chase", 0, {});
    GameRecord record;
    const GameResult result = play_game(plan_of(3, Arithmetic::strict), lost, *other, &record);
    EXPECT_EQ(lost.received, 3);
    EXPECT_EQ(lost.matches, 1);
    EXPECT_TRUE(result.players[0].disconnected);
    EXPECT_EQ(result.players[0].verdict, "why");
    EXPECT_EQ(result.players[0].garbled_answers, 1u);
    EXPECT_EQ(result.players[0].answer_ms.size(), 3u);
    EXPECT_FALSE(result.players[1].disconnected);
    const auto& ticks = record.recording.matches[0].ticks;
    EXPECT_EQ(ticks[0].commands[0], Command::right);
    EXPECT_TRUE(ticks[1].commands[0].has_value()) << "a garbled answer becomes a random command";
    const std::optional<Command> last = kind == Answer::Kind::gone ? std::optional(Command::stop) : std::nullopt;
    EXPECT_EQ(ticks[2].commands[0], last);
    EXPECT_EQ(ticks[3].commands[0], std::nullopt);
    EXPECT_TRUE(ticks[3].commands[1].has_value()) << "the other continues";
    EXPECT_EQ(record.extras.trace[0][0], "hello");
    EXPECT_EQ(replay::replay(record.recording, engine::Physics::flat).mismatching_ticks, 0u);
  }
}

TEST(Play, ScriptedBotsAreKnownByName) {
  EXPECT_EQ(scripted_bots().size(), 8u);
  for (const ScriptedBotInfo& info : scripted_bots()) EXPECT_NE(info.make(1), nullptr);
}

TEST(Play, RunsHoldACommandFor5To40Ticks) {
  const auto bot = make_bot("builtin:runs", 9, {});
  engine::World world;
  world.begin_match(tests::scene_of("PillMap", "Buggy").setup);
  bot->begin_match(world, Player::first, {1, 1});
  std::vector<int> runs;
  Command last = bot->answer(world).command;
  int length = 1;
  for (int i = 0; i < 5000; ++i) {
    const Command command = bot->answer(world).command;
    if (command == last) {
      ++length;
    } else {
      runs.push_back(length);
      length = 1;
      last = command;
    }
  }
  EXPECT_GT(runs.size(), 100u);
  EXPECT_GE(*std::ranges::min_element(runs), 5);
}

}  // namespace
}  // namespace forkmunk::referee
