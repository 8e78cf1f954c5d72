#include "car_types.h"

#include <forkmunk/cars/catalogue.h>

#include <algorithm>
#include <array>

namespace forkmunk::cars {

std::span<const NamedCar> catalogue() {
  static const std::array<NamedCar, 3> cars{{
      {"Buggy", buggy()},
      {"Bus", bus()},
      {"SquareWheelsBuggy", square_wheels_buggy()},
  }};
  return cars;
}

const engine::CarSetup* find(std::string_view name) {
  const auto cars = catalogue();
  const auto found = std::ranges::find(cars, name, &NamedCar::name);
  return found == cars.end() ? nullptr : &found->setup;
}

std::string name_of(const engine::CarSetup& car) {
  const auto cars = catalogue();
  const auto found = std::ranges::find(cars, car, &NamedCar::setup);
  return found == cars.end() ? "other(" + std::to_string(car.external_id) + ")" : std::string{found->name};
}

}  // namespace forkmunk::cars
