// SPDX-License-Identifier: MIT
#pragma once

#include "chipmunk/match.h"
#include "flat/live_state.h"
#include "state_description.h"

#include <forkmunk/chipmunk/clonable_space.h>

/// The state of a match in a Chipmunk space: described by names, or written in the flat engine's layout.
namespace forkmunk::engine {

/// Describes bodies, joints, tree, pairs and contacts of a match. \param static_count  the number of its static shapes.
void describe(StateVisitor& visitor, const chipmunk::ClonableSpace& space, const Match& match,
              std::size_t static_count);

/// Writes the live state of a Chipmunk match in the flat engine's layout: bodies, impulses of joints and contacts,
/// tree, pairs, counters, rules. Numbers keep the bits of the match's arithmetic.
/// \param model  the model of the same setup. \param state  the first of size_bytes_max(model) bytes. Cost: 1 to 3 us.
void write_flat_state(const chipmunk::ClonableSpace& space, const Match& match, const flat::MatchModel& model,
                      flat::LiveState& state) noexcept;

}  // namespace forkmunk::engine
