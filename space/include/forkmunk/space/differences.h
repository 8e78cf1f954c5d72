// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/difference.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::FORKMUNK_SPACE {

using chipmunk::Difference;

/// Returns the fields that differ, at most `count_max`: of bodies, shapes, joints, the space and contacts, in this
/// order. Objects are matched by their order in the state. Returns nothing if hash() is equal. \throws as hash().
[[nodiscard]] std::vector<Difference> differences(const Space& one, const Space& other, std::size_t count_max = 10'000);

/// The first state in which two recordings differ.
struct RecordingDifference {
  std::optional<std::uint64_t> step;  ///< Empty if the recordings are equal.
  std::vector<Difference> found;
  /// The reason why the spaces of the step cannot be compared, or are not exactly the recorded ones, such as functions
  /// that this program does not have.
  std::string reason;
};

/// Compares the states that two recordings have in common: after every step the moving bodies and the program's edits
/// of bodies and motors, and at keyframes everything. A difference in anything else, such as friction, is found when it
/// reaches a body, or at the next keyframe.
/// \throws Error if the recordings have no state in common.
[[nodiscard]] RecordingDifference differences(const Recording& one, const Recording& other);

}  // namespace forkmunk::FORKMUNK_SPACE
