// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/vec2.h>
#include <forkmunk/engine/world.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// A recorded game: the state that the contest's referee logged at every tick. engine::index_of(player) indexes pairs.
/// Numbers may be physically impossible.
namespace forkmunk::formats {

/// The position of a body's origin (map units) and its angle (radians, not wrapped).
struct RecordedBody {
  engine::Vec2 position;
  double angle = 0;
  friend bool operator==(const RecordedBody&, const RecordedBody&) = default;
};

struct RecordedCar {
  RecordedBody body;
  RecordedBody rear_wheel;
  RecordedBody front_wheel;
  int side = 1;               ///< 1 if the car faces right, -1 if it is mirrored.
  std::optional<bool> alive;  ///< nullopt in the oldest logs, which have no such flag.

  /// Returns the body, the rear wheel and the front wheel.
  [[nodiscard]] constexpr std::array<RecordedBody*, 3> parts() & noexcept { return {&body, &rear_wheel, &front_wheel}; }
  [[nodiscard]] constexpr std::array<const RecordedBody*, 3> parts() const& noexcept {
    return {&body, &rear_wheel, &front_wheel};
  }
  void parts() const&& = delete;  // the pointers would point into a temporary
  friend bool operator==(const RecordedCar&, const RecordedCar&) = default;
};

/// nullopt for a player at rest or disconnected, and in a file without the command.
using RecordedCommands = std::array<std::optional<engine::Command>, 2>;

/// Returns the commands to step a world with.
[[nodiscard]] constexpr engine::Commands played(const RecordedCommands& commands) noexcept {
  return {commands[0].value_or(engine::Command::none), commands[1].value_or(engine::Command::none)};
}

/// A tick's state, and the commands applied after it. At most 184 bytes.
struct RecordedTick {
  /// Counts from 0 over the whole game, so that missing and duplicate ticks are visible.
  std::int64_t tick_num = 0;
  std::array<RecordedCar, 2> cars;
  double deadline_position = 0;  ///< The y of the deadline's body, map units.
  RecordedCommands commands;
  friend bool operator==(const RecordedTick&, const RecordedTick&) = default;
};

struct RecordedMatch {
  engine::MatchSetup setup;  ///< engine::validate() accepts it.
  engine::Lives lives{};     ///< Before the match.
  std::vector<RecordedTick> ticks;

  /// The oldest runner wrote no flags. Cost: linear in the ticks without flags.
  [[nodiscard]] bool has_alive_flags() const noexcept;
  friend bool operator==(const RecordedMatch&, const RecordedMatch&) = default;
};

struct Recording {
  std::array<std::string, 2> player_ids;  ///< The ids of `config`, with numbers as text.
  std::vector<RecordedMatch> matches;
  bool has_commands = false;  ///< Whether the file has a non-empty list of commands.
  /// The file's commands by tick_num, if their number is not that of the ticks: some may be of missing ticks. Otherwise
  /// empty.
  std::vector<RecordedCommands> commands_by_tick_num;
  std::optional<engine::Lives> final_lives;  ///< `end_game`'s; nullopt if the file ends earlier.

  /// Returns whether the game was recorded to its end. If not, the last match may be truncated.
  [[nodiscard]] bool ended() const noexcept { return final_lives.has_value(); }
  [[nodiscard]] std::size_t tick_count() const noexcept;

  friend bool operator==(const Recording&, const Recording&) = default;
};

/// engine::index_of(player) indexes pairs.
struct MatchOutcome {
  int ticks = 0;  ///< Includes the rest ticks after the match's end.
  std::array<bool, 2> died{};
  std::array<engine::DeathCause, 2> cause{};  ///< none if unknown.
};

/// The search behind an answer of a builtin planner, for viewers.
struct SearchTrace {
  /// An evaluator term of the state at the tick.
  struct Term {
    std::string name;
    double value = 0;
  };
  std::optional<double> score;  ///< nullopt if time ran out before a plan was tried.
  std::int64_t ticks = 0;       ///< Simulated for the decision.
  std::string plan;             ///< Run lengths, e.g. "R5 L12 S3".
  std::vector<Term> terms;      ///< The same names in the same order in all ticks of a game.
  /// The predicted path of the car's centre, with a point every few ticks.
  std::vector<engine::Vec2> path;
  /// The other car's predicted path; may be empty.
  std::vector<engine::Vec2> enemy_path;
};

/// By player; null if the bot has no trace.
using SearchTraces = std::array<std::shared_ptr<const SearchTrace>, 2>;

}  // namespace forkmunk::formats
