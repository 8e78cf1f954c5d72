// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/match_setup.h>

namespace forkmunk::cars {

/// Returns a random valid car, with a convex body of 3 to 12 corners and numbers from a third to three times those of
/// the catalogue.
[[nodiscard]] engine::CarSetup random_car(Random& random);

}  // namespace forkmunk::cars
