// SPDX-License-Identifier: MIT
#include <forkmunk/maps/blueprint.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/maps/random_map.h>

#include <numbers>

namespace forkmunk::maps {
namespace {

using engine::MapSetup;
using engine::Segment;
using engine::Vec2;

Segment random_wall(Random& random) {
  const Vec2 from{random.between(0, engine::kFieldWidth), random.between(20, 700)};
  Vec2 to{from.x + random.between(-400, 400), from.y + random.between(-150, 150)};
  if (random.below(3) == 0) to.y = from.y;  // most maps have level ground
  if (to.x - from.x < 1 && to.x - from.x > -1) to.x = from.x + 1;
  return {from, to, random.below(4) == 0 ? random.between(0, 30) : kWallRadius};
}

MapSetup altered(Random& random, MapSetup map) {
  for (Segment& segment : map.segments) {
    if (random.below(20) == 0) segment.a.y += random.between(-20, 20);
    if (random.below(40) == 0) segment.radius = random.between(1, 25);
  }
  if (random.below(4) == 0) map.segments.erase(map.segments.begin() + random.below(map.segments.size()));
  return map;
}

MapSetup drawn(Random& random) {
  Blueprint blueprint;
  blueprint.lines.push_back(
      {{random.between(-50, 250), random.between(60, 220)}, {random.between(850, 1250), random.between(60, 220)}});
  for (std::uint32_t i = random.below(3); i > 0; --i) {
    blueprint.arcs.push_back({.centre = {random.between(100, 1100), random.between(-100, 600)},
                              .radius = random.between(60, 400),
                              .from_rad = random.between(0, 2 * std::numbers::pi),
                              .to_rad = random.between(2.5 * std::numbers::pi, 3 * std::numbers::pi),
                              .segment_count = 8 + static_cast<int>(random.below(30))});
  }
  return expand(blueprint);
}

}  // namespace

MapSetup random_map(Random& random) {
  MapSetup map =
      random.below(2) == 0 ? altered(random, catalogue()[random.below(catalogue().size())].setup) : drawn(random);
  map.external_id = 100;
  for (std::uint32_t i = random.below(4); i > 0; --i) map.segments.push_back(random_wall(random));
  return map;
}

}  // namespace forkmunk::maps
