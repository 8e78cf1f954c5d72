#pragma once

#include <forkmunk/base/arithmetic.h>
#include <forkmunk/engine/physics.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/engine_check.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Everything that `forkmunk verify` does with a recording, as a function that returns a report.
namespace forkmunk::replay {

struct VerifyOptions {
  std::optional<engine::Physics>
      physics;                      ///< Default: the arithmetic that fits the first ticks, in its fastest engine.
  bool chipmunk = false;            ///< Without `physics`: Chipmunk instead of the fastest engine.
  std::optional<double> tolerance;  ///< Set: follow the recording within it instead of exactly.
  bool both_engines = false;        ///< Also the lockstep of both engines.
  bool ignore_commands = false;     ///< Infer them even if the recording has them.
  bool clones = false;              ///< Also the clone test.
  bool tracker = false;             ///< Also the tracker test.
};

/// By which commands a file was replayed.
enum class CommandSource : std::uint8_t { none, recorded, inferred };

/// What was found out about one recording.
struct Verification {
  std::size_t tick_count = 0;  ///< As ReplayReport's, if there is one.
  std::size_t match_count = 0;
  bool ended = true;                                ///< Whether the file has its end_game.
  engine::Physics physics = engine::Physics::flat;  ///< By which it was replayed.
  CommandSource commands = CommandSource::none;
  std::optional<ReplayReport> replay;         ///< Bit by bit; nothing with a tolerance.
  std::string first_mismatch_scene;           ///< As the SceneNamer calls it.
  std::optional<std::size_t> wrong_commands;  ///< Inferred ones that are not the file's, if it has them.
  std::size_t ambiguous_ticks = 0;
  std::optional<double> tolerance;
  std::optional<TolerantReplay> followed;  ///< With a tolerance.
  std::vector<std::string> scenes;         ///< By match, with a tolerance.
  std::optional<CloneReport> clones;       ///< With --clones.
  std::optional<TrackerReport> tracker;    ///< With --tracker.
  std::optional<LockstepReport> lockstep;  ///< With --engine both.
  std::vector<InferredMatch> inferred;     ///< By match; empty if the commands are the recording's own.

  /// Whether everything that was asked agrees with the recording.
  [[nodiscard]] bool good() const;
  /// Ticks that differ: in any value, or, with a tolerance, in who is alive or in the deadline.
  [[nodiscard]] std::size_t mismatching_ticks() const;
};

/// The commands of a game by tick_num: those that were inferred, or else the recording's own.
struct GameCommands {
  std::vector<formats::RecordedCommands> by_tick_num;
  std::vector<std::size_t> ambiguous_ticks;  ///< tick_num of those at which several pairs fit.
};
[[nodiscard]] GameCommands commands_of(const formats::Recording& recording, const Verification& verification);

/// What a match is called in reports: its map and car. Without one, scenes have no names.
using SceneNamer = std::function<std::string(const engine::MatchSetup&)>;
/// Called now and then with what is being done ("replaying") and the ticks done so far.
using VerifyProgress = std::function<void(const char* what, std::size_t ticks_done)>;

/// Replays a recording and does what `options` ask for. \throws Error if this build does not have such physics, or
/// if the recording has no tick: nothing could be said of it.
[[nodiscard]] Verification verify(formats::Recording recording, const VerifyOptions& options,
                                  const SceneNamer& name = {}, const VerifyProgress& progress = {});

}  // namespace forkmunk::replay
