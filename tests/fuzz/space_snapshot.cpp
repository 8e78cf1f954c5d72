// SPDX-License-Identifier: MIT
#include "../space/portable_file.h"
#include "byte_input.h"
#include "target.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

/// Snapshots altered by fields, bits and parts of others, with a valid checksum, are refused or forked, compared,
/// stepped and written. Over a second of processor time is a finding.
namespace forkmunk {
namespace {

using space::Snapshot;
using space::Space;
using tests::ByteInput;

using portable_file::File;
using portable_file::Table;

constexpr int kSceneCount = 12;
constexpr int kStepsAfter = 100;
constexpr double kWorkMax = 1e6;  // iterations of contacts and joints
constexpr double kSecondsMax = 1;

double seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

cpBool begin(cpArbiter* arbiter, cpSpace*, void*) { return cpArbiterGetCount(arbiter) >= 0; }
void after(cpArbiter* arbiter, cpSpace*, void*) { static_cast<void>(cpArbiterTotalImpulse(arbiter)); }
void fall(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  cpBodyUpdateVelocity(body, cpvmult(gravity, 0.5), damping, dt);
}
void do_later(cpSpace*, void*, void*) {}
void drift(cpBody* body, cpFloat dt) { cpBodyUpdatePosition(body, dt); }
void read_impulse(cpConstraint* joint, cpSpace*) { static_cast<void>(cpConstraintGetImpulse(joint)); }
// A file may name it for both kinds of springs.
cpFloat pull(cpConstraint* spring, cpFloat distance) {
  return distance * (cpConstraintIsDampedSpring(spring) ? cpDampedSpringGetStiffness(spring) : 5);
}

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

void add_joints(cpSpace* space, cpBody* a, cpBody* b, int third) {
  const auto join = [space](cpConstraint* joint) { return cpSpaceAddConstraint(space, joint); };
  if (third == 0) {
    join(cpPinJointNew(a, b, cpvzero, cpvzero));
    join(cpSlideJointNew(a, b, cpvzero, cpvzero, 1, 30));
    join(cpPivotJointNew(b, cpSpaceGetStaticBody(space), cpv(0, 40)));
  } else if (third == 1) {
    join(cpGrooveJointNew(a, b, cpv(-5, 0), cpv(5, 0), cpvzero));
    cpConstraint* spring = join(cpDampedSpringNew(a, b, cpvzero, cpvzero, 20, 5, 1));
    cpDampedSpringSetSpringForceFunc(spring, pull);
    cpConstraintSetPreSolveFunc(spring, read_impulse);
    join(cpDampedRotarySpringNew(a, b, 0, 5, 1));
  } else {
    join(cpRotaryLimitJointNew(a, b, -1, 1));
    join(cpRatchetJointNew(a, b, 0, 1));
    join(cpGearJointNew(a, b, 0, 2));
    join(cpSimpleMotorNew(a, b, 1));
  }
}

void add_handlers(cpSpace* space) {
  cpSpaceAddCollisionHandler(space, 0, 2)->beginFunc = begin;
  cpSpaceAddWildcardHandler(space, 3)->separateFunc = after;
  cpSpaceAddDefaultCollisionHandler(space)->postSolveFunc = after;
}

// 0: awake; 1: without persistence; 2: asleep; 3 to 5: joints; 6: two spaces and the user's objects; 7, 8: a spatial
// hash; 9: a callback after the step; 10: as stock Chipmunk; 11: a static and a kinematic body.
void build(Space& world, int scene) {
  if (scene == 8 || scene == 10) world.set_defects(space::Defects::stock);
  const auto building = world.enter();
  cpSpace* space = world.space();
  if (scene == 7 || scene == 8) cpSpaceUseSpatialHash(space, 12, 30);
  cpSpaceSetGravity(space, cpv(0, -90));
  cpSpaceSetSleepTimeThreshold(space, scene == 2 ? 0.2 : scene < 2 ? INFINITY : 0.5);
  if (scene == 1) cpSpaceSetCollisionPersistence(space, 0);
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-200, -20), cpv(200, -20), 2));
  cpBody* bodies[2];
  for (int i = 0; i < 2; ++i) {
    bodies[i] = cpSpaceAddBody(space, cpBodyNew(1 + i, 50));
    cpBodySetPosition(bodies[i], cpv(scene == 2 ? 0 : 5 * i, -12 + 11 * i));
    add_shape(space, bodies[i], (scene + 2 * i) % 4);
  }
  if (scene == 1) cpShapeSetSensor(add_shape(space, bodies[0], 2), cpTrue);
  if (scene == 0 || scene == 9) cpBodySetVelocityUpdateFunc(bodies[0], fall);
  if (scene == 0 || scene == 9) cpBodySetPositionUpdateFunc(bodies[1], drift);
  if (scene >= 3 && scene <= 5) add_joints(space, bodies[0], bodies[1], scene - 3);
  if (scene % 2 == 0) add_handlers(space);
  if (scene == 6) {
    cpSpace* second = cpSpaceNew();
    add_shape(second, cpSpaceAddBody(second, cpBodyNew(1, 1)), 0);
    add_shape(second, cpSpaceAddBody(second, cpBodyNew(1, 1)), 2);
    cpSpaceStep(second, 0.1);
    cpShapeFree(cpCircleShapeNew(bodies[0], 1, cpvzero));
    world.make_array<void*>(20)[3] = bodies[1];
    bodies[0]->userData = world.make_array<void*>(2).data();
  }
  if (scene == 11) {
    cpBody* wall = cpSpaceAddBody(space, cpBodyNewStatic());
    cpSpaceAddShape(space, cpSegmentShapeNew(wall, cpv(-12, -20), cpv(-12, 60), 2));
    add_shape(space, cpSpaceAddBody(space, cpBodyNewKinematic()), 2);
  }
  for (int i = 0; i < (scene == 2 ? 90 : 12); ++i) cpSpaceStep(space, 1.0 / 60);
  if (scene == 9) cpSpaceAddPostStepCallback(space, do_later, bodies[0], nullptr);
}

