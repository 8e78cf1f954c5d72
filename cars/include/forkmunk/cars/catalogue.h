// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>

#include <span>
#include <string>
#include <string_view>

/// The contest's three cars.
namespace forkmunk::cars {

struct NamedCar {
  std::string_view name;  ///< The contest's name, e.g. "Buggy".
  engine::CarSetup setup;
};

/// Returns all cars in the order of their external ids. They live as long as the program.
[[nodiscard]] std::span<const NamedCar> catalogue();

/// Returns null for an unknown name.
[[nodiscard]] const engine::CarSetup* find(std::string_view name);

/// Returns the name of the equal car of the catalogue, or else "other(ID)" with the external id.
[[nodiscard]] std::string name_of(const engine::CarSetup& car);

}  // namespace forkmunk::cars
