#pragma once

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::chipmunk {

/// Files a space's collision handlers under the hashes of the present addresses of the objects that collision types are
/// addresses of.
void rekey_handlers(const cpSpace& space);

}  // namespace forkmunk::chipmunk
