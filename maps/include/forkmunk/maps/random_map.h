// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/match_setup.h>

namespace forkmunk::maps {

/// Returns a random map: a map of the catalogue with some walls moved, removed or added, or random floors, slopes and
/// arcs. The map is always valid. Tests use it for more variety than the catalogue has.
[[nodiscard]] engine::MapSetup random_map(Random& random);

}  // namespace forkmunk::maps
