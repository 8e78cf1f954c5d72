#include "blueprints.h"

#include <numbers>

namespace forkmunk::maps {

using std::numbers::pi;

// A floor and a ceiling, closed by half circles at both ends.
Blueprint pill_map() {
  return {
      .external_id = 1,
      .lines = {{{300, 100}, {900, 100}}, {{300, 700}, {900, 700}}},
      .arcs = {{.centre = {300, 400}, .radius = 300, .from_rad = pi / 2, .to_rad = pi * 3 / 2},
               {.centre = {900, 400}, .radius = 300, .from_rad = pi / 2, .to_rad = -pi / 2}},
  };
}

}  // namespace forkmunk::maps
