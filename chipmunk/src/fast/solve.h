#pragma once

#include "fast/stock_step.h"

namespace forkmunk::chipmunk::fast {

/// Integrates the velocities and solves contacts and joints, as cpSpaceStep() does. \pre the space is locked.
void solve(cpSpace* space, cpFloat dt, cpFloat previous_dt);

}  // namespace forkmunk::chipmunk::fast
