// SPDX-License-Identifier: MIT
// A ball hits a tower: record_scene FILE writes a recording for `forkmunk scene FILE`. Exits with 1 if a step is not
// exact.
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/space.h>

#include <cstdio>
#include <fstream>

using namespace forkmunk::space;

cpBody* add_box(cpSpace* space, double x, double y, double size) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, size, size)));
  cpBodySetPosition(body, cpv(x, y));
  cpShapeSetFriction(cpSpaceAddShape(space, cpBoxShapeNew(body, size, size, 0.5)), 0.7);
  return body;
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: record_scene FILE\n"), 2;
  Space world;
  cpBody* ball;
  {
    const auto building = world.enter();
    cpSpace* space = world.space();
    cpSpaceSetGravity(space, cpv(0, -400));
    cpSpaceSetSleepTimeThreshold(space, 0.5);
    cpShape* ground =
        cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-300, 0), cpv(300, 0), 2));
    cpShapeSetFriction(ground, 1);
    for (int i = 0; i < 10; ++i) add_box(space, 0, 13 + 21.0 * i, 20);
    ball = cpSpaceAddBody(space, cpBodyNew(8, cpMomentForCircle(8, 0, 12, cpvzero)));
    cpBodySetPosition(ball, cpv(-200, 14));
    cpShapeSetFriction(cpSpaceAddShape(space, cpCircleShapeNew(ball, 12, cpvzero)), 0.5);
  }
  Recorder recorder(world);
  recorder.name(ball, "ball");
  for (int i = 0; i < 300; ++i) {
    if (i == 60) {
      cpBodySetVelocity(ball, cpv(500, 150));
      recorder.mark("shot");
    }
    world.step(1.0 / 60);
    recorder.log("speed of the ball", cpvlength(cpBodyGetVelocity(ball)));
  }
  std::ofstream file(argv[1], std::ios::binary);
  recorder.recording().write(file);
  for (const Verdict& verdict : recorder.recording().verify()) {
    if (verdict.kind != Verdict::Kind::exact) return std::printf("%s\n", verdict.reason.c_str()), 1;
  }
  std::printf("%s: 300 steps, all exact\n", argv[1]);
  return 0;
}
