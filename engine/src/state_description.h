// SPDX-License-Identifier: MIT
#pragma once

#include "match_rules.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

/// Describes the states of both engines by the same names in the same order: everything that determines future states,
/// and nothing else (no addresses, pools, table sizes, or values that each step recomputes). World::hash() and
/// state_of() are built on it.
///
/// Pairs without an effect are left out (docs/decisions/0004-inert-pairs.md): a sensor and anything but a button, the
/// deadline and the map, parts of one car.
namespace forkmunk::engine {

/// The cached part of a touching point.
struct ContactPointDescription {
  std::uint32_t hash = 0;
  double normal_impulse = 0, tangent_impulse = 0;
};

/// A contact of two shapes, which are identified by their ids.
struct ContactDescription {
  std::uint32_t low_id = 0, high_id = 0;
  std::uint32_t stamp = 0;
  std::uint8_t state = 0;  ///< 0 first, 1 normal, 2 ignored, 3 cached.
  std::uint8_t count = 0;
  std::array<ContactPointDescription, 2> points;
};

/// A visitor of states, which is called for each value in order. Contacts come in any order.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  /// Visits "<owner>.<field>", with the index behind the owner unless it is negative.
  virtual void number(const char* owner, int index, const char* field, double value) = 0;
  virtual void integer(const char* owner, int index, const char* field, std::uint64_t value) = 0;
  virtual void contact(const ContactDescription& contact) = 0;
};

/// The motion of one body. `body` counts car, rear wheel, front wheel of the first player, then of the second.
struct BodyDescription {
  Vec2 position;
  double angle;
  Vec2 velocity;
  double angular_velocity;
  Vec2 bias_velocity;
  double bias_angular_velocity;
};

/// Returns `value`, or one fixed NaN for every NaN, because sign and payload of a NaN depend on processor and compiler.
/// States that differ only in these are equal and have one hash.
[[nodiscard]] inline double one_nan(double value) noexcept {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

/// Describes a non-finite world completely.
void describe(StateVisitor& visitor, const MatchRules& rules, double deadline_y);
void describe(StateVisitor& visitor, int body, const BodyDescription& description);

}  // namespace forkmunk::engine
