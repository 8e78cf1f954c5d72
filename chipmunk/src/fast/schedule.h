#pragma once

#include "fast/groups.h"

FORKMUNK_FAST_BEGIN

/// List scheduling of the contacts and joints (solver.h): SolverKernel::schedule.
bool schedule(Solver& solver, const cpSpace& space) noexcept;

FORKMUNK_FAST_END
