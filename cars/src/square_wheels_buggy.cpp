#include "car_types.h"

namespace forkmunk::cars {

// The buggy on boxes: slower, heavier, with drive on both wheels and a stiffer spring behind.
engine::CarSetup square_wheels_buggy() {
  engine::CarSetup car = buggy();
  car.external_id = 3;
  car.squared_wheels = true;
  car.body_mass = 230;
  car.max_speed = 50;
  car.drive = engine::Drive::all;
  car.rear_wheel.mass = 10;
  car.rear_wheel.damp_stiffness = 1e5;
  car.rear_wheel.damp_damping = 900;
  car.front_wheel.mass = 10;
  return car;
}

}  // namespace forkmunk::cars
