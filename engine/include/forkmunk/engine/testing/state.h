// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>

#include <optional>
#include <string>
#include <vector>

/// Worlds' states by name, for comparing one engine with another.
namespace forkmunk::engine {

/// One value of a state.
struct StateValue {
  std::string name;        ///< E.g. "cars.1.rear.velocity.x" or "contact 81-90 point 0 normal_impulse".
  std::uint64_t bits = 0;  ///< A double's bits, every NaN's alike; or an integer.
  bool is_number = false;  ///< Whether it is a double.
  friend bool operator==(const StateValue&, const StateValue&) = default;
  /// "name = value", doubles with all their digits.
  [[nodiscard]] std::string text() const;
};

/// Everything that decides a world's future, in an order that both engines share: bodies, joints, contacts, tree,
/// pairs, counters. \pre a match has begun.   Cost: about 100 us.
[[nodiscard]] std::vector<StateValue> state_of(const World& world);

/// The first value that two worlds do not have in common, by bits.
struct StateDifference {
  std::string a, b;  ///< As StateValue::text(); "nothing" where one has no more values.
};

/// Nothing if the states are equal. \pre both have a match.
[[nodiscard]] std::optional<StateDifference> first_difference(const World& a, const World& b);

}  // namespace forkmunk::engine
