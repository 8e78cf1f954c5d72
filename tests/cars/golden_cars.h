// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/hasher.h>
#include <forkmunk/cars/button.h>
#include <forkmunk/cars/random_car.h>

#include <cstdint>

/// Many libraries have the same sines for the catalogue's few angles, so random cars are hashed.
namespace forkmunk::tests {

inline constexpr std::uint64_t kRandomCarsHash = 0x88c4698d36cea802;
inline constexpr std::uint64_t kButtonsHash = 0xa0fa99dc114a868b;

inline void add_polygon(Hasher& hasher, const std::vector<engine::Vec2>& polygon) {
  hasher.add(polygon.size());
  for (const engine::Vec2 corner : polygon) hasher.add(corner.x, corner.y);
}

inline std::uint64_t random_cars_hash() {
  Hasher hasher;
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const engine::CarSetup car = cars::random_car(random);
    add_polygon(hasher, car.body_poly);
    add_polygon(hasher, car.button_poly);
    hasher.add(car.body_mass, car.body_friction, car.body_elasticity, car.max_speed, car.max_angular_speed, car.torque);
    hasher.add(static_cast<int>(car.drive), static_cast<int>(car.squared_wheels));
    for (const engine::WheelSetup& wheel : {car.rear_wheel, car.front_wheel}) {
      hasher.add(wheel.mass, wheel.radius, wheel.friction, wheel.elasticity, wheel.groove_offset, wheel.damp_length,
                 wheel.damp_stiffness, wheel.damp_damping);
      for (const engine::Vec2 point : {wheel.position, wheel.joint, wheel.damp_position}) hasher.add(point.x, point.y);
    }
  }
  return hasher.value();
}

inline std::uint64_t buttons_hash() {
  Hasher hasher;
  Random random(2);
  for (int i = 0; i < 20'000; ++i) {
    add_polygon(hasher,
                cars::polygon_of({.corner = {3, 4}, .angle_rad = random.between(-7, 7), .width = 5, .height = 2}));
  }
  return hasher.value();
}

}  // namespace forkmunk::tests
