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

/// A recorded game as plain data: the state that the contest's referee logged at every tick. engine::index_of(player)
/// indexes pairs. Numbers may be physically impossible.
namespace forkmunk::formats {

/// A rigid body as reported: the position of its origin (map units) and its angle (radians, not wrapped).
struct RecordedBody {
  engine::Vec2 position;
  double angle = 0;
  friend bool operator==(const RecordedBody&, const RecordedBody&) = default;
};

/// The entry of a car in a tick: its body and its two wheels.
struct RecordedCar {
  RecordedBody body;
  RecordedBody rear_wheel;
  RecordedBody front_wheel;
  int side = 1;               ///< 1 if the car faces right, -1 if it is mirrored; the third entry of the state.
  std::optional<bool> alive;  ///< nullopt in the oldest logs, which have no such flag.

  /// Returns the body, the rear wheel and the front wheel.
  [[nodiscard]] constexpr std::array<RecordedBody*, 3> parts() & noexcept { return {&body, &rear_wheel, &front_wheel}; }
  [[nodiscard]] constexpr std::array<const RecordedBody*, 3> parts() const& noexcept {
    return {&body, &rear_wheel, &front_wheel};
  }
  void parts() const&& = delete;  // the pointers would point into a temporary
  friend bool operator==(const RecordedCar&, const RecordedCar&) = default;
};

/// The commands that the referee applied at a tick; nullopt for a player at rest or disconnected, and in a file without
/// the command.
using RecordedCommands = std::array<std::optional<engine::Command>, 2>;

/// Returns the commands to step a world with.
[[nodiscard]] constexpr engine::Commands played(const RecordedCommands& commands) noexcept {
  return {commands[0].value_or(engine::Command::none), commands[1].value_or(engine::Command::none)};
}

/// A tick's state, and the commands applied after it. At most 184 bytes.
struct RecordedTick {
  /// The number counts from 0 over the whole game, so that missing and duplicate ticks are visible.
  std::int64_t tick_num = 0;
  std::array<RecordedCar, 2> cars;
  double deadline_position = 0;  ///< The y of the deadline's body, map units.
  RecordedCommands commands;
  friend bool operator==(const RecordedTick&, const RecordedTick&) = default;
};

struct RecordedMatch {
  engine::MatchSetup setup;  ///< engine::validate() accepts it.
  engine::Lives lives{};     ///< The lives before the match.
  std::vector<RecordedTick> ticks;

  /// Returns whether ticks have alive flags. The oldest runner wrote none. Cost: linear in the ticks without flags.
  [[nodiscard]] bool has_alive_flags() const noexcept;
  friend bool operator==(const RecordedMatch&, const RecordedMatch&) = default;
};

struct Recording {
  std::array<std::string, 2> player_ids;  ///< The ids of `config`, with numbers as text.
  std::vector<RecordedMatch> matches;
  bool has_commands = false;  ///< True if the file has a non-empty list of commands.
  /// The file's commands by tick_num, if their number is not that of the ticks: some may be of missing ticks. Otherwise
  /// empty.
  std::vector<RecordedCommands> commands_by_tick_num;
  std::optional<engine::Lives> final_lives;  ///< The lives of `end_game`; nullopt if the file ends earlier.

  /// Returns whether the game was recorded to its end. If not, the last match may be truncated.
  [[nodiscard]] bool ended() const noexcept { return final_lives.has_value(); }
  /// Returns the number of ticks of all matches. Cost: one addition per match.
  [[nodiscard]] std::size_t tick_count() const noexcept;

  friend bool operator==(const Recording&, const Recording&) = default;
};

/// The outcome of a match. engine::index_of(player) indexes pairs.
struct MatchOutcome {
  int ticks = 0;  ///< The ticks, including the rest ticks after the match's end.
  std::array<bool, 2> died{};
  std::array<engine::DeathCause, 2> cause{};  ///< The cause of a player's death; none if unknown.
};

/// The search behind an answer of a builtin planner, for viewers. The referee only stores it.
struct SearchTrace {
  /// An evaluator term of the state at the tick.
  struct Term {
    std::string name;
    double value = 0;
  };
  std::optional<double> score;  ///< The score of the plan; nullopt if time ran out before one was tried.
  std::int64_t ticks = 0;       ///< The ticks simulated for the decision.
  std::string plan;             ///< The plan as run lengths, e.g. "R5 L12 S3".
  std::vector<Term> terms;      ///< In all ticks of a game, the same names in the same order.
  /// The predicted path of the car's centre under the plan, with a point every few ticks.
  std::vector<engine::Vec2> path;
  /// The predicted path of the other car under the opponent model; may be empty.
  std::vector<engine::Vec2> enemy_path;
};

/// The search traces of both players at a tick. An entry is null if the bot has no trace.
using SearchTraces = std::array<std::shared_ptr<const SearchTrace>, 2>;

}  // namespace forkmunk::formats
