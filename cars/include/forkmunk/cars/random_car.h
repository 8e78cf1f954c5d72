#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/match_setup.h>

namespace forkmunk::cars {

/// A random car: round or square wheels, any drive, a convex body of 3 to 12 corners, and numbers from a fraction to a
/// few times of the catalogue's. For tests that need more cars than the catalogue has; always valid.
[[nodiscard]] engine::CarSetup random_car(Random& random);

}  // namespace forkmunk::cars
