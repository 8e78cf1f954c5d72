#pragma once

#include "bench/support/space_scene.h"

#include <cstddef>

namespace forkmunk::bench {

/// Row of space_benchmark: a scene. Times are medians, in microseconds of wall time; a ratio is the median of the
/// repetitions' ratios.
struct SpaceRow {
  SceneKind kind{};
  int body_count = 0;
  std::size_t live_bytes = 0;
  double memcpy_us = 0;   ///< A bare copy of live_bytes, from and to the same kind of memory as snapshots.
  double save_us = 0;     ///< Space::save() into a snapshot that is large enough.
  double restore_us = 0;  ///< Space::restore().
  double fresh_us = 0;    ///< Space::save() into a new snapshot, and its release.
  double fork_us = 0;     ///< Space::fork(), and its release.
  double hash_us = 0;
  double step_us = 0;        ///< Space::step(), one of a batch, from kSettlingSteps on.
  double stock_step_us = 0;  ///< The same steps in stock Chipmunk.
  double rebuild_us = 0;     ///< Stock Chipmunk's only clone: the scene built and stepped kSettlingSteps times.

  double save_ratio = 0;     ///< To memcpy.
  double restore_ratio = 0;  ///< To memcpy.
  double step_ratio = 0;     ///< To stock Chipmunk's.

  /// "Save and restore each at most 1.2 times a bare memcpy of the same bytes plus 100 ns."
  [[nodiscard]] bool copies_as_promised() const noexcept {
    const double most = 1.2 + 0.1 / memcpy_us;
    return save_ratio <= most && restore_ratio <= most;
  }
};

/// Measures one scene. Compared measurements are interleaved, so that noise affects all of them. Checks that stock
/// Chipmunk's bodies move as the Space's do, bit for bit.   Cost: up to 20 s for 3,000 bodies.
[[nodiscard]] SpaceRow measure_space(SceneKind kind, int body_count, int repetition_count);

}  // namespace forkmunk::bench
