// SPDX-License-Identifier: MIT
// The engine's Chipmunk and the user's never call each other.
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/maps/catalogue.h>

#include <cstdio>

extern "C" int other_chipmunk_calls;
extern "C" void cpSpaceNew();

int main() {
  using namespace forkmunk::engine;
  World world(Physics::chipmunk);
  world.begin_match({*forkmunk::maps::find("PillMap"), *forkmunk::cars::find("Buggy")});
  for (int tick = 0; tick < 100; ++tick) world.step({Command::right, Command::left});
  const bool moved = world.fork().hash() == world.hash() && world.tick() == 100;
  const int by_engine = other_chipmunk_calls;
  cpSpaceNew();
  std::printf("the engine called the other Chipmunk %d times, the user %d\n", by_engine,
              other_chipmunk_calls - by_engine);
  return moved && by_engine == 0 && other_chipmunk_calls == 1 ? 0 : 1;
}
