// SPDX-License-Identifier: MIT
// The inner loop of a planner: tries three plans from the same state, and applies the best.
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/maps/catalogue.h>

#include <cstdio>

using namespace forkmunk::engine;

int main() {
  World world;
  world.begin_match({*forkmunk::maps::find("PillMap"), *forkmunk::cars::find("Buggy")});
  Snapshot here;
  while (world.takes_commands()) {
    Command best = Command::stop;
    double best_x = -1e9;
    world.save(here);  // one memcpy
    for (Command plan : kCommands) {
      for (int tick = 0; tick < 60; ++tick) world.step({plan, Command::left});
      const double x = world.dead(Player::first) ? -1e9 : world.car(Player::first).body.position.x;
      if (x > best_x) best = plan, best_x = x;
      world.restore(here);  // and one memcpy back: bit-exact
    }
    world.step({best, Command::left});
  }
  const bool won = world.dead(Player::second) && !world.dead(Player::first);
  std::printf("tick %d: the first player %s\n", world.tick(), won ? "won" : "did not win");
  return won ? 0 : 1;
}
