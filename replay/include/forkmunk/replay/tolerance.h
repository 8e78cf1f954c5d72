#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/replay.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Recordings of another build of the referee's library: the same physics with other last bits, which chaos then grows.
namespace forkmunk::replay {

/// Largest error (map units or radians) that is let grow before the replay is put back on the recording: far below what
/// a command changes within two ticks (docs/reference/determinism.md), so that every command still shows.
inline constexpr double kToleranceDefault = 1e-4;
/// How many times nearer the best command must come than the next best to be called sure.
inline constexpr double kSureRatio = 10;
/// By how many ticks a death may be off and still count as the same.
inline constexpr std::int64_t kDeathTicksTolerance = 2;

/// Quantiles of the errors at all ticks of a match, map units or radians.
struct ErrorQuantiles {
  double median = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;
};

/// How a replay kept to one match.
struct TolerantMatch {
  InferredMatch inferred;         ///< `fitting` has the leading pair alone.
  std::size_t sure_commands = 0;  ///< Each player's commands for themselves.
  std::size_t unsure_commands = 0;
  std::size_t resyncs = 0;  ///< Ticks at which positions and angles were copied from the recording.
  std::size_t compared_ticks = 0;
  ErrorQuantiles error_quantiles;              ///< Before any copying.
  bool deaths_recorded = true;                 ///< False for the oldest runner's logs, which have no alive flags.
  std::size_t wrong_flags = 0;                 ///< Ticks at which an alive flag or the deadline differs.
  std::optional<std::int64_t> recorded_death;  ///< First tick of the match with somebody dead.
  std::optional<std::int64_t> replayed_death;
  std::array<bool, 2> recorded_losers{};
  std::array<bool, 2> replayed_losers{};
  std::array<engine::DeathCause, 2> causes{};  ///< Of the replay's deaths.

  /// Whether the same players died, at the same tick or within kDeathTicksTolerance of it; true where the recording
  /// does not tell.
  [[nodiscard]] bool same_end() const noexcept;
};

struct TolerantReplay {
  std::vector<TolerantMatch> matches;

  [[nodiscard]] std::size_t sure_commands() const noexcept;
  [[nodiscard]] std::size_t unsure_commands() const noexcept;
  [[nodiscard]] std::size_t resyncs() const noexcept;
  [[nodiscard]] double max_error() const noexcept;
  [[nodiscard]] bool same_ends() const noexcept;
};

/// Replays a recording as nearly as it can be, recovering the commands tick by tick.
///
/// Of the nine pairs of commands the one leads whose positions two ticks on come nearest; the gap to the second best
/// says how sure each player's command is. Where the error exceeds `tolerance` the replay takes positions and angles
/// from the recording, keeps its velocities and cached impulses, and counts a resynchronisation.
/// \param tolerance  above 0, map units and radians.   Cost: 20 steps and 10 restores a tick.
[[nodiscard]] TolerantReplay replay_tolerantly(const formats::Recording& recording, engine::Physics physics,
                                               double tolerance = kToleranceDefault,
                                               const ReplayProgress& progress = {});

}  // namespace forkmunk::replay
