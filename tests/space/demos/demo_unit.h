// SPDX-License-Identifier: MIT
/// Compiles a demo's unchanged source with the surrounding of ChipmunkDemo.c. The generated source of each demo
/// includes it and defines DEMO_NAME, DEMO_FILE and DEMO_VARIABLES. Names that are declared static before
/// ChipmunkDemo.h declares them extern belong to this unit.

#include "demo_program.h"

#include <chipmunk/chipmunk.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int demo_rand(void);
#define rand demo_rand

static int ChipmunkDemoTicks;
static double ChipmunkDemoTime;
static cpVect ChipmunkDemoKeyboard;
static cpVect ChipmunkDemoMouse;
static cpBool ChipmunkDemoRightClick;
static cpBool ChipmunkDemoRightDown;
static char const* ChipmunkDemoMessageString;
static cpShapeFilter GRAB_FILTER = {CP_NO_GROUP, 1u << 31, 1u << 31};
static cpShapeFilter NOT_GRABBABLE_FILTER = {CP_NO_GROUP, ~(1u << 31), ~(1u << 31)};
static void ChipmunkDemoPrintString(char const* fmt, ...);
static void ChipmunkDemoDefaultDrawImpl(cpSpace* space);
static void ChipmunkDemoFreeSpaceChildren(cpSpace* space);
static void ChipmunkDebugDrawCircle(cpVect, cpFloat, cpFloat, cpSpaceDebugColor, cpSpaceDebugColor);
static void ChipmunkDebugDrawSegment(cpVect, cpVect, cpSpaceDebugColor);
static void ChipmunkDebugDrawFatSegment(cpVect, cpVect, cpFloat, cpSpaceDebugColor, cpSpaceDebugColor);
static void ChipmunkDebugDrawPolygon(int, const cpVect*, cpFloat, cpSpaceDebugColor, cpSpaceDebugColor);
static void ChipmunkDebugDrawDot(cpFloat, cpVect, cpSpaceDebugColor);
static void ChipmunkDebugDrawBB(cpBB, cpSpaceDebugColor);

#include DEMO_FILE

static struct {
  uint32_t demo_random, input_random;
  int scene;
  cpSpace* space;
  cpBody* hand;
  cpConstraint* grip;
  cpVect aim;
  int right_ticks;  // remaining ticks of the right button
  int bodies_to_skip;
  char message[1024];
  int message_bytes;
} surrounding;

static uint32_t next_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 1;
}
static int demo_rand(void) { return (int)next_random(&surrounding.demo_random); }
static int input_below(int count) { return (int)((next_random(&surrounding.input_random) >> 8) % (uint32_t)count); }
/// The statement for y fixes the order of the draws, which compilers choose for arguments.
static cpVect input_within(int width, int height) {
  const int y = input_below(2 * height) - height;
  return cpv(input_below(2 * width) - width, y);
}

static void ChipmunkDemoDefaultDrawImpl(cpSpace* space) {}
static void ChipmunkDebugDrawCircle(cpVect p, cpFloat a, cpFloat r, cpSpaceDebugColor o, cpSpaceDebugColor f) {}
static void ChipmunkDebugDrawSegment(cpVect a, cpVect b, cpSpaceDebugColor color) {}
static void ChipmunkDebugDrawFatSegment(cpVect a, cpVect b, cpFloat r, cpSpaceDebugColor o, cpSpaceDebugColor f) {}
static void ChipmunkDebugDrawPolygon(int n, const cpVect* v, cpFloat r, cpSpaceDebugColor o, cpSpaceDebugColor f) {}
static void ChipmunkDebugDrawDot(cpFloat size, cpVect p, cpSpaceDebugColor color) {}
static void ChipmunkDebugDrawBB(cpBB bb, cpSpaceDebugColor color) {}

/// Output is state: it shows results of queries and arbiters.
static void ChipmunkDemoPrintString(char const* fmt, ...) {
  const int room = (int)sizeof(surrounding.message) - surrounding.message_bytes;
  va_list arguments;
  va_start(arguments, fmt);
  const int printed = vsnprintf(surrounding.message + surrounding.message_bytes, (size_t)room, fmt, arguments);
  va_end(arguments);
  surrounding.message_bytes += printed < room ? printed : room - 1;
}

static void free_shape(cpSpace* space, void* shape, void* unused) {
  cpSpaceRemoveShape(space, (cpShape*)shape);
  cpShapeFree((cpShape*)shape);
}
static void free_constraint(cpSpace* space, void* constraint, void* unused) {
  cpSpaceRemoveConstraint(space, (cpConstraint*)constraint);
  cpConstraintFree((cpConstraint*)constraint);
}
static void free_body(cpSpace* space, void* body, void* unused) {
  cpSpaceRemoveBody(space, (cpBody*)body);
  cpBodyFree((cpBody*)body);
}
static void post_shape(cpShape* shape, void* space) {
  cpSpaceAddPostStepCallback((cpSpace*)space, free_shape, shape, 0);
}
static void post_constraint(cpConstraint* constraint, void* space) {
  cpSpaceAddPostStepCallback((cpSpace*)space, free_constraint, constraint, 0);
}
static void post_body(cpBody* body, void* space) { cpSpaceAddPostStepCallback((cpSpace*)space, free_body, body, 0); }

static void ChipmunkDemoFreeSpaceChildren(cpSpace* space) {
  cpSpaceEachShape(space, post_shape, space);
  cpSpaceEachConstraint(space, post_constraint, space);
  cpSpaceEachBody(space, post_body, space);
}