void name_all() {
  space::name_code("begin", begin);
  space::name_code("after", after);
  space::name_code("fall", fall);
  space::name_code("drift", drift);
  space::name_code("read_impulse", read_impulse);
  space::name_code("pull", pull);
  space::name_code("do_later", do_later);
}

const File& file_of(int scene) {
  static std::array<std::unique_ptr<File>, kSceneCount> files;
  std::unique_ptr<File>& file = files[static_cast<std::size_t>(scene)];
  if (file == nullptr) {
    name_all();
    Space world;
    build(world, scene);
    std::ostringstream out;
    world.save().write(out);
    file = std::make_unique<File>(out.str());
  }
  return *file;
}

template <typename T>
T read_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <typename T>
void write_at(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void alter_number(ByteInput& input, std::string& bytes, std::size_t at, std::size_t others) {
  const auto old = read_at<std::uint32_t>(bytes, at);
  switch (input.index(6)) {
    case 0: return write_at(bytes, at, std::uint32_t{input.take<std::uint8_t>()});
    case 1: return write_at(bytes, at, old + static_cast<std::uint32_t>(std::int32_t{input.take<std::int8_t>()}));
    case 2: return write_at(bytes, at, input.take<std::uint32_t>());
    case 3: return write_at(bytes, at, static_cast<std::uint32_t>(input.index(others + 1)));
    case 4: return write_at(bytes, at, 0xffffffffu - static_cast<std::uint32_t>(input.index(3)));
    default: return write_at(bytes, at, std::uint32_t{0});
  }
}

const Table& table_with_rows(ByteInput& input, const File& file) {
  std::vector<const Table*> tables;
  for (const Table& table : file.tables()) {
    if (table.count > 0) tables.push_back(&table);
  }
  return *tables[input.index(tables.size())];
}

void alter_field(ByteInput& input, const File& file, std::string& bytes) {
  const Table& table = table_with_rows(input, file);
  const auto& field = table.fields[input.index(table.fields.size())];
  const std::size_t at = table.begin + input.index(table.count) * table.row_bytes + field.offset;
  switch (field.letter) {
    case 'f': {
      const std::size_t part = at + 8 * input.index(field.bytes / 8);
      return write_at(bytes, part, input.number(read_at<double>(bytes, part)));
    }
    case 'b': return write_at(bytes, at, input.take<std::uint8_t>());
    case 'w':
      write_at(bytes, at, static_cast<std::uint8_t>(input.index(6)));
      return write_at(bytes, at + 1,
                      input.index(2) == 0 ? input.take<std::uint64_t>() : input.index(file.object_count()));
    default: return alter_number(input, bytes, at, file.object_count());
  }
}

void alter(ByteInput& input, const File& file, std::string& bytes) {
  switch (input.index(8)) {
    case 0: {  // flips a bit, in half of the cases behind the schema
      const std::size_t first = input.index(2) == 0 ? chipmunk::kPortableHeaderBytes : file.objects_begin();
      const std::size_t at = first + input.index(bytes.size() - first);
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << input.index(8));
      return;
    }
    case 1: {
      const Table& table = table_with_rows(input, file);
      const std::size_t from = table.begin + input.index(table.count) * table.row_bytes;
      std::memmove(bytes.data() + table.begin + input.index(table.count) * table.row_bytes, bytes.data() + from,
                   table.row_bytes);
      return;
    }
    case 2: {
      bytes[file.objects_begin() + input.index(file.object_count())] = static_cast<char>(input.index(40));
      return;
    }
    case 3: {
      const std::string& other = file_of(static_cast<int>(input.index(kSceneCount))).bytes();
      const std::size_t to =
          chipmunk::kPortableHeaderBytes + input.index(bytes.size() - chipmunk::kPortableHeaderBytes);
      const std::size_t from = input.index(2) == 0 ? to % other.size() : input.index(other.size());
      const std::size_t count = std::min({input.index(2000), bytes.size() - to, other.size() - from});
      std::memcpy(bytes.data() + to, other.data() + from, count);
      return;
    }
    default: alter_field(input, file, bytes);
  }
}

