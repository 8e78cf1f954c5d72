// SPDX-License-Identifier: MIT
#include <forkmunk/cars/button.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/strict_math/strict_math.h>

#include <algorithm>
#include <array>

namespace forkmunk::cars {
namespace {

using engine::CarSetup;

CarSetup buggy() {
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

CarSetup bus() {
  constexpr double kRoofAngle = 0x1.0e24b035bd4b9p+0;  // atan(3 / 1.7), to the nearest double
  return {
      .external_id = 2,
      .body_poly = {{0, 6}, {8, 62}, {136, 62}, {153, 32}, {153, 5}, {110, 0}, {23, 0}},
      // The front of the roof slopes.
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

// The buggy on boxes: slower and heavier, with a stiffer rear spring.
CarSetup square_wheels_buggy() {
  CarSetup car = buggy();
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

}  // namespace

std::vector<engine::Vec2> polygon_of(const Button& button) {
  // The rules' order of operations decides the rounding.
  const auto [x, y] = button.corner;
  const double sine = strict_math::sin(button.angle_rad);
  const double cosine = strict_math::cos(button.angle_rad);
  const double w = button.width;
  const double h = button.height;
  return {{x, y},
          {x - h * sine, y + h * cosine},
          {x + w * cosine - h * sine, y + w * sine + h * cosine},
          {x + w * cosine, y + w * sine}};
}

std::span<const NamedCar> catalogue() {
  static const std::array<NamedCar, 3> cars{{
      {"Buggy", buggy()},
      {"Bus", bus()},
      {"SquareWheelsBuggy", square_wheels_buggy()},
  }};
  return cars;
}

const CarSetup* find(std::string_view name) {
  const auto cars = catalogue();
  const auto found = std::ranges::find(cars, name, &NamedCar::name);
  return found == cars.end() ? nullptr : &found->setup;
}

std::string name_of(const CarSetup& car) {
  const auto cars = catalogue();
  const auto found = std::ranges::find(cars, car, &NamedCar::setup);
  return found == cars.end() ? "other(" + std::to_string(car.external_id) + ")" : std::string{found->name};
}

}  // namespace forkmunk::cars
