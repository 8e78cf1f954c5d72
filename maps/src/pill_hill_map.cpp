#include "blueprints.h"

#include <numbers>

namespace forkmunk::maps {

using std::numbers::pi;

// The pill with a flat-topped hill, which the floor curves up to from both sides.
Blueprint pill_hill_map() {
  return extended(pill_map(), 3, {{{465, 195}, {735, 195}}},
                  {{.centre = {300, 300}, .radius = 200, .from_rad = -pi / 2, .to_rad = -pi / 6},
                   {.centre = {900, 300}, .radius = 200, .from_rad = pi * 3 / 2, .to_rad = pi * 7 / 6}});
}

}  // namespace forkmunk::maps
