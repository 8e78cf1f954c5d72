#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>

namespace forkmunk::formats {

[[nodiscard]] inline RecordedBody recorded_body(const engine::BodyState& body) { return {body.position, body.angle}; }

/// A car as the referee reports it to bots, which is without its alive flag.
[[nodiscard]] inline RecordedCar recorded_car(const engine::World& world, engine::Player player) {
  const engine::CarState car = world.car(player);
  RecordedCar recorded;
  recorded.body = recorded_body(car.body);
  recorded.rear_wheel = recorded_body(car.rear_wheel);
  recorded.front_wheel = recorded_body(car.front_wheel);
  recorded.side = player == engine::Player::first ? 1 : -1;
  return recorded;
}

}  // namespace forkmunk::formats
