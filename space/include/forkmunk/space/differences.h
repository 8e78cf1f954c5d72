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
  /// "body 3", or "contact of polygon 3 and segment 0"; empty where a number of objects differs, or memory.
  std::string object;
  /// The id of the object in recordings (Recording::id_of()), and of a contact's first shape; 0 if it has none.
  std::uint32_t id;
  std::uint32_t other_id;  ///< The id of a contact's second shape; 0 for other objects.
  std::string field;       ///< "v", or "point 0: jnAcc", or a sentence where there is no object.
  std::string one, other;  ///< The values in both spaces.
};

/// Returns all fields in which two spaces differ, at most `count_max`: those of bodies, shapes, joints, the space and
/// contacts, in this order. Objects are matched by their order in the state, so it does not matter where they lie.
/// Returns nothing if hash() is equal. \throws as hash().
[[nodiscard]] std::vector<Difference> differences(const Space& one, const Space& other, std::size_t count_max = 10'000);

/// The first state in which two recordings differ.
struct RecordingDifference {
  std::optional<std::uint64_t> step;  ///< Empty if the recordings are equal.
  std::vector<Difference> found;      ///< The fields that differ there.
  /// The reason why the spaces of the step cannot be compared, or are not exactly those that were recorded, such as
  /// functions that this program does not have; otherwise empty.
  std::string reason;
};

/// Compares the states that two recordings have in common: after every step the bodies that move, what the program
/// changed in them and in motors before the step, and at keyframes everything. A difference in anything else, such as
/// the friction of a shape, is found when it reaches a body, or at the next keyframe.
/// \throws Error if the recordings have no state in common.
[[nodiscard]] RecordingDifference differences(const Recording& one, const Recording& other);

}  // namespace forkmunk::FORKMUNK_SPACE
