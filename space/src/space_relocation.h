#pragma once

#include <forkmunk/space/clonable_space.h>

namespace forkmunk::space {

/// Makes every pointer that `twin`, a byte copy of `original`, will ever follow point into the twin's own arena, and
/// keys its contact cache by the new addresses of the shapes.
void relocate_space(const ClonableSpace& twin, const ClonableSpace& original);

}  // namespace forkmunk::space
