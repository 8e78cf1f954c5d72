#pragma once

#include "fast/stock_step.h"

namespace forkmunk::chipmunk::fast {

/// Updates the moving shapes and finds what collides: fills space->arbiters and calls begin and preSolve, as
/// cpSpaceStep() does. \pre the space is locked, its bodies are where they are at the step's end.
void find_collisions(cpSpace* space);

}  // namespace forkmunk::chipmunk::fast
