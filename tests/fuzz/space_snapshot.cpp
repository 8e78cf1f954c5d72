// SPDX-License-Identifier: MIT
#include "byte_input.h"
#include "target.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/space/space.h>

#include <array>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

/// A written snapshot of a Space, altered word by word; the checksum is mended, so that the bytes reach the validation.
/// Those that are read are forked, compared, written, and stepped.
namespace forkmunk {
namespace {

using space::Snapshot;
using space::Space;
using tests::ByteInput;

constexpr std::size_t kHeaderBytes = 40, kNamesOffset = 16, kChecksumOffset = 32;
constexpr std::uint64_t kPointerBase = 0x7ff7a5c300000000u;
constexpr int kSceneCount = 6;
constexpr int kStepsAfter = 5;

cpBool begin(cpArbiter* arbiter, cpSpace*, void*) { return cpArbiterGetCount(arbiter) >= 0; }
void after(cpArbiter* arbiter, cpSpace*, void*) { static_cast<void>(cpArbiterTotalImpulse(arbiter)); }
void fall(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  cpBodyUpdateVelocity(body, cpvmult(gravity, 0.5), damping, dt);
}
void drift(cpBody* body, cpFloat dt) { cpBodyUpdatePosition(body, dt); }
void read_impulse(cpConstraint* joint, cpSpace*) { static_cast<void>(cpConstraintGetImpulse(joint)); }
cpFloat pull(cpConstraint* spring, cpFloat distance) { return distance * cpDampedSpringGetStiffness(spring); }

cpShape* add_shape(cpSpace* space, cpBody* body, int kind) {
  const cpVect corners[] = {{-6, -5}, {6, -5}, {8, 1}, {5, 6}, {0, 8}, {-5, 6}, {-8, 1}};
  cpShape* shape = kind == 0   ? cpCircleShapeNew(body, 5, cpvzero)
                   : kind == 1 ? cpSegmentShapeNew(body, cpv(-6, 0), cpv(6, 1), 2)
                   : kind == 2 ? cpBoxShapeNew(body, 9, 9, 0)
                               : cpPolyShapeNewRaw(body, 7, corners, 0.5);
  cpShapeSetFriction(shape, 0.8);
  cpShapeSetCollisionType(shape, static_cast<cpCollisionType>(kind));
  return cpSpaceAddShape(space, shape);
}

void add_joints(cpSpace* space, const std::vector<cpBody*>& bodies) {
  const auto join = [&](cpConstraint* joint) { cpSpaceAddConstraint(space, joint); };
  join(cpPinJointNew(bodies[0], bodies[1], cpvzero, cpvzero));
  join(cpSlideJointNew(bodies[1], bodies[2], cpvzero, cpvzero, 1, 30));
  join(cpPivotJointNew(bodies[2], cpSpaceGetStaticBody(space), cpv(0, 40)));
  join(cpGrooveJointNew(bodies[3], bodies[4], cpv(-5, 0), cpv(5, 0), cpvzero));
  cpConstraint* spring = cpDampedSpringNew(bodies[4], bodies[5], cpvzero, cpvzero, 20, 5, 1);
  cpDampedSpringSetSpringForceFunc(spring, pull);
  cpConstraintSetPreSolveFunc(spring, read_impulse);
  join(spring);
  join(cpDampedRotarySpringNew(bodies[5], bodies[6], 0, 5, 1));
  join(cpRotaryLimitJointNew(bodies[6], bodies[7], -1, 1));
  join(cpRatchetJointNew(bodies[0], bodies[3], 0, 1));
  join(cpGearJointNew(bodies[1], bodies[4], 0, 2));
  join(cpSimpleMotorNew(bodies[2], bodies[5], 1));
}

void add_handlers(cpSpace* space) {
  cpSpaceAddCollisionHandler(space, 0, 2)->beginFunc = begin;
  cpSpaceAddWildcardHandler(space, 3)->separateFunc = after;
  cpSpaceAddDefaultCollisionHandler(space)->postSolveFunc = after;
}

// 0, 1: awake; 2: asleep; 3: with joints; 4: two spaces; 5: a spatial hash.
void build(Space& world, int scene) {
  const auto building = world.enter();
  cpSpace* space = world.space();
  if (scene == 5) cpSpaceUseSpatialHash(space, 12, 30);
  cpSpaceSetGravity(space, cpv(0, -90));
  cpSpaceSetSleepTimeThreshold(space, scene == 2 ? 0.2 : scene == 0 ? INFINITY : 0.5);
  add_shape(space, cpSpaceGetStaticBody(space), 1);
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-200, -20), cpv(200, -20), 2));
  cpBody* wall = cpSpaceAddBody(space, cpBodyNewStatic());
  cpSpaceAddShape(space, cpSegmentShapeNew(wall, cpv(-60, -20), cpv(-60, 60), 2));
  std::vector<cpBody*> bodies;
  for (int i = 0; i < 8; ++i) {
    cpBody* body = cpSpaceAddBody(space, cpBodyNew(1 + i, 50));
    cpBodySetPosition(body, cpv(-30 + 14.0 * (i % 4) + (scene == 2 ? 0 : i), -10 + 14.0 * static_cast<int>(i / 4)));
    add_shape(space, body, i % 4);
    bodies.push_back(body);
  }
  if (scene == 1) cpShapeSetSensor(add_shape(space, bodies[0], 2), cpTrue);
  cpBodySetVelocityUpdateFunc(bodies[0], fall);
  cpBodySetPositionUpdateFunc(bodies[1], drift);
  if (scene == 3) add_joints(space, bodies);
  if (scene != 0) add_handlers(space);
  if (scene == 4) {
    cpBody* belt = cpSpaceAddBody(space, cpBodyNewKinematic());
    add_shape(space, belt, 2);
    cpSpace* second = cpSpaceNew();
    add_shape(second, cpSpaceAddBody(second, cpBodyNew(1, 1)), 0);
    add_shape(second, cpSpaceAddBody(second, cpBodyNew(1, 1)), 2);
    cpSpaceStep(second, 0.1);
    cpShapeFree(cpCircleShapeNew(bodies[0], 1, cpvzero));
    world.make_array<void*>(20)[3] = bodies[2];
  }
  for (int i = 0; i < (scene == 2 ? 90 : 12); ++i) cpSpaceStep(space, 1.0 / 60);
}

