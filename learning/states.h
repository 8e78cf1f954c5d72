#pragma once

#include <cstddef>
#include <cstdint>

/// What `self_play` writes and `measure_states` reads: states of matches, and what they came to. A file is rows of
/// kStateFloats little-endian floats and nothing else, match by match; NumPy reads it by fromfile().
namespace forkmunk::learning {

/// A body's x, y, angle, velocity x, y and rate; of each car its body, rear and front wheel: the first player's first.
inline constexpr std::size_t kBodyFloats = 6;
inline constexpr std::size_t kCarsFloats = 2 * 3 * kBodyFloats;

/// What stands behind the cars in a row.
enum StateColumn : std::size_t {
  kDeadline = kCarsFloats,  ///< Its body's height
  kTick,                    ///< Of the match
  kMap,                     ///< Index in maps::catalogue()
  kCar,                     ///< Index in cars::catalogue()
  kMatch,                   ///< Number of the match, from 0
  kOutcome,                 ///< Of the match: 1 the first player won, -1 the second, 0 both died
  kEnd,                     ///< The match's last tick
  kStateFloats,
};

}  // namespace forkmunk::learning