// \param all  includes actions that take as long as the steps.
void use(const Snapshot& snapshot, bool all) {
  static Space world, read;  // used memory is faster
  tests::require(world.restore(snapshot), "a snapshot that was read does not fit");
  Space twin = world.fork();
  tests::require(twin.hash() == world.hash(), "a fork differs");
  const auto travel = [](const Space& space) {
    tests::require(read.restore(Snapshot::from_bytes(space.save().to_bytes())), "what was read is written");
    tests::require(read.hash() == space.hash(), "another hash after a journey");
  };
  if (all) {
    const auto difference = first_difference(world, twin);
    tests::require(!difference, "a fork differs: " + difference.value_or(""));
    travel(world);
  }
  try {
    // A valid state may be expensive by iterations or cells of a spatial hash.
    double work = 0;
    const std::clock_t begin = std::clock();
    for (int i = 0; i < kStepsAfter && work < kWorkMax && seconds_since(begin) < kSecondsMax / 2; ++i) {
      for (const cpSpace* space : world.spaces()) {
        work += static_cast<double>(space->iterations) * (space->arbiters->num + space->constraints->num + 1);
      }
      for (cpSpace* space : world.spaces())
        space == world.space() ? world.step(1.0 / 60) : cpSpaceStep(space, 1.0 / 60);
    }
    travel(world);
  } catch (const Error&) {
    return;
  }
  if (all) static_cast<void>(world.compact());
}

void alter_difference(ByteInput& input) {
  const std::string& base = file_of(static_cast<int>(input.index(kSceneCount))).bytes();
  const std::string& other = file_of(static_cast<int>(input.index(kSceneCount))).bytes();
  const auto bytes_of = [](const std::string& text) { return std::as_bytes(std::span<const char>(text)); };
  std::vector<std::byte> delta = space::delta_of(bytes_of(base), bytes_of(other));
  tests::require(std::ranges::equal(space::apply_delta(bytes_of(base), delta), bytes_of(other)),
                 "a difference is wrong");
  const std::size_t head = space::kDeltaHeaderBytes;
  while (!input.empty())
    delta[head + input.index(delta.size() - head)] = static_cast<std::byte>(input.take<std::uint8_t>());
  const std::uint64_t checksum = chipmunk::portable_checksum(std::span(delta).subspan(head), 1);
  std::memcpy(delta.data() + 24, &checksum, sizeof checksum);
  try {
    static_cast<void>(space::apply_delta(bytes_of(base), delta, std::size_t{1} << 24));
  } catch (const Error&) {}
}

struct Counts {
  std::uint64_t files = 0, read = 0;
  ~Counts() {
    std::fprintf(stderr, "space_snapshot: read %llu of %llu altered files\n", static_cast<unsigned long long>(read),
                 static_cast<unsigned long long>(files));
  }
};

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forkmunk;
  static Counts counts;
  const std::clock_t begin = std::clock();
  ByteInput input(data, size);
  const auto scene = static_cast<int>(input.index(kSceneCount + 1));
  if (scene == kSceneCount) {
    alter_difference(input);
    tests::require(seconds_since(begin) < kSecondsMax, "an input takes a second");
    return 0;
  }
  const File& file = file_of(scene);
  std::string bytes = file.bytes();
  while (!input.empty()) alter(input, file, bytes);
  ++counts.files;
  Snapshot snapshot;
  try {
    snapshot = Snapshot::from_bytes(std::as_bytes(std::span<const char>(File::mended(bytes))));
  } catch (const Error&) {
    return 0;
  }
  ++counts.read;
  use(snapshot, size % 8 == 0);
  tests::require(seconds_since(begin) < kSecondsMax, "an input takes a second");
  return 0;
}
