#pragma once

#include "bench/support/scene.h"

#include <cstddef>
#include <string>
#include <vector>

/// Whole games in all engines: the mean cost of a step, not only at chosen points of chosen matches.
namespace forkmunk::bench {

/// Result of `forkmunk bench --games`. Times are microseconds of wall time, of steps only: building matches is not
/// timed.
struct GamesReport {
  std::size_t match_count = 0;
  std::size_t tick_count = 0;
  double stock_step_us = 0;     ///< Stock Chipmunk on malloc.
  double chipmunk_step_us = 0;  ///< Chipmunk in the arena.
  double flat_step_us = 0;
  std::vector<std::size_t> flat_bytes;  ///< Live state after each tick, ascending.
};

/// A recording's matches as scenes. \throws RecordingError; Error if it has no commands.
[[nodiscard]] std::vector<Scene> scenes_of(const std::string& recording_file);

/// Plays all matches in strict arithmetic, `repetition_count` times, with the engines interleaved match by match; the
/// result uses the median of each match and engine. The engines' states at each match's end must be equal.
[[nodiscard]] GamesReport measure_games(const std::vector<Scene>& matches, int repetition_count);

}  // namespace forkmunk::bench
