#include "car_types.h"

#include <forkmunk/cars/button.h>

namespace forkmunk::cars {

engine::CarSetup buggy() {
  return {
      .external_id = 1,
      .body_poly = {{0, 6}, {0, 25}, {33, 42}, {85, 42}, {150, 20}, {150, 0}, {20, 0}},
      .button_poly = polygon_of({.corner = {40, 42}, .angle_rad = 0, .width = 38, .height = 1}),
      .body_mass = 200,
      .body_friction = 0.9,
      .body_elasticity = 0.5,
      .max_speed = 70,
      .max_angular_speed = 2,
      .torque = 14e6,
      .drive = engine::Drive::rear,
      .rear_wheel = {.mass = 50,
                     .radius = 12,
                     .position = {29, -5},
                     .friction = 1,
                     .elasticity = 0.8,
                     .joint = {0, 0},
                     .groove_offset = 5,
                     .damp_position = {29, 20},
                     .damp_length = 25,
                     .damp_stiffness = 5e4,
                     .damp_damping = 3000},
      .front_wheel = {.mass = 5,
                      .radius = 12,
                      .position = {122, -5},
                      .friction = 1,
                      .elasticity = 0.8,
                      .joint = {0, 0},
                      .groove_offset = 5,
                      .damp_position = {122, 20},
                      .damp_length = 25,
                      .damp_stiffness = 6e4,
                      .damp_damping = 900},
  };
}

}  // namespace forkmunk::cars
