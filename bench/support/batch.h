// SPDX-License-Identifier: MIT
#pragma once

#include "bench/support/scene.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace forkmunk::bench {

/// The speed of a batch of worlds, compared with stock Chipmunk.
struct BatchRow {
  std::size_t worlds = 0;
  std::size_t threads = 0;
  double ticks_per_s = 0;  ///< The ticks of all worlds together.
  /// The ticks per second of stock Chipmunk in strict arithmetic, with one world after the other on one thread.
  double stock_ticks_per_s = 0;
  std::size_t bytes = 0;  ///< The mean size of the state of a world.
  /// The smallest cache that all states fit into, like "in L2", or "beyond the caches".
  std::string cache;
};

/// Measures batches of each size with each number of threads, along `scenes`. Worlds start at ticks spread over the
/// matches. Measurements of batch and stock are interleaved. \param progress  called with the rows done and the rows in
/// all.
[[nodiscard]] std::vector<BatchRow> measure_batches(const std::vector<Scene>& scenes,
                                                    const std::vector<std::size_t>& sizes,
                                                    const std::vector<std::size_t>& thread_counts, int repetition_count,
                                                    const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace forkmunk::bench
