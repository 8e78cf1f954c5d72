#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/vec2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A recorded game as plain data: what the contest's referee wrote down at every tick. Pairs are indexed by
/// engine::index_of(player). Nothing here says that the numbers are those of a possible game.
namespace forkmunk::formats {

/// One rigid body as reported: where its origin is (map units) and how far it is turned (radians, not wrapped).
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
  std::optional<bool> alive;  ///< Nothing in the oldest logs, which do not tell.

  /// Body, rear wheel, front wheel, for loops.
  [[nodiscard]] constexpr std::array<RecordedBody*, 3> parts() & noexcept { return {&body, &rear_wheel, &front_wheel}; }
  [[nodiscard]] constexpr std::array<const RecordedBody*, 3> parts() const& noexcept {
    return {&body, &rear_wheel, &front_wheel};
  }
  void parts() const&& = delete;  // they would point into a temporary
  friend bool operator==(const RecordedCar&, const RecordedCar&) = default;
};

/// The commands that were taken at a tick: nothing for a player who rests or is disconnected, or if the file does not
/// tell.
using RecordedCommands = std::array<std::optional<engine::Command>, 2>;

/// What a world is stepped with. A player without a command rests, and is not listened to, or is disconnected: its
/// motors stand still, as under stop.
[[nodiscard]] constexpr engine::Commands played(const RecordedCommands& commands) noexcept {
  return {commands[0].value_or(engine::Command::stop), commands[1].value_or(engine::Command::stop)};
}

/// The state that was logged at a tick, and the commands that were taken after it. At most 184 bytes.
struct RecordedTick {
  std::int64_t tick_num = 0;  ///< As written: from 0 over the whole game, so that a gap or a doubled tick shows.
  std::array<RecordedCar, 2> cars;
  double deadline_position = 0;  ///< y of the deadline's body, map units.
  RecordedCommands commands;
  friend bool operator==(const RecordedTick&, const RecordedTick&) = default;
};

struct RecordedMatch {
  engine::MatchSetup setup;  ///< validate() has accepted it.
  engine::Lives lives{};     ///< Before the match.
  std::vector<RecordedTick> ticks;

  /// Whether the ticks say who lives: the oldest runner's do not. Cost: one look at each tick, if they do not.
  [[nodiscard]] bool tells_deaths() const noexcept;
  friend bool operator==(const RecordedMatch&, const RecordedMatch&) = default;
};

struct Recording {
  std::array<std::string, 2> player_ids;  ///< From `config`; numbers as their text.
  std::vector<RecordedMatch> matches;
  bool has_commands = false;  ///< Whether the file has a list of commands that is not empty.
  /// The file's whole list, by tick_num, if it is not as long as there are ticks: ticks that the file lost may have
  /// theirs here. Else empty.
  std::vector<RecordedCommands> commands_by_tick_num;
  std::optional<engine::Lives> final_lives;  ///< From `end_game`; nothing if the file ends before.

  /// Whether the game was recorded to its end: otherwise the last match may be cut off anywhere.
  [[nodiscard]] bool ended() const noexcept { return final_lives.has_value(); }
  /// Of all matches together. Cost: one addition a match.
  [[nodiscard]] std::size_t tick_count() const noexcept;

  friend bool operator==(const Recording&, const Recording&) = default;
};

}  // namespace forkmunk::formats
