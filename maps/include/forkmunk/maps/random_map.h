#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/match_setup.h>

namespace forkmunk::maps {

/// A random map: one of the catalogue with some walls moved, removed or added, or random floors, slopes and arcs. For
/// tests that need more maps than the catalogue has; always valid.
[[nodiscard]] engine::MapSetup random_map(Random& random);

}  // namespace forkmunk::maps
