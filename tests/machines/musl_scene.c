/* A pile of boxes, wheels with grooves, springs and motors, on a slope: what the engine asks of Chipmunk, in C alone.
 * Prints a hash of all bodies' numbers over 600 steps. scripts/test_musl compiles it with the machine's C library and
 * with musl. */
#include <chipmunk/chipmunk.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { car_count = 6, step_count = 600 };

static uint64_t hash = 0;

static void add(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
  hash ^= hash >> 32;
}

static cpBody* add_wheel(cpSpace* space, cpBody* car, double x, double y) {
  cpBody* wheel = cpSpaceAddBody(space, cpBodyNew(3, cpMomentForCircle(3, 0, 12, cpvzero)));
  cpBodySetPosition(wheel, cpvadd(cpBodyGetPosition(car), cpv(x, y)));
  cpShape* tyre = cpSpaceAddShape(space, cpCircleShapeNew(wheel, 12, cpvzero));
  cpShapeSetFriction(tyre, 0.9);
  cpShapeSetElasticity(tyre, 0.5);
  cpSpaceAddConstraint(space, cpGrooveJointNew(car, wheel, cpv(x, y + 10), cpv(x, y - 15), cpvzero));
  cpSpaceAddConstraint(space, cpDampedSpringNew(car, wheel, cpv(x, y + 20), cpvzero, 22, 700, 9));
  cpSpaceAddConstraint(space, cpSimpleMotorNew(wheel, car, 8));
  return wheel;
}

int main(void) {
  cpSpace* space = cpSpaceNew();
  cpSpaceSetGravity(space, cpv(0, -700));
  cpSpaceSetDamping(space, 0.85);
  cpBody* bodies[3 * car_count];
  for (int i = 0; i < 20; ++i) {
    cpShape* ground =
        cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(100 * i, 7 * (i * i % 11)),
                                                 cpv(100 * (i + 1), 7 * ((i + 1) * (i + 1) % 11)), 5));
    cpShapeSetFriction(ground, 1);
    cpShapeSetElasticity(ground, 0.3);
  }
  for (int i = 0; i < car_count; ++i) {
    cpVect hull[4] = {{-40, -8}, {40, -8}, {28, 14}, {-33, 11}};
    cpBody* car = cpSpaceAddBody(space, cpBodyNew(20, cpMomentForPoly(20, 4, hull, cpvzero, 0)));
    cpBodySetPosition(car, cpv(500 + 45 * i, 150 + 70 * i));
    cpBodySetAngle(car, 0.3 * i);
    cpShape* shape = cpSpaceAddShape(space, cpPolyShapeNewRaw(car, 4, hull, 1));
    cpShapeSetFriction(shape, 0.7);
    cpShapeSetElasticity(shape, 0.2);
    bodies[3 * i] = car;
    bodies[3 * i + 1] = add_wheel(space, car, -25, -20);
    bodies[3 * i + 2] = add_wheel(space, car, 25, -20);
  }
  for (int step = 0; step < step_count; ++step) {
    cpSpaceStep(space, 0.016);
    for (int i = 0; i < 3 * car_count; ++i) {
      const cpVect position = cpBodyGetPosition(bodies[i]), velocity = cpBodyGetVelocity(bodies[i]);
      add(position.x);
      add(position.y);
      add(cpBodyGetAngle(bodies[i]));
      add(velocity.x);
      add(velocity.y);
      add(cpBodyGetAngularVelocity(bodies[i]));
    }
  }
  printf("0x%016llx\n", (unsigned long long)hash);
  return 0;
}
