// SPDX-License-Identifier: MIT
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

namespace forkmunk::reports {

inline constexpr std::size_t kCarriedTicks = 60;

struct ReplayExtras {
  /// By match; `none` for a player who is alive, or if the cause is unknown.
  std::vector<std::array<engine::DeathCause, 2>> causes;
  /// A player's commands, one letter per tick event (L, S, R, or - for none). Empty if the recording has commands.
  std::array<std::string, 2> commands;
  /// The result of a replay in the arithmetic that fits the recording, which a browser may lack.
  replay::Verification verdict;
  /// The page continues a game in referee arithmetic from these snapshots by engine::Snapshot::write(): of the first
  /// tick of each match, and of every kCarriedTicks.
  std::string states;
};

/// Cost per tick: 10 us, or 0.1 ms if commands must be inferred.
[[nodiscard]] ReplayExtras replay_extras(const formats::Recording& recording,
                                         const replay::ReplayProgress& progress = {});

void require_page();

/// Returns one self-contained HTML file, with replay_extras() in it. \param path  where the recording is from, for
/// errors and the displayed name. \param bytes  the recording's visio.gz or JSON text. \throws Error if the page would
/// refuse the recording, or this build has no pages.
[[nodiscard]] std::string replay_page(const std::string& path, const formats::Recording& recording, std::string bytes,
                                      const replay::ReplayProgress& progress = {});
[[nodiscard]] std::string empty_page();
[[nodiscard]] std::string play_page();

struct ScenePage {
  std::string name;
  std::string bytes;                                    ///< By space::Recording::write().
  std::string other_name, other_bytes;                  ///< A second recording to compare with, or empty.
  bool is_y_down = false;                               ///< y points down in the picture, as on a screen.
  std::optional<std::uint64_t> differs = std::nullopt;  ///< The first step in which both differ.
};
/// Returns one self-contained HTML file. \throws Error if this build has no pages.
[[nodiscard]] std::string scene_page(const ScenePage& scene);

/// Call this before long work. \throws Error unless this build has the chart page, and `path` (of --plot) ends in .html
/// or is stdout.
void check_plot(const std::string& path);

/// Writes a self-contained page with charts. \param subtitle  the origin of the figures: version, build, seed. \param
/// report    JSON as `--json` prints it. \throws Error.
void write_plot(const std::string& path, std::string_view subtitle, std::string_view report);

}  // namespace forkmunk::reports
