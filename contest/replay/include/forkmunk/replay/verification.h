// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/testing/lockstep.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// The checks of `forkmunk verify` on one recording.
namespace forkmunk::replay {

struct LockstepReport {
  std::size_t tick_count = 0;
  std::optional<engine::EngineDifference> difference;
};

struct VerifyOptions {
  /// By default, the arithmetic that fits the first ticks, in its fastest engine.
  std::optional<engine::Physics> physics;
  bool chipmunk = false;  ///< Without `physics`, replaces the fastest engine.
  /// Unless empty, the replay follows the recording within this error.
  std::optional<double> tolerance;
  bool both_engines = false;     ///< Also steps both engines in lockstep.
  bool ignore_commands = false;  ///< Infers commands even if the recording has them.
  bool clones = false;
  bool tracker = false;
};

struct LabelProblem {
  std::size_t match = 0;  ///< 0-based.
  std::string text;       ///< "the map is PillMap, whose external_id is 1; found 77"
};

enum class CommandSource : std::uint8_t { none, recorded, inferred };

struct Verification {
  std::size_t tick_count = 0;  ///< The ReplayReport's, if there is one.
  std::size_t match_count = 0;
  bool ended = true;  ///< The recording has an end_game.
  engine::Physics physics = engine::Physics::flat;
  CommandSource commands = CommandSource::none;
  std::optional<ReplayReport> replay;  ///< nullopt with a tolerance.
  /// Recorded commands that do not fit the positions. Empty if they were replayed; nullopt if there are none.
  std::optional<std::vector<WrongCommand>> wrong_commands;
  std::size_t ambiguous_ticks = 0;
  std::optional<double> tolerance;
  std::optional<TolerantReplay> followed;  ///< Only with a tolerance.
  std::optional<CloneReport> clones;
  std::optional<TrackerReport> tracker;
  std::optional<LockstepReport> lockstep;
  /// Empty if the recording's own commands were used.
  std::vector<InferredMatch> inferred;
  /// Contradictions that a replay does not read.
  std::vector<LabelProblem> label_problems;

  [[nodiscard]] bool good() const;
  /// Returns the number of ticks that differ in any value. With a tolerance, only TolerantMatch::wrong_flags count.
  [[nodiscard]] std::size_t mismatching_ticks() const;
  [[nodiscard]] std::optional<Mismatch> first_mismatch() const;
};

/// The inferred commands, or else the recording's own.
struct GameCommands {
  std::vector<formats::RecordedCommands> by_tick_num;
  std::vector<std::size_t> ambiguous_ticks;  ///< tick_nums at which several pairs fit
};
[[nodiscard]] GameCommands commands_of(const formats::Recording& recording, const Verification& verification);

/// Returns where a map or car of the catalogue has another external id, or another name in Recording::match_names.
[[nodiscard]] std::vector<LabelProblem> label_problems(const formats::Recording& recording);

using VerifyProgress = std::function<void(const char* what, std::size_t ticks_done)>;

/// Replays a recording and runs the checks. \throws Error if this build lacks the physics, or without ticks.
[[nodiscard]] Verification verify(formats::Recording recording, const VerifyOptions& options,
                                  const VerifyProgress& progress = {});

/// Steps both engines with a recording's commands, in strict arithmetic, up to the first difference. \pre
/// recording.has_commands.   Cost: about 20 us per tick.
[[nodiscard]] LockstepReport check_engines(const formats::Recording& recording, const ReplayProgress& progress = {});

}  // namespace forkmunk::replay
