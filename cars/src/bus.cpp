#include "car_types.h"

#include <forkmunk/cars/button.h>

namespace forkmunk::cars {

namespace {
constexpr double kRoofAngle = 0x1.0e24b035bd4b9p+0;  // atan(3 / 1.7), to the nearest double
}  // namespace

engine::CarSetup bus() {
  return {
      .external_id = 2,
      .body_poly = {{0, 6}, {8, 62}, {136, 62}, {153, 32}, {153, 5}, {110, 0}, {23, 0}},
      // On the sloping front of the roof.
      .button_poly = polygon_of({.corner = {137, 59}, .angle_rad = -kRoofAngle, .width = 28, .height = 1}),
      .body_mass = 700,
      .body_friction = 0.9,
      .body_elasticity = 0.5,
      .max_speed = 45,
      .max_angular_speed = 2,
      .torque = 35e6,
      .drive = engine::Drive::all,
      .rear_wheel = {.mass = 60,
                     .radius = 13,
                     .position = {38, -5},
                     .friction = 0.9,
                     .elasticity = 0.8,
                     .joint = {0, 0},
                     .groove_offset = 5,
                     .damp_position = {38, 30},
                     .damp_length = 35,
                     .damp_stiffness = 1e5,
                     .damp_damping = 6000},
      .front_wheel = {.mass = 60,
                      .radius = 13,
                      .position = {125, -5},
                      .friction = 1,
                      .elasticity = 0.8,
                      .joint = {0, 0},
                      .groove_offset = 5,
                      .damp_position = {125, 30},
                      .damp_length = 35,
                      .damp_stiffness = 1e5,
                      .damp_damping = 6000},
  };
}

}  // namespace forkmunk::cars
