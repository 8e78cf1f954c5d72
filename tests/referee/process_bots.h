// SPDX-License-Identifier: MIT
#pragma once

#include "support/scenes.h"

#include <forkmunk/referee/process_bot.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace forkmunk::referee {

using engine::Command;
using engine::Player;
using Clock = std::chrono::steady_clock;
using Kind = Answer::Kind;
using Kinds = std::vector<Kind>;

inline constexpr double kShortSeconds = 0.3;

inline std::string bot(const std::string& mode_and_argument) {
  return "exec " FORKMUNK_MISBEHAVING_BOT " " + mode_and_argument;
}

inline BotLimits answer_limit(double seconds) {
  BotLimits limits;
  limits.answer_time = Seconds(seconds);
  return limits;
}

inline BotLimits short_limits() { return answer_limit(kShortSeconds); }

/// Includes a start on a busy machine.
inline BotLimits first_answer_limits() { return answer_limit(2); }

/// With sanitizers an honest bot starts slowly.
inline BotLimits patient_limits() { return answer_limit(20); }

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline std::size_t open_descriptors() {
  const std::filesystem::directory_iterator folder("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(folder, {}));
}

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The world is not stepped.
class Round {
 public:
  Round() { world_.begin_match(tests::scene_of("PillMap", "Buggy").setup); }

  /// Players that are gone are not asked.
  std::array<std::vector<Answer>, 2> play(std::array<ProcessBot*, 2> bots, int ticks) {
    std::array<std::vector<Answer>, 2> answers;
    const auto connected = [&](Player player) {
      const auto& given = answers[index_of(player)];
      return given.empty() || given.back().kind == Kind::command || given.back().kind == Kind::garbled;
    };
    const auto for_connected = [&](auto&& act) {
      for (const Player player : engine::kPlayers) {
        if (connected(player)) act(player, *bots[index_of(player)]);
      }
    };
    for_connected([&](Player player, ProcessBot& bot) { bot.begin_match(world_, player, {5, 4}); });
    for (int tick = 0; tick < ticks; ++tick) {
      std::array<ProcessBot*, 2> asked{};
      for_connected([&](Player player, ProcessBot& bot) {
        bot.send_tick(world_);
        asked[index_of(player)] = &bot;
      });
      ProcessBot::await_answers(asked[0], asked[1]);
      for_connected([&](Player player, ProcessBot& bot) { answers[index_of(player)].push_back(bot.answer(world_)); });
      world_.step({});
    }
    return answers;
  }

  Answer ask(Bot& bot) {
    bot.begin_match(world_, Player::first, {5, 5});
    bot.send_tick(world_);
    return bot.answer(world_);
  }

 private:
  engine::World world_;
};

class ProcessBots : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    EXPECT_EQ(open_descriptors(), descriptors_before_);
  }

  std::vector<Answer> play(const std::string& command_line, int ticks, const BotLimits& limits = patient_limits()) {
    ProcessBot honest(bot("honest"), patient_limits());
    ProcessBot other(command_line, limits);
    const auto answers = round_.play({&honest, &other}, ticks);
    EXPECT_EQ(answers[0].size(), static_cast<std::size_t>(ticks));
    for (std::size_t tick = 0; tick < answers[0].size(); ++tick) {
      EXPECT_EQ(answers[0][tick].kind, Kind::command);
      EXPECT_EQ(answers[0][tick].debug, "1 " + std::to_string(tick + 1));
    }
    waited_ = 0;
    for (const Answer& answer : answers[1]) waited_ += answer.charged.value_or(Seconds(0)).count();
    const auto start = Clock::now();
    honest.end_game();
    other.end_game();
    EXPECT_LT(seconds_since(start), 60) << "the referee waited for the end of a bot";
    return answers[1];
  }

  static Kinds kinds(const std::vector<Answer>& answers) {
    Kinds result;
    for (const Answer& answer : answers) result.push_back(answer.kind);
    return result;
  }

  /// The bot answers all of `ticks` but the last.
  void expect_lost(const std::string& command_line, Kind kind, int ticks, std::string_view verdict,
                   const BotLimits& limits = patient_limits()) {
    const std::vector<Answer> answers = play(command_line, 6, limits);
    ASSERT_EQ(answers.size(), static_cast<std::size_t>(ticks)) << command_line;
    EXPECT_EQ(answers.back().kind, kind) << command_line;
    EXPECT_TRUE(contains(answers.back().verdict, verdict)) << command_line << ": " << answers.back().verdict;
  }

  Round round_;
  double waited_ = 0;  // seconds of the last play()

 private:
  std::size_t descriptors_before_ = open_descriptors();
};

}  // namespace forkmunk::referee
