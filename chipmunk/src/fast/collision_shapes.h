#pragma once

#include "fast/collision_kernel.h"
#include "fast/kernel.h"

FORKMUNK_FAST_BEGIN

/// Moves shapes to where their bodies are, as cpShapeCacheBB() does, in order.
void update_shapes(cpShape* const* shapes, std::size_t count);

FORKMUNK_FAST_END
