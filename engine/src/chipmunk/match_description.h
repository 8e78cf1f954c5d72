#pragma once

#include "chipmunk/match.h"
#include "state_description.h"

#include <forkmunk/chipmunk/clonable_space.h>

namespace forkmunk::engine {

/// Bodies, joints, tree, pairs and contacts of a match in a Chipmunk space. \param static_count  its static shapes.
void describe(StateVisitor& visitor, const chipmunk::ClonableSpace& space, const Match& match,
              std::size_t static_count);

}  // namespace forkmunk::engine
