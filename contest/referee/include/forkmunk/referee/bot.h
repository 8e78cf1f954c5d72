// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace forkmunk::referee {

using Seconds = std::chrono::duration<double>;

/// A bot's answer to a tick, or the reason why there is none.
struct Answer {
  enum class Kind : std::uint8_t {
    command,     ///< A valid command.
    garbled,     ///< No valid command, or invalid JSON: the referee draws a random command.
    gone,        ///< Failed: the command is stop, and the bot is disconnected for the rest of the game.
    unwritable,  ///< The tick could not be sent: disconnected, without a command.
  };
  Kind kind = Kind::command;
  engine::Command command = engine::Command::stop;
  std::string debug;    ///< Its debug text, truncated to kDebugCharactersMax characters.
  std::string verdict;  ///< Of gone and unwritable: the reason, for users.
  std::shared_ptr<const formats::SearchTrace> search_trace = nullptr;  ///< Of a builtin planner, if requested.
  /// Time charged to a process, from sending the tick to the arrival of the answer or the failure. nullopt for
  /// builtins: the referee measures the call of answer().
  std::optional<Seconds> charged = std::nullopt;
};

/// A player of a game: a process or a builtin. The referee calls begin_match() once per match; then, at every tick
/// except rest ticks, send_tick() for both bots before answer() for either.
///
/// No bot is charged for the other's time. Processes run in parallel from their send_tick() on, each with a clock of
/// its own, and the referee waits for both before it calls answer() of either; builtins then compute one after the
/// other.
///
/// Thread: one at a time. A builtin may read the world, but must not step it.
class Bot {
 public:
  Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;
  virtual ~Bot() = default;

  /// `world` is at the match's first tick. \param lives  before the match, by index_of(player).
  virtual void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) = 0;
  /// Sends the tick without waiting.
  virtual void send_tick(const engine::World& world) = 0;
  /// The answer to the last send_tick(); called once per tick.
  [[nodiscard]] virtual Answer answer(const engine::World& world) = 0;
  /// Ends the game: closes the bot's input.
  virtual void end_game() {}
};

}  // namespace forkmunk::referee
