// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/vec2.h>

#include <vector>

namespace forkmunk::cars {

/// The button on a car's roof: a rectangle that is rotated around its first corner.
struct Button {
  engine::Vec2 corner;   ///< Relative to the car, in map units.
  double angle_rad = 0;  ///< The angle from the x axis to the side of length `width`, counter-clockwise.
  double width = 0;
  double height = 0;
};

/// Returns the corners, clockwise from `corner`, with the bits of the referee.
[[nodiscard]] std::vector<engine::Vec2> polygon_of(const Button& button);

}  // namespace forkmunk::cars
