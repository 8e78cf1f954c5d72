#pragma once

#include <forkmunk/maps/blueprint.h>

namespace forkmunk::maps {

[[nodiscard]] Blueprint pill_map();
[[nodiscard]] Blueprint pill_hubble_map();
[[nodiscard]] Blueprint pill_hill_map();
[[nodiscard]] Blueprint pill_carcass_map();
[[nodiscard]] Blueprint island_map();
[[nodiscard]] Blueprint island_hole_map();

}  // namespace forkmunk::maps
