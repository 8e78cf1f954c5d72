#include "blueprints.h"

namespace forkmunk::maps {

// A floor that ends before the box does.
Blueprint island_map() { return {.external_id = 5, .lines = {{{100, 100}, {1100, 100}}}, .arcs = {}}; }

}  // namespace forkmunk::maps
