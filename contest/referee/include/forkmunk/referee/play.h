// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
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

namespace forkmunk::referee {

struct GamePlan {
  std::vector<engine::MatchSetup> matches;  ///< At least one. The game may end before the last.
  engine::Physics physics = engine::Physics::flat;
  std::uint64_t seed = 0;  ///< The referee draws commands for garbled answers by this seed.
};

struct PlayerResult {
  /// The charged time of a process, the computing time of a builtin.
  std::vector<double> answer_ms;
  std::size_t garbled_answers = 0;
  std::string first_garbled;             ///< The beginning of its line.
  std::size_t answers_without_plan = 0;  ///< Debug texts that begin with formats::kNoPlan.
  /// The lines of a process beyond one for each tick. Each of its answers then counts for a later tick.
  std::size_t surplus_lines = 0;
  bool disconnected = false;
  std::string verdict;

  /// Returns true if the bot does not exist or does not speak the protocol.
  [[nodiscard]] bool failed_at_once() const noexcept { return disconnected && answer_ms.size() <= 1; }
};

struct GameResult {
  std::vector<formats::MatchOutcome> matches;
  engine::Lives lives{};
  std::int64_t ticks = 0;
  std::optional<engine::Player> winner;  ///< nullopt for a draw.
  /// The reason why the game was aborted, as a draw; otherwise empty.
  std::string verdict;
  std::array<PlayerResult, 2> players;
};

struct GameRecord {
  formats::Recording recording;
  io::RecordingExtras extras;
};

/// Plays a game to its end. \throws Error for invalid matches or an arithmetic that this build lacks, before any bot
/// receives a message. \param record  receives the recording unless null; the caller sets player_ids. \param progress
/// unless empty, is called every few ticks with the number of ticks done.
[[nodiscard]] GameResult play_game(const GamePlan& plan, Bot& first, Bot& second, GameRecord* record = nullptr,
                                   const std::function<void(std::int64_t ticks)>& progress = {});

}  // namespace forkmunk::referee
