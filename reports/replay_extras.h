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

/// Whether our physics, in the arithmetic that fits, play the game as it was recorded.
struct NativeVerdict {
  Arithmetic arithmetic = Arithmetic::strict;
  std::size_t mismatching_ticks = 0;
  std::optional<replay::Mismatch> first;
};

/// A state of the game, as engine::Snapshot::write() writes it.
struct CarriedState {
  std::size_t index = 0;  ///< Of its tick, counted over the game.
  std::string bytes;
};

/// Ticks of a match between the states that a page carries: about a second.
inline constexpr std::size_t kCarriedTicks = 60;

/// What a log does not tell and the engine knows: it goes into the page beside the log.
struct ReplayExtras {
  std::vector<std::array<engine::DeathCause, 2>> causes;  ///< By match; none for who lives, or if nobody knows.
  /// By player, a letter for each tick event (L, S, R, or - for none); empty if the log has commands of its own.
  std::array<std::string, 2> commands;
  std::optional<NativeVerdict> verdict;  ///< Browsers have strict arithmetic alone: of others only this tells.
  /// Of a game that is exact in the referee's arithmetic, from which a page can go on in its own: the first tick of
  /// each match, and every kCarriedTicks.
  std::vector<CarriedState> states;
};

/// From a replay of the recording, whatever its build.   Cost: a tick 10 us, with commands to find 0.1 ms.
[[nodiscard]] ReplayExtras replay_extras(const formats::Recording& recording,
                                         const replay::ReplayProgress& progress = {});

}  // namespace forkmunk::reports
