#pragma once

#include <forkmunk/engine/match_setup.h>

#include <span>
#include <string>
#include <string_view>

/// The contest's six maps.
namespace forkmunk::maps {

struct NamedMap {
  std::string_view name;  ///< The contest's, e.g. "PillMap".
  engine::MapSetup setup;
};

/// All maps by external id, 1 to 6. They live as long as the program.
[[nodiscard]] std::span<const NamedMap> catalogue();

/// The map of that name, or null.
[[nodiscard]] const engine::MapSetup* find(std::string_view name);

/// The name of the catalogue's map that has the same numbers, all of them; else "other(ID)" with the external id.
[[nodiscard]] std::string name_of(const engine::MapSetup& map);

}  // namespace forkmunk::maps
