// SPDX-License-Identifier: MIT
#include <forkmunk/maps/blueprint.h>
#include <forkmunk/maps/catalogue.h>

#include <algorithm>
#include <array>
#include <numbers>

namespace forkmunk::maps {
namespace {

using std::numbers::pi;

// A floor and a ceiling, closed by half circles.
Blueprint pill_map() {
  return {
      .external_id = 1,
      .lines = {{{300, 100}, {900, 100}}, {{300, 700}, {900, 700}}},
      .arcs = {{.centre = {300, 400}, .radius = 300, .from_rad = pi / 2, .to_rad = pi * 3 / 2},
               {.centre = {900, 400}, .radius = 300, .from_rad = pi / 2, .to_rad = -pi / 2}},
  };
}

// The pill with a round hump in the middle of the floor.
Blueprint pill_hubble_map() {
  return extended(pill_map(), 2, {},
                  {{.centre = {600, -150}, .radius = 300, .from_rad = pi / 3.2, .to_rad = pi / 1.45}});
}

// The pill with a flat-topped hill, which the floor curves up to from both sides.
Blueprint pill_hill_map() {
  return extended(pill_map(), 3, {{{465, 195}, {735, 195}}},
                  {{.centre = {300, 300}, .radius = 200, .from_rad = -pi / 2, .to_rad = -pi / 6},
                   {.centre = {900, 300}, .radius = 200, .from_rad = pi * 3 / 2, .to_rad = pi * 7 / 6}});
}

// The pill with a bar across its middle, above the cars.
Blueprint pill_carcass_map() { return extended(pill_map(), 4, {{{300, 400}, {900, 400}}}, {}); }

// A floor that ends before the box does.
Blueprint island_map() { return {.external_id = 5, .lines = {{{100, 100}, {1100, 100}}}, .arcs = {}}; }

// Two ledges with a wall behind each and a lower plateau between them; a round slope leads down from each ledge.
Blueprint island_hole_map() {
  return {
      .external_id = 6,
      .lines = {{{10, 400}, {50, 200}},
                {{50, 200}, {300, 200}},
                {{380, 150}, {820, 150}},
                {{900, 200}, {1150, 200}},
                {{1150, 200}, {1190, 400}}},
      .arcs = {{.centre = {300, 100}, .radius = 100, .from_rad = pi / 6, .to_rad = pi / 2},
               {.centre = {900, 100}, .radius = 100, .from_rad = pi / 2, .to_rad = pi * 5 / 6}},
  };
}

}  // namespace

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
