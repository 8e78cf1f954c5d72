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

/// A bot's answer to a tick, or the reason for its lack.
struct Answer {
  enum class Kind : std::uint8_t {
    command,
    /// Invalid JSON, or no valid command. The referee draws a random command.
    garbled,
    /// The bot failed. Its command is stop, and it is disconnected for the rest of the game.
    gone,
    unwritable,  ///< The tick could not be sent. The bot is disconnected, without a command.
  };
  Kind kind = Kind::command;
  engine::Command command = engine::Command::stop;
  std::string debug;    ///< At most kDebugCharactersMax characters.
  std::string verdict;  ///< For users: the reason of gone and unwritable, the beginning of a garbled line.
  /// A builtin planner's trace, if requested.
  std::shared_ptr<const formats::SearchTrace> search_trace = nullptr;
  /// The time from sending the tick to a process until its answer or failure; nullopt for builtins.
  std::optional<Seconds> charged = std::nullopt;
};

/// A player of a game: a process or a builtin. The referee calls begin_match() once per match. At every tick except
/// rest ticks it calls send_tick() of both bots, and then answer() of each. Processes run in parallel, each with its
/// own clock; builtins compute afterwards, one by one.
///
/// Thread: one at a time. A builtin must not step the world.
class Bot {
 public:
  Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;
  virtual ~Bot() = default;

  /// Begins a match; `world` is at its first tick. \param lives  the lives before the match, by index_of(player).
  virtual void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) = 0;
  virtual void send_tick(const engine::World& world) = 0;
  /// Returns the answer to the last send_tick(); called once per tick.
  [[nodiscard]] virtual Answer answer(const engine::World& world) = 0;
  /// Closes the bot's input.
  virtual void end_game() {}
};

}  // namespace forkmunk::referee
