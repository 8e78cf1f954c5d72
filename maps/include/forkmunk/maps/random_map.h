#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/match_setup.h>

namespace forkmunk::maps {

/// A map that nobody has drawn: one of the catalogue's with some walls moved, gone or added, or floors, slopes and arcs
/// at random. For tests that want more than the catalogue; always valid.
[[nodiscard]] engine::MapSetup random_map(Random& random);

}  // namespace forkmunk::maps
