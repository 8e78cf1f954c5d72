// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace forkmunk::bench {

enum class SceneKind { pyramid, tumbler, chains, mixed, sleeping };
inline constexpr std::array kSceneKinds{SceneKind::pyramid, SceneKind::tumbler, SceneKind::chains, SceneKind::mixed,
                                        SceneKind::sleeping};

[[nodiscard]] constexpr std::string_view to_string(SceneKind kind) noexcept {
  constexpr std::array<std::string_view, kSceneKinds.size()> kNames{"pyramid", "tumbler", "chains", "mixed",
                                                                    "sleeping"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Medians of thread CPU time in microseconds.
struct SpaceRow {
  SceneKind kind{};
  int body_count = 0;
  std::size_t live_bytes = 0;
  double memcpy_us = 0;  ///< Between buffers of the kind that snapshots use.
  double save_us = 0;    ///< Into a snapshot that is large enough.
  double restore_us = 0;
  double fork_us = 0;  ///< Includes the destruction.
  double hash_us = 0;
  double write_us = 0;           ///< Space::to_bytes().
  double read_us = 0;            ///< Space::from_bytes().
  double snapshot_write_us = 0;  ///< Snapshot::to_bytes().
  double snapshot_read_us = 0;   ///< Snapshot::from_bytes().
  double step_us = 0;            ///< Consecutive steps, from kSettlingSteps on.
  double stock_step_us = 0;      ///< Stock Chipmunk in the same runs.
  double step_ratio = 0;         ///< The median of the repetitions' ratios.
  double ray_us = 0;             ///< cpSpaceSegmentQueryFirst() from beside the bodies, in a fan of rays.
  double stock_ray_us = 0;
  double ray_ratio = 0;
  double rebuild_us = 0;  ///< Stock Chipmunk's only clone: a new scene and kSettlingSteps steps.
};

/// \throws Error if a body's position or velocity differs from stock Chipmunk's in any bit. Cost: up to 20 s for 3,000
/// bodies.
[[nodiscard]] SpaceRow measure_space(SceneKind kind, int body_count, int repetition_count);
/// Measures forkmunk::space_single against stock Chipmunk with floats.
[[nodiscard]] SpaceRow measure_single_space(SceneKind kind, int body_count, int repetition_count);

}  // namespace forkmunk::bench