#define DEMO_TEXT_OF(name) #name
#define DEMO_TEXT(name) DEMO_TEXT_OF(name)
#ifdef DEMO_HAS_LIST
static ChipmunkDemo* scene_at(int scene) { return &bench_list[scene]; }
static int scene_count(void) { return bench_count; }
#else
static ChipmunkDemo* scene_at(int scene) { return &DEMO_NAME; }
static int scene_count(void) { return 1; }
#endif
static const char* scene_name(int scene) { return scene_at(scene)->name; }

static void start(int scene, uint32_t seed) {
  surrounding.scene = scene;
  surrounding.demo_random = seed;
  surrounding.input_random = ~seed;
  surrounding.hand = cpBodyNewKinematic();
  surrounding.space = scene_at(scene)->initFunc();
}

static void release(void) {
  if (surrounding.grip == 0) return;
  cpSpaceRemoveConstraint(surrounding.space, surrounding.grip);
  cpConstraintFree(surrounding.grip);
  surrounding.grip = 0;
}

static void grab(void) {
  cpPointQueryInfo info = {0};
  cpShape* shape = cpSpacePointQueryNearest(surrounding.space, ChipmunkDemoMouse, 5.0, GRAB_FILTER, &info);
  if (shape == 0 || !(cpBodyGetMass(cpShapeGetBody(shape)) < INFINITY)) return;
  cpBody* body = cpShapeGetBody(shape);
  const cpVect nearest = info.distance > 0 ? info.point : ChipmunkDemoMouse;
  surrounding.grip = cpPivotJointNew2(surrounding.hand, body, cpvzero, cpBodyWorldToLocal(body, nearest));
  cpConstraintSetMaxForce(surrounding.grip, 50000);
  cpConstraintSetErrorBias(surrounding.grip, cpfpow(1.0 - 0.15, 60));
  cpSpaceAddConstraint(surrounding.space, surrounding.grip);
}

static void find_body(cpBody* body, void* data) {
  if (surrounding.bodies_to_skip-- == 0) surrounding.aim = cpBodyGetPosition(body);
}
static void count_body(cpBody* body, void* count) { ++*(int*)count; }

static void aim(void) {
  int count = 0;
  cpSpaceEachBody(surrounding.space, count_body, &count);
  if (count > 0 && input_below(2) == 0) {
    surrounding.bodies_to_skip = input_below(count);
    cpSpaceEachBody(surrounding.space, find_body, 0);
  } else {
    surrounding.aim = input_within(320, 240);
  }
}

/// The last 200 of 400 ticks have random input. The right button waits for the left one, because its breaks must not
/// hang from the hand. One scene's handler ends the program at the first collision, so it gets no input.
static void play(void) {
  if (ChipmunkDemoTicks % 400 < 200 || strstr(scene_name(surrounding.scene), "NoCollide") != 0) {
    release();
    ChipmunkDemoRightClick = cpFalse;
    ChipmunkDemoKeyboard = cpvzero;
    return;
  }
  if (input_below(16) == 0) {
    const int y = input_below(3) - 1;
    ChipmunkDemoKeyboard = cpv(input_below(3) - 1, y);
  }
  ChipmunkDemoMouse = cpvlerp(ChipmunkDemoMouse, surrounding.aim, 0.25);
  if (ChipmunkDemoRightClick) {
    if (--surrounding.right_ticks == 0) ChipmunkDemoRightClick = cpFalse;
    return;
  }
  if (input_below(12) == 0) aim();
  if (surrounding.grip != 0) {
    if (input_below(24) == 0) release();
  } else if (input_below(16) == 0) {
    ChipmunkDemoRightDown = ChipmunkDemoRightClick = cpTrue;
    surrounding.right_ticks = 12 + input_below(8);
    surrounding.aim = cpvneg(ChipmunkDemoMouse);
  } else if (input_below(8) == 0) {
    grab();
  }
}

static void tick(void) {
  const double dt = scene_at(surrounding.scene)->timestep;
  play();
  surrounding.message_bytes = 0;
  const cpVect position = cpBodyGetPosition(surrounding.hand);
  const cpVect next = cpvlerp(position, ChipmunkDemoMouse, 0.25);
  cpBodySetVelocity(surrounding.hand, cpvmult(cpvsub(next, position), 60));
  cpBodySetPosition(surrounding.hand, next);
  scene_at(surrounding.scene)->updateFunc(surrounding.space, dt);
  ++ChipmunkDemoTicks;
  ChipmunkDemoTime += dt;
  ChipmunkDemoRightDown = cpFalse;
}

static void finish(void) {
  release();
  scene_at(surrounding.scene)->destroyFunc(surrounding.space);
  cpBodyFree(surrounding.hand);
  surrounding.space = 0;
}

static cpSpace* space_of_unit(void) { return surrounding.space; }
static int grabbed_count(void) { return surrounding.grip != 0; }

#define DEMO_JOIN_OF(a, b) a##b
#define DEMO_JOIN(a, b) DEMO_JOIN_OF(a, b)
#define DEMO_BEGIN DEMO_JOIN(__start_, DEMO_VARIABLES)
#define DEMO_END DEMO_JOIN(__stop_, DEMO_VARIABLES)
extern unsigned char DEMO_BEGIN[], DEMO_END[];

const DemoUnit DEMO_JOIN(demo_unit_, DEMO_NAME) = {
    DEMO_TEXT(DEMO_NAME), DEMO_BEGIN,    DEMO_END, scene_count, scene_name, start, tick, finish,
    space_of_unit,        grabbed_count,
};
