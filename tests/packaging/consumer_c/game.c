// SPDX-License-Identifier: MIT
#include <forkmunk/space.h>

static uint64_t step(forkmunk_space* world) {
  int i;
  for (i = 0; i < 60; ++i) forkmunk_space_step(world, 1.0 / 60);
  return forkmunk_space_hash(world);
}

int main(void) {
  forkmunk_space* const world = forkmunk_space_new(0, 0);
  forkmunk_snapshot* here;
  cpBody* ball;
  uint64_t end;
  forkmunk_space_enter(world);
  cpSpaceSetGravity(forkmunk_space_space(world), cpv(0, -100));
  ball = cpSpaceAddBody(forkmunk_space_space(world), cpBodyNew(1, 10));
  cpSpaceAddShape(forkmunk_space_space(world), cpCircleShapeNew(ball, 5, cpvzero));
  forkmunk_space_leave(world);
  here = forkmunk_space_save(world);
  end = step(world);
  return cpBodyGetPosition(ball).y < -40 && forkmunk_space_restore(world, here) == FORKMUNK_OK && step(world) == end
             ? 0
             : 1;
}
