// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace forkmunk::space {

/// A field in which two spaces differ.
struct Difference {
  std::string object;      ///< "body 3"; empty where a number of objects differs, or memory.
  std::uint32_t id;        ///< The id of the object in recordings (Recording::id_of()); 0 if it has none.
  std::string field;       ///< "v", or a sentence where there is no object.
  std::string one, other;  ///< Both values.
};

/// Returns all fields in which two spaces differ, bodies first, at most `count_max`. Objects are matched by their order
/// in the state, so it does not matter where they lie. Returns nothing if hash() is equal. \throws as hash().
[[nodiscard]] std::vector<Difference> differences(const Space& one, const Space& other, std::size_t count_max = 10'000);

}  // namespace forkmunk::space
