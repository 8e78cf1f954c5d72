// SPDX-License-Identifier: MIT
// A scene of forkmunk::space that travels between machines: its snapshot, written on one and read on another, must step
// on to the same states. 64-bit machines only. scripts/test_machines builds and runs it.
#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/space/space.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <string>

namespace {

using namespace forkmunk;

constexpr int kStepsBefore = 150, kStepsAfter = 450;
// motion_of() after kStepsBefore and after kStepsAfter more.
constexpr std::uint64_t kGoldenWritten = 0x71ab24f253f6a7fe, kGoldenEnd = 0xfbe0cf1684b0ad80;

/// In the space's memory.
struct Counts {
  int hits = 0;
};

cpBool count_hit(cpArbiter*, cpSpace*, cpDataPointer counts) {
  ++static_cast<Counts*>(counts)->hits;
  return cpTrue;
}

void slow_down(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  cpBodyUpdateVelocity(body, gravity, damping * 0.995, dt);
}

cpBody* add_body(cpSpace* space, cpVect position, double mass, double moment) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(mass, moment));
  cpBodySetPosition(body, position);
  return body;
}

void add_shape(cpSpace* space, cpShape* shape) {
  cpShapeSetFriction(cpSpaceAddShape(space, shape), 0.7);
  cpShapeSetElasticity(shape, 0.2);
}

// Boxes, balls and hexagons that fall onto a floor, joints of several kinds, a turning paddle, a counter of hits.
void build(space::Space& world) {
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -300));
  cpSpaceSetSleepTimeThreshold(space, 0.5);
  cpBody* ground = cpSpaceGetStaticBody(space);
  add_shape(space, cpSegmentShapeNew(ground, cpv(-300, 0), cpv(300, 20), 2));
  add_shape(space, cpSegmentShapeNew(ground, cpv(300, 20), cpv(320, 200), 2));
  const cpVect hexagon[] = {{10, 0}, {5, 8.7}, {-5, 8.7}, {-10, 0}, {-5, -8.7}, {5, -8.7}};
  cpBody* previous = nullptr;
  for (int i = 0; i < 60; ++i) {
    cpBody* body = add_body(space, cpv(-200 + i % 10 * 40 + i, 60 + i / 10 * 45), 1 + i % 3, 120);
    cpBodySetAngle(body, 0.1 * i);
    if (i % 3 == 0) add_shape(space, cpBoxShapeNew(body, 20, 14, 0.5));
    if (i % 3 == 1) add_shape(space, cpCircleShapeNew(body, 9, cpvzero));
    if (i % 3 == 2) add_shape(space, cpPolyShapeNewRaw(body, 6, hexagon, 0));
    if (i % 7 == 0) cpBodySetVelocityUpdateFunc(body, slow_down);
    if (i % 10 == 4) cpSpaceAddConstraint(space, cpPinJointNew(previous, body, cpv(5, 0), cpv(-5, 0)));
    if (i % 10 == 6) cpSpaceAddConstraint(space, cpDampedSpringNew(previous, body, cpvzero, cpvzero, 40, 90, 3));
    if (i % 10 == 8) cpSpaceAddConstraint(space, cpRotaryLimitJointNew(previous, body, -0.5, 1.0));
    previous = body;
  }
  cpBody* paddle = add_body(space, cpv(0, 90), 5, 2000);
  add_shape(space, cpSegmentShapeNew(paddle, cpv(-60, 0), cpv(60, 0), 3));
  cpSpaceAddConstraint(space, cpPivotJointNew(ground, paddle, cpv(0, 90)));
  cpSpaceAddConstraint(space, cpSimpleMotorNew(ground, paddle, 3));
  cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space);
  handler->beginFunc = count_hit;
  handler->userData = world.make<Counts>();
}

void step(space::Space& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step(1.0 / 60);
}

std::uint64_t motion_of(space::Space& world) {
  Hasher hasher;
  const auto add = [](cpBody* body, void* data) {
    const cpVect position = cpBodyGetPosition(body), velocity = cpBodyGetVelocity(body);
    static_cast<Hasher*>(data)->add(position.x, position.y, velocity.x, velocity.y, cpBodyGetAngle(body),
                                    cpBodyGetAngularVelocity(body), int{cpBodyIsSleeping(body)});
  };
  cpSpaceEachBody(world.space(), add, &hasher);
  return hasher.value();
}

bool equal(const char* name, std::uint64_t found, std::uint64_t expected) {
  std::printf("%-18s 0x%016" PRIx64 ": ", name, found);
  if (found == expected) {
    std::printf("equal\n");
  } else {
    std::printf("DIFFERENT, expected 0x%016" PRIx64 "\n", expected);
  }
  return found == expected;
}

std::unique_ptr<space::Space> read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(std::string(path) + ": cannot be read");
  auto world = std::make_unique<space::Space>();
  if (!world->restore(space::Snapshot::read(in))) throw Error(std::string(path) + ": does not fit");
  return world;
}

void play(space::Space& world) {
  build(world);
  step(world, kStepsBefore);
}

// The scene from its beginning, with each SIMD target.
bool check_golden() {
  bool good = true;
  for (const SimdTarget target : available_simd_targets()) {
    set_simd_target(target);
    space::Space world;
    play(world);
    good &= equal(std::string("scene, ").append(to_string(target)).c_str(), motion_of(world), kGoldenWritten);
    step(world, kStepsAfter);
    good &= equal("its end", motion_of(world), kGoldenEnd);
  }
  return good;
}

void write(const char* path) {
  space::Space world;
  play(world);
  std::ofstream out(path, std::ios::binary);
  world.save().write(out);
  if (!out.flush()) throw Error(std::string(path) + ": cannot be written");
}

// Compares the state that another machine wrote, and the one that follows from it, with this machine's own.
bool check_read(const char* path) {
  const auto theirs = read(path);
  space::Space own;
  play(own);
  bool good = equal("snapshot read", theirs->hash(), own.hash());
  step(*theirs, kStepsAfter);
  step(own, kStepsAfter);
  good &= equal("its hash()", theirs->hash(), own.hash());
  return equal("its end", motion_of(*theirs), kGoldenEnd) && good;
}

}  // namespace

// scene_check [--write FILE | --read FILE]...: compares the scene with the golden hashes; writes or reads its snapshot.
int main(int argc, char** argv) try {
  space::name_code("scene_check count_hit", count_hit);
  space::name_code("scene_check slow_down", slow_down);
  bool good = check_golden();
  for (int i = 1; i < argc; i += 2) {
    const bool writes = std::strcmp(argv[i], "--write") == 0;
    if (i + 1 == argc || (!writes && std::strcmp(argv[i], "--read") != 0)) {
      std::fputs("usage: scene_check [--write FILE | --read FILE]...\n", stderr);
      return 2;
    }
    if (writes) {
      write(argv[i + 1]);
    } else {
      good &= check_read(argv[i + 1]);
    }
  }
  return good ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "scene_check: %s\n", error.what());
  return 1;
}
