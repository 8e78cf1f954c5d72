#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/replay.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// What a recording hides: the commands. The log shows positions; of the nine pairs of commands one leads to the
/// positions of the ticks that follow, and trying is cheap.
namespace forkmunk::replay {

/// A set of pairs of commands: bit 3 * first + second, in the order of engine::kCommands.
using CommandSet = std::uint16_t;

[[nodiscard]] constexpr CommandSet set_of(engine::Commands commands) noexcept {
  return static_cast<CommandSet>(
      1u << (3 * static_cast<unsigned>(commands.first) + static_cast<unsigned>(commands.second)));
}

/// What was inferred for one match. The vectors are indexed by tick of the match, rest included.
struct InferredMatch {
  std::int64_t first_tick_num = 0;  ///< tick_num of the match's tick 0.
  /// The commands that the log agrees with; nothing where none are taken (rest). Of several that fit, the first of:
  /// the last tick's again, then in the order of engine::kCommands.
  std::vector<formats::RecordedCommands> commands;
  /// All pairs that fit; 0 where none are taken. More than one bit: the tick is ambiguous.
  std::vector<CommandSet> fitting;
  /// Ticks that no commands explain: their state is the recording's only as nearly as any commands can make it.
  std::size_t unexplained_ticks = 0;
};

struct Inference {
  std::vector<InferredMatch> matches;

  /// Ticks at which more than one pair of commands fits. At the end of a recording that was cut off in mid-match, the
  /// last two: their commands never show.
  [[nodiscard]] std::size_t ambiguous_ticks() const noexcept;
  [[nodiscard]] std::size_t unexplained_ticks() const noexcept;
  /// Commands of `recording` (each player's counts for itself) that are not among those that fit.
  [[nodiscard]] std::size_t wrong_commands(const formats::Recording& recording) const noexcept;
};

/// Recovers the commands of a game that was recorded in `arithmetic`, bit for bit, without looking at those in the
/// file.
///
/// Method: a command given at tick t shows in positions at t + 2, because Chipmunk moves bodies before it solves
/// velocities. Hypotheses (a snapshot and the commands that led to it) are extended by all nine pairs and kept while
/// they agree with the log by ==; equal states are merged. Where the log lacks a tick, hypotheses live on until a later
/// one tells.
/// \param tick_limit  stop after about so many ticks; 0: none.   Cost: 21 steps and 10 restores a tick.
[[nodiscard]] Inference infer_commands(const formats::Recording& recording, engine::Physics physics,
                                       std::size_t tick_limit = 0, const ReplayProgress& progress = {});

/// The available arithmetic that explains most of the recording's first ticks; strict if both do.
[[nodiscard]] Arithmetic infer_arithmetic(const formats::Recording& recording);

/// `recording` with the inferred commands in place of its own: replay() then tells whether they are right.
[[nodiscard]] formats::Recording with_commands(formats::Recording recording, const Inference& inference);

}  // namespace forkmunk::replay
