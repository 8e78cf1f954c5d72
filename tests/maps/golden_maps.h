// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/hasher.h>
#include <forkmunk/maps/blueprint.h>
#include <forkmunk/maps/random_map.h>

#include <cstdint>

/// Random maps are hashed for the reason in golden_cars.h.
namespace forkmunk::tests {

inline constexpr std::uint64_t kRandomMapsHash = 0x41f3007f9f14b9b1;
inline constexpr std::uint64_t kArcsHash = 0x8a85dc698ac292f8;

inline void add_map(Hasher& hasher, const engine::MapSetup& map) {
  hasher.add(map.segments.size());
  for (const engine::Segment& segment : map.segments) {
    hasher.add(segment.a.x, segment.a.y, segment.b.x, segment.b.y, segment.radius);
  }
}

inline std::uint64_t random_maps_hash() {
  Hasher hasher;
  Random random(1);
  for (int i = 0; i < 1000; ++i) add_map(hasher, maps::random_map(random));
  return hasher.value();
}

inline std::uint64_t arcs_hash() {
  Hasher hasher;
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const double from = random.between(-7, 7);
    const double to = random.between(-7, 7);
    add_map(hasher, maps::expand({.external_id = 0,
                                  .lines = {},
                                  .arcs = {{.centre = {600, 300}, .radius = 250, .from_rad = from, .to_rad = to}}}));
  }
  return hasher.value();
}

}  // namespace forkmunk::tests
