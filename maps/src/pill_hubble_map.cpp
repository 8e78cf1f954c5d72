#include "blueprints.h"

#include <numbers>

namespace forkmunk::maps {

using std::numbers::pi;

// The pill with a round hump in the middle of the floor.
Blueprint pill_hubble_map() {
  return extended(pill_map(), 2, {},
                  {{.centre = {600, -150}, .radius = 300, .from_rad = pi / 3.2, .to_rad = pi / 1.45}});
}

}  // namespace forkmunk::maps
