// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>

#include <optional>
#include <string>
#include <vector>

namespace forkmunk::engine {

struct StateValue {
  std::string name;        ///< E.g. "cars.1.rear.velocity.x" or "contact 81-90 point 0 normal_impulse".
  std::uint64_t bits = 0;  ///< A double's, with one pattern for every NaN, or an integer's.
  bool is_number = false;
  friend bool operator==(const StateValue&, const StateValue&) = default;
  /// "name = value", with all digits of doubles
  [[nodiscard]] std::string text() const;
};

/// Returns everything that decides a world's future, in an order that both engines share. \pre a match has begun.
[[nodiscard]] std::vector<StateValue> state_of(const World& world);

struct StateDifference {
  std::string a, b;  ///< StateValue::text(), or "nothing" where a world has no more values.
};

/// \pre both have a match.
[[nodiscard]] std::optional<StateDifference> first_difference(const World& a, const World& b);

}  // namespace forkmunk::engine
