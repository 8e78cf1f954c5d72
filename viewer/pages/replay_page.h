#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/verification.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::viewer {

/// Whether our physics, in the arithmetic that fits, play the game as it was recorded.
struct NativeVerdict {
  Arithmetic arithmetic = Arithmetic::strict;
  std::size_t mismatching_ticks = 0;
  std::optional<replay::Mismatch> first;
};

/// What a log does not tell and the engine knows: it goes into the page beside the log.
struct ReplayExtras {
  std::vector<std::array<engine::DeathCause, 2>> causes;  ///< By match; none for who lives, or if nobody knows.
  /// By player, a letter for each tick event (L, S, R, or - for none); empty if the log has commands of its own.
  std::array<std::string, 2> commands;
  std::optional<NativeVerdict> verdict;  ///< Browsers have strict arithmetic alone: of others only this tells.
};

/// From a replay of the recording, whatever its build.   Cost: 0.2 ms a tick.
[[nodiscard]] ReplayExtras replay_extras(const formats::Recording& recording,
                                         const replay::ReplayProgress& progress = {});
/// \throws Error that says what to do, unless this build has the page.
void require_page();

/// The replay page with a recording in it: one HTML file that needs nothing else.
/// \param name  of the recording, to be shown. \param visio_gz  its bytes; nothing: the empty page.
[[nodiscard]] std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras);
[[nodiscard]] std::string empty_page();
/// A page to play games in. \throws Error that says what to do, unless the page of this build has the engine.
[[nodiscard]] std::string play_page();

}  // namespace forkmunk::viewer
