// SPDX-License-Identifier: MIT
// Snapshots of scenes that were written on another machine must go on to the same states (scripts/test_machines).
#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/space/space.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace forkmunk;

constexpr int kStepsBefore = 150, kStepsAfter = 450;
constexpr int kRandomSteps = 200;  // after the journey
// motion_of() after kStepsBefore and after kStepsAfter more.
constexpr std::uint64_t kGoldenWritten = 0x71ab24f253f6a7fe, kGoldenEnd = 0xfbe0cf1684b0ad80;

struct Counts {
  int hits = 0;
};

}  // namespace
template <>
inline constexpr auto forkmunk::space::pointer_policy<Counts> = forkmunk::space::PointerPolicy::none;
namespace {

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

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  int below(int n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
  }
  double real(double low, double high) { return low + (high - low) * below(1 << 20) / (1 << 20); }

 private:
  std::uint64_t state_;
};

void begin_later(cpSpace*, void* body, void*) { cpBodyActivate(static_cast<cpBody*>(body)); }
cpBool begin(cpArbiter* arbiter, cpSpace* space, cpDataPointer counts) {
  CP_ARBITER_GET_BODIES(arbiter, a, b);
  static_cast<void>(a);
  const int hits = ++static_cast<Counts*>(counts)->hits;
  if (hits % 5 == 0) cpSpaceAddPostStepCallback(space, begin_later, b, nullptr);
  return hits % 7 == 0 ? cpArbiterIgnore(arbiter) : hits % 11 != 0;
}

cpConstraint* random_joint(Random& random, cpBody* a, cpBody* b) {
  switch (random.below(10)) {
    case 0: return cpPinJointNew(a, b, cpvzero, cpv(3, 0));
    case 1: return cpSlideJointNew(a, b, cpvzero, cpvzero, 2, 40);
    case 2: return cpPivotJointNew(a, b, cpBodyGetPosition(a));
    case 3: return cpGrooveJointNew(a, b, cpv(-20, 0), cpv(20, 3), cpvzero);
    case 4: return cpDampedSpringNew(a, b, cpvzero, cpvzero, 20, 30, 2);
    case 5: return cpDampedRotarySpringNew(a, b, 0.5, 300, 9);
    case 6: return cpRotaryLimitJointNew(a, b, -1, 1);
    case 7: return cpRatchetJointNew(a, b, 0, 1);
    case 8: return cpGearJointNew(a, b, 0, 2);
    default: return cpSimpleMotorNew(a, b, 3);
  }
}

void build_random_space(space::Space& world, cpSpace* space, Random& random) {
  cpSpaceSetGravity(space, cpv(random.real(-20, 20), -100));
  if (random.below(3) > 0) cpSpaceSetSleepTimeThreshold(space, random.real(0.1, 0.6));
  if (random.below(5) == 0) cpSpaceUseSpatialHash(space, 15, 100);
  cpSpaceSetCollisionPersistence(space, static_cast<cpTimestamp>(1 + random.below(4)));
  for (int i = 0; i < 3; ++i) {
    add_shape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-150 + 100 * i, random.real(-30, 0)),
                                       cpv(-50 + 100 * i, random.real(-30, 0)), 2));
  }
  std::vector<cpBody*> bodies;
  for (int i = 0; i < 6 + random.below(10); ++i) {
    const bool is_kinematic = random.below(12) == 0;
    cpBody* body = cpSpaceAddBody(space, is_kinematic ? cpBodyNewKinematic() : cpBodyNew(random.real(0.5, 3), 90));
    cpBodySetPosition(body, cpv(random.real(-120, 120), random.real(5, 120)));
    cpBodySetAngle(body, random.real(-3, 3));
    if (is_kinematic) cpBodySetVelocity(body, cpv(5, 0));
    if (random.below(8) == 0) cpBodySetVelocityUpdateFunc(body, slow_down);
    for (int shapes = 1 + random.below(2); shapes > 0; --shapes) {
      const double size = random.real(3, 9);
      const cpVect corners[] = {{-size, -5}, {size, -5}, {size + 2, 1}, {5, 6}, {0, 8}, {-5, 6}, {-size - 2, 1}};
      const int kind = random.below(4);
      cpShape* shape = kind == 0   ? cpCircleShapeNew(body, size, cpv(random.real(-2, 2), 0))
                       : kind == 1 ? cpSegmentShapeNew(body, cpv(-size, 0), cpv(size, 2), 2)
                       : kind == 2 ? cpBoxShapeNew(body, size, 9, 0.5)
                                   : cpPolyShapeNewRaw(body, 7, corners, 0);
      add_shape(space, shape);
      cpShapeSetCollisionType(shape, static_cast<cpCollisionType>(random.below(4)));
      if (random.below(12) == 0) cpShapeSetSensor(shape, cpTrue);
      if (random.below(6) == 0) cpShapeSetFilter(shape, cpShapeFilterNew(3, CP_ALL_CATEGORIES, CP_ALL_CATEGORIES));
    }
    if (!bodies.empty() && !is_kinematic && random.below(2) == 0) {
      cpBody* other = bodies[static_cast<std::size_t>(random.below(static_cast<int>(bodies.size())))];
      cpSpaceAddConstraint(space, random_joint(random, body, other));
    }
    cpBodySetUserData(body, reinterpret_cast<void*>(std::uintptr_t{1} + static_cast<std::uintptr_t>(i)));
    bodies.push_back(body);
  }
  cpCollisionHandler* handler =
      random.below(2) == 0 ? cpSpaceAddWildcardHandler(space, 2) : cpSpaceAddCollisionHandler(space, 0, 1);
  handler->beginFunc = begin;
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

