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

/// Returns all maps in the order of their external ids. They live as long as the program.
[[nodiscard]] std::span<const NamedMap> catalogue();

/// Returns null for an unknown name.
[[nodiscard]] const engine::MapSetup* find(std::string_view name);

/// Returns the name of the equal map of the catalogue, or else "other(ID)" with the external id.
[[nodiscard]] std::string name_of(const engine::MapSetup& map);

}  // namespace forkmunk::maps
