// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/replay.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Inference of commands that a recording lacks: one of nine pairs of commands leads to the recorded positions.
namespace forkmunk::replay {

/// Pairs of commands: bit 3 * first + second in the order of engine::kCommands; with Command::none, bit 9 + second if
/// the first player has none, otherwise 13 + first.
using CommandSet = std::uint16_t;

[[nodiscard]] constexpr CommandSet set_of(engine::Commands commands) noexcept {
  const auto first = static_cast<unsigned>(commands.first), second = static_cast<unsigned>(commands.second);
  const bool first_none = commands.first == engine::Command::none,
             second_none = commands.second == engine::Command::none;
  return static_cast<CommandSet>(1u << (first_none ? 9 + second : second_none ? 13 + first : 3 * first + second));
}

/// Lists are by tick, rest ticks included.
struct InferredMatch {
  std::int64_t first_tick_num = 0;
  /// nullopt at rest, and for a player to whom the referee could not send the tick. If several pairs fit the log, the
  /// last tick's is preferred, then the first in the order of engine::kCommands.
  std::vector<formats::RecordedCommands> commands;
  /// All pairs that fit; 0 at rest.
  std::vector<CommandSet> fitting;
  /// Ticks that no commands explain; the nearest commands are used.
  std::size_t unexplained_ticks = 0;
};

struct WrongCommand {
  std::size_t match = 0;
  std::int64_t tick = 0;  ///< The tick_num.
  engine::Player player = engine::Player::first;
  engine::Command recorded = engine::Command::stop;
  std::optional<engine::Command> inferred;
};

struct Inference {
  std::vector<InferredMatch> matches;

  /// Returns the number of ticks at which several pairs fit, such as the last two of a truncated recording.
  [[nodiscard]] std::size_t ambiguous_ticks() const noexcept;
  [[nodiscard]] std::size_t unexplained_ticks() const noexcept;
  [[nodiscard]] std::vector<WrongCommand> wrong_commands(const formats::Recording& recording) const;
};

/// Infers the commands of a game in `physics`, whatever commands it has.
///
/// Method: a command at tick t affects positions at t + 2, because Chipmunk moves bodies before it solves velocities.
/// Hypotheses (a snapshot and the commands that led to it) are extended by all nine pairs and kept while they agree
/// with the log by ==; equal states are merged. Later ticks decide ticks that the log lacks. If no pair agrees, pairs
/// with Command::none are tried, which a player then keeps until the match's end.
/// \param tick_limit  the approximate number of ticks after which to stop; 0 for no limit. Cost per tick: 21 steps and
/// 10 restores.
[[nodiscard]] Inference infer_commands(const formats::Recording& recording, engine::Physics physics,
                                       std::size_t tick_limit = 0, const ReplayProgress& progress = {});

/// Returns the available arithmetic that explains more of the first ticks; strict if both explain as many.
[[nodiscard]] Arithmetic infer_arithmetic(const formats::Recording& recording);

[[nodiscard]] formats::Recording with_commands(formats::Recording recording, const Inference& inference);

}  // namespace forkmunk::replay
