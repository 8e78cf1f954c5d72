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
#include <tuple>
#include <vector>

/// A recorded game: what the contest's referee logged. engine::index_of(player) indexes pairs. Numbers may be
/// physically impossible.
namespace forkmunk::formats {

/// The position of the origin (map units) and the angle (radians, not wrapped).
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
  std::optional<bool> alive;  ///< The oldest logs have none.

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

[[nodiscard]] constexpr engine::Commands played(const RecordedCommands& commands) noexcept {
  return {commands[0].value_or(engine::Command::none), commands[1].value_or(engine::Command::none)};
}

/// The commands are applied after the state. At most 184 bytes.
struct RecordedTick {
  /// Counted over the whole game, so that missing and duplicate ticks are visible.
  std::int64_t tick_num = 0;
  std::array<RecordedCar, 2> cars;
  double deadline_position = 0;  ///< The body's y, map units.
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
  std::array<std::string, 2> player_ids;  ///< `config`'s, with numbers as text.
  std::vector<RecordedMatch> matches;
  bool has_commands = false;  ///< The file has a non-empty list of commands.
  /// The file's commands by tick_num, if there are not as many as ticks: some may be of missing ticks. Otherwise empty.
  std::vector<RecordedCommands> commands_by_tick_num;
  /// The key `matches`: "Map,Car" as drawn, including matches that were not played. Empty if it is no list of texts.
  std::vector<std::string> match_names;
  std::optional<engine::Lives> final_lives;  ///< `end_game`'s; nullopt if the file ends earlier.

  /// If the game was not recorded to its end, the last match may be truncated.
  [[nodiscard]] bool ended() const noexcept { return final_lives.has_value(); }
  [[nodiscard]] std::size_t tick_count() const noexcept;

  /// Ignores match_names, which say nothing of what was played.
  friend bool operator==(const Recording& a, const Recording& b) {
    const auto played = [](const Recording& r) {
      return std::tie(r.player_ids, r.matches, r.has_commands, r.commands_by_tick_num, r.final_lives);
    };
    return played(a) == played(b);
  }
};

struct MatchOutcome {
  int ticks = 0;  ///< Rest ticks after the match's end count.
  std::array<bool, 2> died{};
  std::array<engine::DeathCause, 2> cause{};  ///< none if unknown.
};

/// The search behind a builtin planner's answer, for viewers.
struct SearchTrace {
  struct Term {
    std::string name;
    double value = 0;
  };
  std::optional<double> score;  ///< nullopt if time ran out before a plan was tried.
  std::int64_t ticks = 0;       ///< Simulated ticks.
  std::string plan;             ///< Run lengths, e.g. "R5 L12 S3".
  std::vector<Term> terms;      ///< All ticks of a game have the same names in the same order.
  /// The predicted path of the car's centre, with a point every few ticks.
  std::vector<engine::Vec2> path;
  /// The other car's; may be empty.
  std::vector<engine::Vec2> enemy_path;
};

/// Null if the bot has no trace.
using SearchTraces = std::array<std::shared_ptr<const SearchTrace>, 2>;

}  // namespace forkmunk::formats
