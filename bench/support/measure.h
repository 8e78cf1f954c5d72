// SPDX-License-Identifier: MIT
#pragma once

#include "bench/support/scene.h"

#include <forkmunk/engine/physics.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace forkmunk::bench {

[[nodiscard]] std::string name_of(engine::Physics physics);

/// Medians, in microseconds of wall time.
struct Row {
  std::string map;
  std::string car;
  engine::Physics physics = engine::Physics::flat;
  std::size_t snapshot_bytes = 0;  ///< The largest of the match.
  double save_us = 0;              ///< Into a buffer that is large enough.
  double restore_us = 0;
  double memcpy_us = 0;
  double step_us = 0;        ///< One of kBatchTicks steps in a row.
  double stock_step_us = 0;  ///< StockWorld in the same ticks.
  double fork_us = 0;        ///< World::fork() and its release.
  /// Stock Chipmunk's only clone: the match, built and played to the same tick.
  double rebuild_us = 0;
  double playout_us = 0;  ///< A restore and kPlayoutTicks steps.

  [[nodiscard]] double ticks_per_s() const noexcept { return 1e6 / step_us; }
  [[nodiscard]] double playouts_per_s() const noexcept { return 1e6 / playout_us; }
};

inline constexpr int kRepetitionCount = 9;

/// Measures one row, with compared measurements interleaved, so that noise affects all. \throws Error if this build
/// lacks `physics`.   Cost: 10 to 40 ms a repetition.
[[nodiscard]] Row measure(const Scene& scene, engine::Physics physics, int repetition_count = kRepetitionCount);

/// Mean costs of a step in whole games, in microseconds of wall time, without the building of matches.
struct GamesReport {
  std::size_t match_count = 0;
  std::size_t tick_count = 0;
  double stock_step_us = 0;     ///< On malloc.
  double chipmunk_step_us = 0;  ///< In the arena.
  double flat_step_us = 0;
  std::vector<std::size_t> flat_bytes;  ///< After each tick, ascending.
};

/// Plays all matches in strict arithmetic, with the engines interleaved by match, and takes medians by match and engine
/// over `repetition_count`. The engines' states at each match's end must be equal.
[[nodiscard]] GamesReport measure_games(const std::vector<Scene>& matches, int repetition_count);

struct BatchRow {
  std::size_t worlds = 0;
  std::size_t threads = 0;
  double ticks_per_s = 0;  ///< All worlds together.
  /// Stock Chipmunk in strict arithmetic, on one thread.
  double stock_ticks_per_s = 0;
  std::size_t bytes = 0;  ///< The mean size of a world's state.
  /// The smallest cache that holds all states: "in L2", "beyond the caches".
  std::string cache;
};

/// Measures batches of each size with each number of threads, interleaved with stock Chipmunk. Worlds start at ticks
/// spread over the matches. \param progress  called with the rows done and of all.
[[nodiscard]] std::vector<BatchRow> measure_batches(const std::vector<Scene>& scenes,
                                                    const std::vector<std::size_t>& sizes,
                                                    const std::vector<std::size_t>& thread_counts, int repetition_count,
                                                    const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace forkmunk::bench
