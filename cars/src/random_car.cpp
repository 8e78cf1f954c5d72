// SPDX-License-Identifier: MIT
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/cars/random_car.h>
#include <forkmunk/strict_math/strict_math.h>

#include <algorithm>
#include <numbers>

namespace forkmunk::cars {
namespace {

using engine::CarSetup;
using engine::Vec2;
using engine::WheelSetup;

// Ascending angles make the polygon convex. Some polygons are in reverse order.
std::vector<Vec2> convex_polygon(Random& random, Vec2 centre, double width, double height) {
  std::vector<double> angles;
  const std::size_t count = 3 + random.below(10);
  for (std::size_t i = 0; i < count; ++i) {
    const auto sector = static_cast<double>(i);  // one corner per sector, so that all corners differ
    angles.push_back((sector + random.between(0.1, 0.9)) * 2 * std::numbers::pi / static_cast<double>(count));
  }
  if (random.below(2) == 0) std::reverse(angles.begin(), angles.end());
  std::vector<Vec2> polygon;
  for (const double angle : angles) {
    polygon.push_back(
        {centre.x + width / 2 * strict_math::cos(angle), centre.y + height / 2 * strict_math::sin(angle)});
  }
  return polygon;
}

double varied(Random& random, double value) { return value * strict_math::exp(random.between(-1.1, 1.1)); }

WheelSetup random_wheel(Random& random, const WheelSetup& model, double x) {
  WheelSetup wheel = model;
  wheel.mass = varied(random, model.mass);
  wheel.radius = random.between(4, 25);
  wheel.position = {x, random.between(-20, 10)};
  wheel.friction = random.below(8) == 0 ? 0 : random.between(0.2, 2);
  wheel.elasticity = random.below(3) == 0 ? 0 : random.between(0, 1);
  wheel.groove_offset = random.between(0, 12);
  wheel.damp_position = {x + random.between(-10, 10), random.between(0, 30)};
  wheel.damp_length = random.between(14, 40);
  wheel.damp_stiffness = varied(random, model.damp_stiffness);
  wheel.damp_damping = random.below(8) == 0 ? 0 : varied(random, model.damp_damping);
  return wheel;
}

}  // namespace

CarSetup random_car(Random& random) {
  const CarSetup& model = catalogue()[random.below(catalogue().size())].setup;
  CarSetup car = model;
  car.external_id = 100;
  const double width = random.between(40, 260), height = random.between(15, 110);
  const Vec2 centre{random.between(20, 120), random.between(0, 50)};
  car.body_poly = convex_polygon(random, centre, width, height);
  // Separate statements: compilers evaluate arguments in different orders.
  const double button_height = random.between(1, 8);
  const double button_width = random.between(4, 50);
  const Vec2 button_centre{centre.x + random.between(-width / 3, width / 3), centre.y + height / 2 + 3};
  car.button_poly = convex_polygon(random, button_centre, button_width, button_height);
  car.body_mass = varied(random, model.body_mass);
  car.body_friction = random.between(0, 1.5);
  car.body_elasticity = random.below(3) == 0 ? 0 : random.between(0, 1);
  car.max_speed = varied(random, model.max_speed);
  car.torque = varied(random, model.torque);
  car.drive = static_cast<engine::Drive>(1 + random.below(3));
  car.squared_wheels = random.below(2) == 0;
  car.rear_wheel = random_wheel(random, model.rear_wheel, centre.x - width * random.between(0.1, 0.5));
  car.front_wheel = random_wheel(random, model.front_wheel, centre.x + width * random.between(0.1, 0.5));
  return car;
}

}  // namespace forkmunk::cars
