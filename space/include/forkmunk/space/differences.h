// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::FORKMUNK_SPACE {

/// A field in which two spaces differ.
struct Difference {
  /// "body 3", or "contact of polygon 3 and segment 0"; empty where counts or memory differ.
  std::string object;
  /// The id in recordings (Recording::id_of()), for a contact of its first shape; 0 if there is none.
  std::uint32_t id;
  std::uint32_t other_id;  ///< The id of a contact's second shape, or 0.
  std::string field;       ///< "v", or "point 0: jnAcc"; a sentence without an object.
  std::string one, other;  ///< The values.
};

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
