#pragma once

#include "match_rules.h"

#include <array>
#include <cstdint>

/// What both engines say about their states, in the same words and order: everything that decides a world's future, and
/// nothing that does not (addresses, pools, table sizes, what each step computes anew). World::hash() and
/// state_of() are made of it.
///
/// Left out are pairs that nothing can come of: a sensor that meets no button, the deadline and the map, a car's own
/// parts (docs/decisions/0004-inert-pairs.md).
namespace forkmunk::engine {

/// A touching point's memory.
struct ContactPointDescription {
  std::uint32_t hash = 0;
  double normal_impulse = 0, tangent_impulse = 0;
};

/// Two shapes' contact. Shapes are named by their ids.
struct ContactDescription {
  std::uint32_t low_id = 0, high_id = 0;
  std::uint32_t stamp = 0;
  std::uint8_t state = 0;  ///< 0 first, 1 normal, 2 ignored, 3 cached.
  std::uint8_t count = 0;
  std::array<ContactPointDescription, 2> points;
};

/// A visitor of states: called for each value in order. Contacts come in any order.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  /// "<owner>.<field>", with an index behind the owner where it is not negative.
  virtual void number(const char* owner, int index, const char* field, double value) = 0;
  virtual void integer(const char* owner, int index, const char* field, std::uint64_t value) = 0;
  virtual void contact(const ContactDescription& contact) = 0;
};

/// One body's motion. `body` counts car, rear wheel, front wheel of the first player, then of the second.
struct BodyDescription {
  Vec2 position;
  double angle;
  Vec2 velocity;
  double angular_velocity;
  Vec2 bias_velocity;
  double bias_angular_velocity;
};

void describe(StateVisitor& visitor, const MatchRules& rules, double deadline_y);
void describe(StateVisitor& visitor, int body, const BodyDescription& description);

}  // namespace forkmunk::engine
