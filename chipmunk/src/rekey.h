#pragma once

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::chipmunk {

/// Files a space's cached contacts and collision handlers under the hashes of the present addresses of shapes, and of
/// the objects that collision types are addresses of.
void rekey(const cpSpace& space);

}  // namespace forkmunk::chipmunk
