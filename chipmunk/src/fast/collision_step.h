#pragma once

#include "fast/late_contacts.h"

namespace forkmunk::chipmunk::fast {

/// Updates the moving shapes and finds what collides: fills space->arbiters and calls begin and preSolve, as
/// cpSpaceStep() does. \pre the space is locked, its bodies are where they are at the step's end.
void find_collisions(cpSpace* space, LateContacts& late);

}  // namespace forkmunk::chipmunk::fast
