#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/verification.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::reports {

/// Whether the replay is exact, in the arithmetic that fits the recording.
struct NativeVerdict {
  Arithmetic arithmetic = Arithmetic::strict;
  std::size_t mismatching_ticks = 0;
  std::optional<replay::Mismatch> first;
};

/// A state of the game, in the format of engine::Snapshot::write().
struct CarriedState {
  std::size_t index = 0;  ///< Index of its tick event over the game.
  std::string bytes;
};

/// Ticks between the states embedded in a page: about a second of play.
inline constexpr std::size_t kCarriedTicks = 60;

/// Results of the engine that a recording lacks, embedded in the page with the recording.
struct ReplayExtras {
  std::vector<std::array<engine::DeathCause, 2>> causes;  ///< By match; none for a player who is alive, or if unknown.
  /// By player, a letter per tick event (L, S, R, or - for none); empty if the recording has commands.
  std::array<std::string, 2> commands;
  std::optional<NativeVerdict> verdict;  ///< For recordings in other than strict arithmetic, which a browser lacks.
  /// States of a game that is exact in referee arithmetic, from which the page continues in strict arithmetic: at the
  /// first tick of each match, and every kCarriedTicks.
  std::vector<CarriedState> states;
};

/// Replays the recording, of any build.   Cost per tick: 10 us, or 0.1 ms if commands must be inferred.
[[nodiscard]] ReplayExtras replay_extras(const formats::Recording& recording,
                                         const replay::ReplayProgress& progress = {});

}  // namespace forkmunk::reports
