// SPDX-License-Identifier: MIT
#include <forkmunk/space/space.h>

int main() {
  forkmunk::space::Space world;
  cpBody* ball = nullptr;
  {
    const auto building = world.enter();
    ball = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    cpSpaceSetGravity(world.space(), cpv(0, -10));
  }
  const forkmunk::space::Space twin = world.fork();
  for (int i = 0; i < 10; ++i) world.step(0.1);
  return ball->p.y < 0 && twin.twin_of(world, ball)->p.y == 0 ? 0 : 1;
}