std::unique_ptr<space::Space> read(std::istream& in, const char* path) {
  if (!in) throw Error(std::string(path) + ": cannot be read");
  auto world = std::make_unique<space::Space>();
  if (!world->restore(space::Snapshot::read(in))) throw Error(std::string(path) + ": does not fit");
  return world;
}

void play(space::Space& world) {
  build(world);
  step(world, kStepsBefore);
}

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

std::uint64_t step_all(space::Space& world) {
  for (cpSpace* space : world.spaces()) space == world.space() ? world.step(1.0 / 60) : cpSpaceStep(space, 1.0 / 60);
  return world.hash();
}

void play_random(space::Space& world, int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  {
    const auto building = world.enter();
    build_random_space(world, world.space(), random);
    if (random.below(4) == 0) build_random_space(world, cpSpaceNew(), random);
  }
  for (int i = 30 + random.below(150); i > 0; --i) step_all(world);
}

void write_random(std::ostream& out, std::int32_t count) {
  out.write(reinterpret_cast<const char*>(&count), sizeof count);
  for (int seed = 1; seed <= count; ++seed) {
    space::Space world;
    play_random(world, seed);
    world.save().write(out);
    for (int i = 0; i < kRandomSteps; ++i) {
      const std::uint64_t hash = step_all(world);
      out.write(reinterpret_cast<const char*>(&hash), sizeof hash);
    }
  }
}
bool check_random(std::istream& in) {
  std::int32_t count = 0;
  in.read(reinterpret_cast<char*>(&count), sizeof count);
  for (int seed = 1; seed <= count; ++seed) {
    space::Space world;
    if (!world.restore(space::Snapshot::read(in))) throw Error("a random scene does not fit");
    for (int i = 0; i < kRandomSteps; ++i) {
      std::uint64_t expected = 0;
      in.read(reinterpret_cast<char*>(&expected), sizeof expected);
      if (step_all(world) == expected) continue;
      std::printf("random scene %d: DIFFERENT after %d steps\n", seed, i + 1);
      return false;
    }
  }
  std::printf("%d random scenes, %d steps each: equal\n", count, kRandomSteps);
  return count > 0 && in.good();
}

void write(const char* path, int scene_count) {
  space::Space world;
  play(world);
  std::ofstream out(path, std::ios::binary);
  world.save().write(out);
  write_random(out, scene_count);
  if (!out.flush()) throw Error(std::string(path) + ": cannot be written");
}

bool check_read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  const auto theirs = read(in, path);
  space::Space own;
  play(own);
  bool good = equal("snapshot read", theirs->hash(), own.hash());
  step(*theirs, kStepsAfter);
  step(own, kStepsAfter);
  good &= equal("its hash()", theirs->hash(), own.hash());
  good &= equal("its end", motion_of(*theirs), kGoldenEnd);
  return check_random(in) && good;
}

}  // namespace

// scene_check [--scenes N] [--write FILE | --read FILE]...: checks the golden hashes, and writes or reads snapshots of
// the golden scene and N random ones.
int main(int argc, char** argv) try {
  space::name_code("scene_check count_hit", count_hit);
  space::name_code("scene_check slow_down", slow_down);
  space::name_code("scene_check begin", begin);
  space::name_code("scene_check begin_later", begin_later);
  bool good = check_golden();
  int scene_count = 60;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = i + 1 < argc ? argv[i] : "";
    if (option == "--scenes") {
      scene_count = std::atoi(argv[i + 1]);
    } else if (option == "--write") {
      write(argv[i + 1], scene_count);
    } else if (option == "--read") {
      good &= check_read(argv[i + 1]);
    } else {
      std::fputs("usage: scene_check [--scenes N] [--write FILE | --read FILE]...\n", stderr);
      return 2;
    }
  }
  return good ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "scene_check: %s\n", error.what());
  return 1;
}
