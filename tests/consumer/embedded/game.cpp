// SPDX-License-Identifier: MIT
#include <forkmunk/space/space.h>

#include <cinttypes>
#include <cstdio>

static_assert(GAME_FLAG == 1);

forkmunk::space::Space make_scene();

int main() {
  forkmunk::space::Space world = make_scene();
  const auto here = world.save();
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  const auto end = world.hash();
  const bool restored = world.restore(here);
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  std::printf("%016" PRIx64 "\n", end);
  return restored && world.hash() == end ? 0 : 1;
}
