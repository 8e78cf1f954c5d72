// SPDX-License-Identifier: MIT
#include "world_implementation.h"

#include <forkmunk/base/error.h>

#include <string>

namespace forkmunk::engine {

std::string_view to_string(Physics physics) noexcept {
  switch (physics) {
    case Physics::chipmunk: return "chipmunk";
    case Physics::chipmunk_fast_math: return "chipmunk_fast_math";
    case Physics::flat: break;
  }
  return "flat";
}

bool is_available(Physics physics) noexcept { return is_available(arithmetic_of(physics)); }

void require_available(Physics physics) {
  if (is_available(physics)) return;
  throw Error("this build has no referee arithmetic: it needs gcc on x86-64 (strict arithmetic is available)");
}

Physics parse_physics(Arithmetic arithmetic, std::string_view engine) {
  Physics physics = fastest_physics(arithmetic);
  if (engine == "chipmunk") {
    physics = chipmunk_physics(arithmetic);
  } else if (engine == "flat") {
    if (physics != Physics::flat) {
      throw Error("the flat engine computes in strict arithmetic only: use strict arithmetic, or chipmunk");
    }
  } else if (engine != "auto") {
    throw Error("engine: found \"" + std::string(engine) + "\", expected \"flat\" or \"chipmunk\"");
  }
  require_available(physics);
  return physics;
}

std::vector<Physics> available_physics() {
  std::vector<Physics> result;
  for (const Physics physics : {Physics::flat, Physics::chipmunk, Physics::chipmunk_fast_math}) {
    if (is_available(physics)) result.push_back(physics);
  }
  return result;
}

}  // namespace forkmunk::engine
