// SPDX-License-Identifier: MIT
#pragma once

#include "support/scenes.h"

#include <string>
#include <vector>

namespace forkmunk::tests {

struct SearchPosition {
  std::string name;
  engine::World world;
};

inline std::vector<SearchPosition> search_positions(int ticks = 50) {
  std::vector<SearchPosition> positions;
  for (const Scene& scene : all_scenes()) {
    engine::World world;
    world.begin_match(scene.setup);
    Script script(2);
    for (int i = 0; i < ticks; ++i) {
      engine::World ahead = world.fork();
      const engine::Commands commands = script.next();
      ahead.step(commands);
      if (!ahead.takes_commands()) break;  // both must live
      world.step(commands);
    }
    positions.push_back({std::string(scene.map).append(" ").append(scene.car), std::move(world)});
  }
  return positions;
}

}  // namespace forkmunk::tests
