// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/io/recording_writer.h>
#include <forkmunk/referee/bot.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// The contest's referee between two bots.
namespace forkmunk::referee {

struct GamePlan {
  std::vector<engine::MatchSetup> matches;  ///< One match or more. The game may end before the last.
  engine::Physics physics = engine::Physics::flat;
  std::uint64_t seed = 0;  ///< The seed of the random commands for garbled answers.
};

struct PlayerResult {
  /// The time of each answer in milliseconds: the charged time of a process, the computing time of a builtin.
  std::vector<double> answer_ms;
  std::size_t garbled_answers = 0;
  std::size_t answers_without_plan = 0;  ///< Answers whose debug text begins with formats::kNoPlan.
  /// The lines that a process wrote beyond one for each tick. Such a bot lags behind: each answer counts for a later
  /// tick.
  std::size_t surplus_lines = 0;
  bool disconnected = false;
  std::string verdict;  ///< The reason of the disconnection.

  /// Returns whether the bot failed at its first answer: it does not exist or does not speak the protocol.
  [[nodiscard]] bool failed_at_once() const noexcept { return disconnected && answer_ms.size() <= 1; }
};

struct GameResult {
  std::vector<formats::MatchOutcome> matches;
  engine::Lives lives{};  ///< The lives left at the end.
  std::int64_t ticks = 0;
  std::optional<engine::Player> winner;  ///< nullopt for a draw.
  /// The reason why the game was aborted, as a draw; empty if it was not aborted.
  std::string verdict;
  std::array<PlayerResult, 2> players;
};

/// The recording of a game during play, if requested.
struct GameRecord {
  formats::Recording recording;
  std::vector<std::array<std::string, 2>> trace;  ///< The bots' debug texts, by tick.
  std::vector<formats::SearchTraces> search_traces;
};

/// Plays a game to its end by the referee's rules. \throws Error for invalid matches or an arithmetic that this build
/// lacks, before any bot receives a message. \param record  receives the recording unless null; the caller sets
/// player_ids. \param progress  unless empty, is called every few ticks with the number of ticks done.
[[nodiscard]] GameResult play_game(const GamePlan& plan, Bot& first, Bot& second, GameRecord* record = nullptr,
                                   const std::function<void(std::int64_t ticks)>& progress = {});

}  // namespace forkmunk::referee
