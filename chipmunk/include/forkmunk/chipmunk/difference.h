// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>

#include <cstdint>
#include <string>

namespace forkmunk::FORKMUNK_CHIPMUNK {

/// A field in which two states differ.
struct Difference {
  /// "body 3", or "contact of polygon 3 and segment 0"; empty where counts or memory differ.
  std::string object;
  /// The object's id in recordings, for a contact that of its first shape; 0 if there is none.
  std::uint32_t id;
  std::uint32_t other_id;  ///< The id of a contact's second shape, or 0.
  std::string field;       ///< "v", or "point 0: jnAcc"; a sentence without an object.
  std::string one, other;  ///< The values.
};

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
