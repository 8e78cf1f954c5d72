#include "state_description.h"

namespace forkmunk::engine {

void describe(StateVisitor& visitor, const MatchRules& rules, double deadline_y) {
  const auto integer = [&](const char* field, auto value) {
    visitor.integer("match", -1, field, static_cast<std::uint64_t>(value));
  };
  integer("tick", rules.tick);
  integer("rest_ticks", rules.rest_ticks);
  integer("ticks_to_deadline", rules.ticks_to_deadline);
  integer("resting", rules.resting);
  integer("over", rules.over);
  integer("dead.first", rules.dead[0]);
  integer("dead.second", rules.dead[1]);
  integer("cause.first", rules.cause[0]);
  integer("cause.second", rules.cause[1]);
  visitor.number("match", -1, "deadline_y", deadline_y);
  if (rules.diverged) integer("diverged", true);
}

void describe(StateVisitor& visitor, int body, const BodyDescription& description) {
  constexpr std::array names{"cars.1.body", "cars.1.rear", "cars.1.front",
                             "cars.2.body", "cars.2.rear", "cars.2.front"};
  const auto number = [&](const char* field, double value) {
    visitor.number(names[static_cast<std::size_t>(body)], -1, field, value);
  };
  number("position.x", description.position.x);
  number("position.y", description.position.y);
  number("angle", description.angle);
  number("velocity.x", description.velocity.x);
  number("velocity.y", description.velocity.y);
  number("angular_velocity", description.angular_velocity);
  number("bias_velocity.x", description.bias_velocity.x);
  number("bias_velocity.y", description.bias_velocity.y);
  number("bias_angular_velocity", description.bias_angular_velocity);
}

}  // namespace forkmunk::engine
