// SPDX-License-Identifier: MIT
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

/// Replay of recordings by another build of the referee's library, whose last bits differ. Chaos amplifies the
/// differences.
namespace forkmunk::replay {

/// The largest error (map units or radians) before the replay is resynchronised. A command has a far larger effect
/// within two ticks (docs/results/exactness.md).
inline constexpr double kToleranceDefault = 1e-4;
/// A command is sure if the error of the next best command is larger by this factor.
inline constexpr double kSureRatio = 10;
/// The difference in ticks between deaths that count as the same.
inline constexpr std::int64_t kDeathTicksTolerance = 2;

/// Over the ticks of a match, in map units or radians.
struct ErrorQuantiles {
  double median = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;
};

struct TolerantMatch {
  InferredMatch inferred;         ///< `fitting` has only the leading pair.
  std::size_t sure_commands = 0;  ///< Counted per player.
  std::size_t unsure_commands = 0;
  /// Ticks at which poses were copied from the recording.
  std::size_t resyncs = 0;
  std::size_t compared_ticks = 0;
  ErrorQuantiles error_quantiles;  ///< Errors before resynchronising.
  bool deaths_recorded = true;     ///< False for the oldest logs, which lack alive flags.
  /// Ticks at which a side, the deadline, or an alive flag differs. Flags within kDeathTicksTolerance of the recorded
  /// death do not count.
  std::size_t wrong_flags = 0;
  std::optional<Mismatch> first_mismatch;
  std::optional<std::int64_t> recorded_death;  ///< The first tick of the match with a dead player.
  std::optional<std::int64_t> replayed_death;
  std::array<bool, 2> recorded_losers{};
  std::array<bool, 2> replayed_losers{};
  std::array<engine::DeathCause, 2> causes{};  ///< The causes of the replay's deaths.

  /// Returns whether the same players died within kDeathTicksTolerance; true without recorded deaths.
  [[nodiscard]] bool same_end() const noexcept;
};

struct TolerantReplay {
  std::vector<TolerantMatch> matches;

  [[nodiscard]] Inference inference() const;
  [[nodiscard]] std::size_t sure_commands() const noexcept;
  [[nodiscard]] std::size_t unsure_commands() const noexcept;
  [[nodiscard]] std::size_t resyncs() const noexcept;
  [[nodiscard]] double max_error() const noexcept;
  [[nodiscard]] bool same_ends() const noexcept;
  [[nodiscard]] std::size_t wrong_flags() const noexcept;
  [[nodiscard]] std::optional<Mismatch> first_mismatch() const;
};

/// Replays a recording approximately, and infers the commands tick by tick.
///
/// The pair of commands with the nearest positions two ticks later leads. The ratio of its error to the second best
/// decides whether a command is sure. If the error exceeds `tolerance`, the replay copies positions and angles from the
/// recording, and keeps velocities and cached impulses. \param tolerance  above 0, map units and radians.   Cost per
/// tick: 20 steps and 10 restores.
[[nodiscard]] TolerantReplay replay_tolerantly(const formats::Recording& recording, engine::Physics physics,
                                               double tolerance = kToleranceDefault,
                                               const ReplayProgress& progress = {});

/// Returns the recording's deaths if it has any, otherwise those of a replay within a tolerance, and the causes of that
/// replay.   Cost: 0.1 ms per tick.
[[nodiscard]] std::vector<formats::MatchOutcome> match_outcomes(const formats::Recording& recording);
[[nodiscard]] std::vector<formats::MatchOutcome> match_outcomes(const formats::Recording& recording,
                                                                const TolerantReplay& followed);

}  // namespace forkmunk::replay
