#pragma once

#include "chipmunk/match.h"
#include "flat/live_state.h"

#include <forkmunk/chipmunk/clonable_space.h>

namespace forkmunk::engine {

/// Writes all of a Chipmunk match's live state as the flat engine keeps it: bodies, joints' and contacts' impulses,
/// tree, pairs, counters, rules. What the arithmetics differ in is in the numbers; from here on it is the flat
/// engine's. \param model  of the same setup. \param state  the first of size_bytes_max(model) bytes. Cost: 1 to 3 us.
void write_flat_state(const chipmunk::ClonableSpace& space, const Match& match, const flat::MatchModel& model,
                      flat::LiveState& state) noexcept;

}  // namespace forkmunk::engine
