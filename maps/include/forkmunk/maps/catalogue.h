// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>

#include <span>
#include <string>
#include <string_view>

/// The contest's six maps.
namespace forkmunk::maps {

struct NamedMap {
  std::string_view name;  ///< The contest's name, e.g. "PillMap".
  engine::MapSetup setup;
};

/// Returns all maps in the order of their external ids, 1 to 6. The maps live as long as the program.
[[nodiscard]] std::span<const NamedMap> catalogue();

/// Returns the map with this name, or null.
[[nodiscard]] const engine::MapSetup* find(std::string_view name);

/// Returns the name of the map of the catalogue that equals `map`, or else "other(ID)" with the external id of `map`.
[[nodiscard]] std::string name_of(const engine::MapSetup& map);

}  // namespace forkmunk::maps
