#pragma once

#include <forkmunk/engine/match_setup.h>

#include <span>
#include <string>
#include <string_view>

/// The contest's three cars.
namespace forkmunk::cars {

struct NamedCar {
  std::string_view name;  ///< The contest's, e.g. "Buggy".
  engine::CarSetup setup;
};

/// All cars by external id, 1 to 3. They live as long as the program.
[[nodiscard]] std::span<const NamedCar> catalogue();

/// The car of that name, or null.
[[nodiscard]] const engine::CarSetup* find(std::string_view name);

/// The name of the catalogue's car that has the same numbers, all of them; else "other(ID)" with the external id.
[[nodiscard]] std::string name_of(const engine::CarSetup& car);

}  // namespace forkmunk::cars
