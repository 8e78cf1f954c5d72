// SPDX-License-Identifier: MIT
#include <forkmunk/space/space.h>

static void build(forkmunk::space::Space& world) {
  const auto building = world.enter();
  cpSpace* const space = world.space();
  cpSpaceSetGravity(space, cpv(0, -100));
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-50, 0), cpv(50, 0), 1));
  cpBody* const ball = cpSpaceAddBody(space, cpBodyNew(1, 10));
  cpBodySetPosition(ball, cpv(0, 20));
  cpSpaceAddShape(space, cpCircleShapeNew(ball, 5, cpvzero));
}

forkmunk::space::Space make_scene() {
  forkmunk::space::Space world;
  build(world);
  return world;
}