void name_all() {
  space::name_code("begin", begin);
  space::name_code("after", after);
  space::name_code("fall", fall);
  space::name_code("drift", drift);
  space::name_code("read_impulse", read_impulse);
  space::name_code("pull", pull);
}

const std::string& file_of(int scene) {
  static std::array<std::string, kSceneCount> files;
  std::string& file = files[static_cast<std::size_t>(scene)];
  if (file.empty()) {
    name_all();
    Space world;
    build(world, scene);
    std::ostringstream out;
    world.save().write(out);
    file = out.str();
  }
  return file;
}

std::uint64_t word_at(const std::string& file, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, file.data() + offset, sizeof word);
  return word;
}

// What a word becomes. In a spatial hash no number may grow: Chipmunk visits each cell that a shape covers.
std::uint64_t altered(ByteInput& input, const std::string& file, std::size_t begin, std::uint64_t old, bool is_hash) {
  const bool is_pointer = old - kPointerBase < file.size();
  if (is_hash && !is_pointer) return old < 0x100000000u ? input.take<std::uint16_t>() : old;
  switch (input.index(10)) {
    case 0: return 0;
    case 1: return old + static_cast<std::uint64_t>(std::int64_t{input.take<std::int8_t>()});
    case 2: return old + 8 * static_cast<std::uint64_t>(std::int64_t{input.take<std::int16_t>()});
    case 3: return old ^ std::uint64_t{1} << input.index(64);
    case 4: return word_at(file, begin + 8 * input.index((file.size() - begin) / 8));  // another word of the state
    case 5: return kPointerBase + 16 * input.index((file.size() - begin) / 16);
    case 6: return kPointerBase + input.take<std::uint32_t>();
    case 7: return input.take<std::uint8_t>();
    case 8: return is_hash ? old : std::bit_cast<std::uint64_t>(input.number(std::bit_cast<double>(old)));
    default: return is_hash ? old : input.take<std::uint64_t>();
  }
}

void use(const Snapshot& snapshot, bool is_long) {
  Space world;
  tests::require(world.restore(snapshot), "a snapshot that was read does not fit");
  if (is_long) {
    Space twin = world.fork();
    tests::require(twin.hash() == world.hash() && !first_difference(world, twin), "a fork differs");
    static_cast<void>(world.outside_pointers().size());
    std::ostringstream out;
    world.save().write(out);
  }
  try {
    for (int i = 0; i < kStepsAfter; ++i) world.step(1.0 / 60);
  } catch (const Error&) {  // it has no main space, or outgrew its memory
  }
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forkmunk;
  ByteInput input(data, size);
  const int scene = static_cast<int>(input.index(kSceneCount));
  const bool is_long = input.index(8) == 0;
  std::string file = file_of(scene);
  const std::size_t begin = kHeaderBytes + word_at(file, kNamesOffset);
  while (!input.empty()) {
    const std::size_t offset = begin + 8 * input.index((file.size() - begin) / 8);
    const std::uint64_t word = altered(input, file, begin, word_at(file, offset), scene == 5);
    std::memcpy(file.data() + offset, &word, sizeof word);
  }
  const std::uint64_t checksum = checksum_of(std::as_bytes(std::span(file)).subspan(kHeaderBytes));
  std::memcpy(file.data() + kChecksumOffset, &checksum, sizeof checksum);
  std::istringstream in(file);
  Snapshot snapshot;
  try {
    snapshot = Snapshot::read(in);
  } catch (const Error&) {
    return 0;
  }
  use(snapshot, is_long);
  return 0;
}
