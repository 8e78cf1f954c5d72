#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/moves.h>

namespace forkmunk::chipmunk {

/// Copies what is alive in `from` into the empty arena `to`, packed: without free chunks, unused elements of pools and
/// unused ends of arrays. States are the same from here on.
/// \pre between steps; `to` has room for from.live_bytes().  \return the new addresses.  Cost: some visits to each
/// object.
[[nodiscard]] arena_alloc::Moves compact(const arena_alloc::Arena& from, arena_alloc::Arena& to);

}  // namespace forkmunk::chipmunk
