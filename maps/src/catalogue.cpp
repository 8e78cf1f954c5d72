#include "blueprints.h"

#include <forkmunk/maps/catalogue.h>

#include <algorithm>
#include <array>

namespace forkmunk::maps {

std::span<const NamedMap> catalogue() {
  static const std::array<NamedMap, 6> maps{{
      {"PillMap", expand(pill_map())},
      {"PillHubbleMap", expand(pill_hubble_map())},
      {"PillHillMap", expand(pill_hill_map())},
      {"PillCarcassMap", expand(pill_carcass_map())},
      {"IslandMap", expand(island_map())},
      {"IslandHoleMap", expand(island_hole_map())},
  }};
  return maps;
}

const engine::MapSetup* find(std::string_view name) {
  const auto maps = catalogue();
  const auto found = std::ranges::find(maps, name, &NamedMap::name);
  return found == maps.end() ? nullptr : &found->setup;
}

std::string name_of(const engine::MapSetup& map) {
  const auto maps = catalogue();
  const auto found = std::ranges::find(maps, map, &NamedMap::setup);
  return found == maps.end() ? "other(" + std::to_string(map.external_id) + ")" : std::string{found->name};
}

}  // namespace forkmunk::maps
