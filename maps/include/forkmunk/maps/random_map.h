// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/match_setup.h>

namespace forkmunk::maps {

/// Returns a random valid map: one of the catalogue with some walls moved, removed or added, or random floors, slopes
/// and arcs.
[[nodiscard]] engine::MapSetup random_map(Random& random);

}  // namespace forkmunk::maps
