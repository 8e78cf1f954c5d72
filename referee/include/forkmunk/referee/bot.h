#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/formats/thought.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace forkmunk::referee {

using Seconds = std::chrono::duration<double>;

/// What a bot answered to a tick, or why it did not.
struct Answer {
  enum class Kind : std::uint8_t {
    command,     ///< `command` is what it wants.
    garbled,     ///< No command that exists, or no JSON: the referee draws a random one.
    gone,        ///< Judged lost: its car is told to stop once, and the bot is disconnected for the rest of the game.
    unwritable,  ///< It could not be told the tick: disconnected without the stop.
  };
  Kind kind = Kind::command;
  engine::Command command = engine::Command::stop;
  std::string debug;                                          ///< Its words, cut at kDebugCharactersMax characters.
  std::string verdict;                                        ///< Of gone and unwritable: why, in plain words.
  std::shared_ptr<const formats::Thought> thought = nullptr;  ///< If it shows what it had in mind.
  /// What a process is charged: from the sending of its tick to its answer's arrival, or to its loss. A builtin leaves
  /// it to the referee to measure the call of answer().
  std::optional<Seconds> charged = std::nullopt;
};

/// A player of a game, wherever it runs. The referee calls begin_match() once a match; then, at every tick of it that
/// is no rest, tell() for both bots before answer() for either.
///
/// Nobody pays for the other's time. Processes run side by side from their ticks on, each on a clock of its own, and
/// are waited for together before answer() is called for anyone; builtins compute after that, one after the other.
///
/// Thread rule: one thread at a time. A bot that is in the program (a builtin) looks at the world; it must not step it.
class Bot {
 public:
  Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;
  virtual ~Bot() = default;

  /// `world` stands at the match's first tick. \param lives  before the match, by index_of(player).
  virtual void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) = 0;
  /// Shows the tick; returns at once.
  virtual void tell(const engine::World& world) = 0;
  /// The answer to the tick that was told last; once a tick.
  [[nodiscard]] virtual Answer answer(const engine::World& world) = 0;
  /// The game is over; the bot's input closes.
  virtual void end_game() {}
};

}  // namespace forkmunk::referee
