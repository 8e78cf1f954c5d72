// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>
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

/// The checks of `forkmunk verify` on one recording, as a function that returns a report.
namespace forkmunk::replay {

/// The result of the lockstep test.
struct LockstepReport {
  std::size_t tick_count = 0;
  std::optional<engine::EngineDifference> difference;
};

struct VerifyOptions {
  std::optional<engine::Physics>
      physics;                      ///< Default: the arithmetic that fits the first ticks, in its fastest engine.
  bool chipmunk = false;            ///< Without `physics`: Chipmunk instead of the fastest engine.
  std::optional<double> tolerance;  ///< If set, follow the recording within this error instead of exactly.
  bool both_engines = false;        ///< Also step both engines in lockstep.
  bool ignore_commands = false;     ///< Infer them even if the recording has them.
  bool clones = false;              ///< Also run the clone test.
  bool tracker = false;             ///< Also run the tracker test.
};

/// Source of the commands of a replay.
enum class CommandSource : std::uint8_t { none, recorded, inferred };

/// The report on one recording.
struct Verification {
  std::size_t tick_count = 0;  ///< As ReplayReport's, if there is one.
  std::size_t match_count = 0;
  bool ended = true;                                ///< Whether the recording has an end_game.
  engine::Physics physics = engine::Physics::flat;  ///< Of the replay.
  CommandSource commands = CommandSource::none;
  std::optional<ReplayReport> replay;         ///< The exact replay; nullopt with a tolerance.
  std::string first_mismatch_scene;           ///< From the SceneNamer.
  std::optional<std::size_t> wrong_commands;  ///< Inferred commands that differ from the recording's, if it has any.
  std::size_t ambiguous_ticks = 0;
  std::optional<double> tolerance;
  std::optional<TolerantReplay> followed;  ///< With a tolerance.
  std::vector<std::string> scenes;         ///< By match, with a tolerance.
  std::optional<CloneReport> clones;       ///< With --clones.
  std::optional<TrackerReport> tracker;    ///< With --tracker.
  std::optional<LockstepReport> lockstep;  ///< With --engine both.
  std::vector<InferredMatch> inferred;     ///< By match; empty if the recording's own commands were used.

  /// Whether all requested checks passed.
  [[nodiscard]] bool good() const;
  /// Ticks that differ in any value; with a tolerance: in an alive flag or the deadline.
  [[nodiscard]] std::size_t mismatching_ticks() const;
};

/// The commands of a game by tick_num: inferred ones, or else the recording's own.
struct GameCommands {
  std::vector<formats::RecordedCommands> by_tick_num;
  std::vector<std::size_t> ambiguous_ticks;  ///< tick_num of ticks at which several pairs fit.
};
[[nodiscard]] GameCommands commands_of(const formats::Recording& recording, const Verification& verification);

/// Names a match in reports, by its map and car. May be empty: matches then have no names.
using SceneNamer = std::function<std::string(const engine::MatchSetup&)>;
/// Called from time to time with the current check ("replaying") and the number of ticks done.
using VerifyProgress = std::function<void(const char* what, std::size_t ticks_done)>;

/// Replays a recording and runs the checks in `options`. \throws Error if this build lacks the physics, or if the
/// recording has no ticks.
[[nodiscard]] Verification verify(formats::Recording recording, const VerifyOptions& options,
                                  const SceneNamer& name = {}, const VerifyProgress& progress = {});

/// Steps both engines with a recording's commands, in strict arithmetic whatever the recording's; stops at the first
/// difference. \pre recording.has_commands.   Cost: about 20 us per tick.
[[nodiscard]] LockstepReport check_engines(const formats::Recording& recording, const ReplayProgress& progress = {});

}  // namespace forkmunk::replay
