#pragma once

#include "bench/support/space_scene.h"

namespace forkmunk::bench {

/// The scene `mixed`: a heap of circles, segments and polygons of 3 to 8 vertices between walls, on a conveyor belt, a
/// sensor and a rotating bar; every fourth body has a joint to the one before it, of the ten kinds in turn. Shapes have
/// five collision types. Handlers with all four callbacks, which read their arbiters: of types 1 and 2, and of type 3
/// with any type. They take 44 % of the pairs of types.
BuiltScene build_mixed_scene(const SceneApi& api, cpSpace* space, int body_count);

}  // namespace forkmunk::bench
