#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/match_outcome.h>
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

/// What is played.
struct GamePlan {
  std::vector<engine::MatchSetup> matches;  ///< At least one; the game may end before the last.
  engine::Physics physics = engine::Physics::flat;
  std::uint64_t seed = 0;  ///< Of the commands that the referee draws for garbled answers.
};

/// How a player behaved.
struct PlayerResult {
  /// One per answer, milliseconds: of a process what it is charged (see Answer), of a builtin what it computed.
  std::vector<double> answer_ms;
  std::size_t garbled_answers = 0;
  bool disconnected = false;
  std::string verdict;  ///< Why it was disconnected.
};

struct GameResult {
  std::vector<formats::MatchOutcome> matches;  ///< Those that were played.
  engine::Lives lives{};                       ///< Left at the end.
  std::int64_t ticks = 0;
  std::optional<engine::Player> winner;  ///< Nobody: a draw.
  std::string verdict;                   ///< Why the game was broken off, as a draw; empty: it was not.
  std::array<PlayerResult, 2> players;
};

/// The recording of a game that is being played, if one is wanted.
struct GameRecord {
  formats::Recording recording;
  std::vector<std::array<std::string, 2>> trace;  ///< What the bots said, by tick.
  std::vector<formats::Thoughts> thoughts;        ///< What they had in mind, by tick.
};

/// Plays a game to its end by the referee's rules. \throws Error for bad matches or a missing arithmetic, before any
/// bot is asked anything.
/// \param record  filled if not null; player_ids are left to the caller.
/// \param progress  called every few ticks with the ticks done; may be empty.
[[nodiscard]] GameResult play_game(const GamePlan& plan, Bot& first, Bot& second, GameRecord* record = nullptr,
                                   const std::function<void(std::int64_t ticks)>& progress = {});

}  // namespace forkmunk::referee
