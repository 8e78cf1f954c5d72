#include "blueprints.h"

#include <numbers>

namespace forkmunk::maps {

using std::numbers::pi;

// Two ledges with a wall behind each and a lower plateau between them; a round slope leads down from each ledge.
Blueprint island_hole_map() {
  return {
      .external_id = 6,
      .lines = {{{10, 400}, {50, 200}},
                {{50, 200}, {300, 200}},
                {{380, 150}, {820, 150}},
                {{900, 200}, {1150, 200}},
                {{1150, 200}, {1190, 400}}},
      .arcs = {{.centre = {300, 100}, .radius = 100, .from_rad = pi / 6, .to_rad = pi / 2},
               {.centre = {900, 100}, .radius = 100, .from_rad = pi / 2, .to_rad = pi * 5 / 6}},
  };
}

}  // namespace forkmunk::maps
