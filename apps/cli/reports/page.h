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

/// The result of a replay in the arithmetic that fits the recording.
struct NativeVerdict {
  Arithmetic arithmetic = Arithmetic::strict;
  std::size_t mismatching_ticks = 0;
  std::optional<replay::Mismatch> first;
};

/// A state of the game, in the format of engine::Snapshot::write().
struct CarriedState {
  std::size_t index = 0;  ///< The index of the tick event among all tick events of the game.
  std::string bytes;
};

/// The number of ticks between the states that a page has: about a second of play.
inline constexpr std::size_t kCarriedTicks = 60;

/// Results that a browser cannot compute for a recording. They are embedded in the page with the recording.
struct ReplayExtras {
  std::vector<std::array<engine::DeathCause, 2>>
      /// By match. An entry is `none` for a player who is alive, or if the cause is unknown.
      causes;
  /// The commands by player, with a letter per tick event (L, S, R, or - for none). Empty if the recording has
  /// commands.
  std::array<std::string, 2> commands;
  /// The verdict for recordings in other than strict arithmetic, which a browser lacks.
  std::optional<NativeVerdict> verdict;
  /// The states of a game that is exact in referee arithmetic, from which the page continues in strict arithmetic: at
  /// the first tick of each match, and every kCarriedTicks.
  std::vector<CarriedState> states;
};

/// Replays the recording, of any build.   Cost per tick: 10 us, or 0.1 ms if commands must be inferred.
[[nodiscard]] ReplayExtras replay_extras(const formats::Recording& recording,
                                         const replay::ReplayProgress& progress = {});

/// Returns the replay page without a game, as HTML text with static storage duration; empty if this build has no pages.
[[nodiscard]] std::string_view replay_template() noexcept;
/// Returns the chart page without data. Otherwise like replay_template().
[[nodiscard]] std::string_view chart_template() noexcept;

/// Returns `page` with `json` as its embedded data. \param json  UTF-8.
[[nodiscard]] std::string filled(std::string_view page, std::string json);

/// Checks that this build has the page. \throws Error, with instructions, if not.
void require_page();

/// Returns the replay page with an embedded recording: one self-contained HTML file.
/// \param name  the displayed name of the recording. \param visio_gz  its bytes; empty for a page without a recording.
[[nodiscard]] std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras);
[[nodiscard]] std::string empty_page();
[[nodiscard]] std::string play_page();

/// The contents of the page of a recorded scene.
struct ScenePage {
  std::string name;
  std::string bytes;                    ///< The recording (space::Recording::write()).
  std::string other_name, other_bytes;  ///< A second recording to compare with; empty: none.
  bool is_y_down = false;               ///< Whether y points down in the picture, as on a screen.
};
/// Returns the page of a recorded scene: one self-contained HTML file. \throws Error if this build has no pages.
[[nodiscard]] std::string scene_page(const ScenePage& scene);

/// Checks that this build has the chart page, and that `path` (of --plot) ends in .html or is stdout. Call this before
/// long work. \throws Error if not.
void check_plot(const std::string& path);

/// Writes a page with charts of a report: one self-contained HTML file.
/// \param subtitle  the origin of the figures: version, build, seed.
/// \param report    JSON as `--json` prints it. \throws Error.
void write_plot(const std::string& path, std::string_view subtitle, std::string_view report);

}  // namespace forkmunk::reports
