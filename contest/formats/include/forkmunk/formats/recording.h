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

/// A recorded game as plain data: the state that the contest's referee logged at every tick. Pairs are indexed by
/// engine::index_of(player). The numbers are not checked for physical plausibility.
namespace forkmunk::formats {

/// One rigid body as reported: position of its origin (map units) and angle (radians, not wrapped).
struct RecordedBody {
  engine::Vec2 position;
  double angle = 0;
  friend bool operator==(const RecordedBody&, const RecordedBody&) = default;
};

/// A car's entry in a tick: its body and its two wheels.
struct RecordedCar {
  RecordedBody body;
  RecordedBody rear_wheel;
  RecordedBody front_wheel;
  int side = 1;               ///< 1 facing right, -1 mirrored: the third entry of the state.
  std::optional<bool> alive;  ///< nullopt in the oldest logs, which lack it.

  /// Body, rear wheel, front wheel, for iteration.
  [[nodiscard]] constexpr std::array<RecordedBody*, 3> parts() & noexcept { return {&body, &rear_wheel, &front_wheel}; }
  [[nodiscard]] constexpr std::array<const RecordedBody*, 3> parts() const& noexcept {
    return {&body, &rear_wheel, &front_wheel};
  }
  void parts() const&& = delete;  // they would point into a temporary
  friend bool operator==(const RecordedCar&, const RecordedCar&) = default;
};

/// The commands that the referee applied at a tick: nullopt for a player at rest or disconnected, or if the file lacks
/// them.
using RecordedCommands = std::array<std::optional<engine::Command>, 2>;

/// The commands to step a world with.
[[nodiscard]] constexpr engine::Commands played(const RecordedCommands& commands) noexcept {
  return {commands[0].value_or(engine::Command::none), commands[1].value_or(engine::Command::none)};
}

/// The state logged at a tick, and the commands applied after it. At most 184 bytes.
struct RecordedTick {
  std::int64_t tick_num = 0;  ///< As logged: from 0 over the whole game, so that missing and duplicate ticks show.
  std::array<RecordedCar, 2> cars;
  double deadline_position = 0;  ///< y of the deadline's body, map units.
  RecordedCommands commands;
  friend bool operator==(const RecordedTick&, const RecordedTick&) = default;
};

struct RecordedMatch {
  engine::MatchSetup setup;  ///< Validated by engine::validate().
  engine::Lives lives{};     ///< Before the match.
  std::vector<RecordedTick> ticks;

  /// Whether the ticks have alive flags; those of the oldest runner do not. Cost: linear in the ticks without flags.
  [[nodiscard]] bool has_alive_flags() const noexcept;
  friend bool operator==(const RecordedMatch&, const RecordedMatch&) = default;
};

struct Recording {
  std::array<std::string, 2> player_ids;  ///< From `config`; numbers as text.
  std::vector<RecordedMatch> matches;
  bool has_commands = false;  ///< Whether the file has a non-empty list of commands.
  /// The file's list of commands by tick_num, if its length is not the number of ticks: it may have the commands of
  /// missing ticks. Else empty.
  std::vector<RecordedCommands> commands_by_tick_num;
  std::optional<engine::Lives> final_lives;  ///< From `end_game`; nullopt if the file ends before it.

  /// Whether the game was recorded to its end; otherwise the last match may be truncated anywhere.
  [[nodiscard]] bool ended() const noexcept { return final_lives.has_value(); }
  /// Ticks of all matches. Cost: one addition per match.
  [[nodiscard]] std::size_t tick_count() const noexcept;

  friend bool operator==(const Recording&, const Recording&) = default;
};

/// How a match ended. Pairs are indexed by engine::index_of(player).
struct MatchOutcome {
  int ticks = 0;  ///< Including the rest ticks after the match's end.
  std::array<bool, 2> died{};
  std::array<engine::DeathCause, 2> cause{};  ///< Of a player who died; none if unknown.
};

/// The search behind a builtin planner's answer, for viewers; the referee only stores it.
struct SearchTrace {
  /// An evaluator term of the state at the tick.
  struct Term {
    std::string name;
    double value = 0;  ///< Its contribution to the score.
  };
  std::optional<double> score;     ///< Of the plan; nullopt if time ran out before one was tried.
  std::int64_t ticks = 0;          ///< Simulated for the decision.
  std::string plan;                ///< Run lengths, e.g. "R5 L12 S3".
  std::vector<Term> terms;         ///< The same names in the same order all the game.
  std::vector<engine::Vec2> path;  ///< Predicted path of its car's centre under the plan, a point every few ticks.
  std::vector<engine::Vec2> enemy_path;  ///< Predicted path of the other car under the opponent model; may be empty.
};

/// Both players' search traces at a tick; null if a bot has none.
using SearchTraces = std::array<std::shared_ptr<const SearchTrace>, 2>;

}  // namespace forkmunk::formats
