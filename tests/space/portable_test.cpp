// SPDX-License-Identifier: MIT
#include "portable_file.h"
#include "random_scene.h"
#include "space_host.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#ifndef _WIN32
#include <unistd.h>
#endif

namespace forkmunk::space {
namespace {

using random_scene::SceneState;

/// Notes are found conservatively, because code that shows pointers cannot travel.
class TravellingHost final : public random_scene::SpaceHost {
 public:
  using SpaceHost::SpaceHost;
  random_scene::Note* make_note() override {
    struct NoteWords {
      void* words[3];
    };
    static_assert(sizeof(NoteWords) == sizeof(random_scene::Note));
    return reinterpret_cast<random_scene::Note*>(world_.make<NoteWords>());
  }
};

void name_all() {
  random_scene::for_each_callback(
      [](const char* name, const void* function) { name_typed_code(name, function, chipmunk::CodeType::unknown); });
}

struct Played {
  Space world;
  SceneState* state;

  Played(int seed, int steps) {
    name_all();
    TravellingHost host(world);
    state = random_scene::build(host, static_cast<std::uint64_t>(seed), true);
    play(world, *state, steps);
  }
  static void play(Space& world, SceneState& state, int steps) {
    TravellingHost host(world);
    for (int i = 0; i < steps; ++i) random_scene::advance(host, state);
  }
};

SceneState& state_of(const Space& world) {
  return *static_cast<SceneState*>(cpSpaceGetUserData(world.spaces().front()));
}

std::string written(const Space& world) {
  std::ostringstream out;
  world.save().write(out);
  return out.str();
}

Snapshot read_from(const std::string& bytes) {
  std::istringstream in(bytes);
  return Snapshot::read(in);
}

std::string error_of(const std::string& bytes) {
  try {
    static_cast<void>(read_from(bytes));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// FORKMUNK_PORTABLE_SCENES=500x200 sets the number of scenes and of steps after the journey.
TEST(Portable, RandomScenesTravel) {
  int scene_count = 40;
  int step_count = 60;
  if (const char* text = std::getenv("FORKMUNK_PORTABLE_SCENES")) std::sscanf(text, "%dx%d", &scene_count, &step_count);
  for (int seed = 1; seed <= scene_count; ++seed) {
    SCOPED_TRACE(seed);
    Played scene(seed, 150 + seed % 200);
    Space arrived;
    const std::string bytes = written(scene.world);
    ASSERT_TRUE(arrived.restore(read_from(bytes)));
    ASSERT_EQ(arrived.hash(), scene.world.hash()) << first_difference(scene.world, arrived).value_or("");
    ASSERT_EQ(written(arrived), bytes);
    ASSERT_TRUE(std::ranges::equal(scene.world.to_bytes(), std::as_bytes(std::span(bytes))));
    if (seed % 2 == 0) arrived = Space::from_bytes(scene.world.to_bytes());
    for (int i = 0; i < step_count; ++i) {
      Played::play(scene.world, *scene.state, 1);
      Played::play(arrived, state_of(arrived), 1);
      ASSERT_EQ(arrived.hash(), scene.world.hash()) << i << first_difference(scene.world, arrived).value_or("");
    }
  }
}

TEST(Portable, AnObjectInNoSpaceIsWrittenThoughTheFileCountsFewer) {
  Space world;
  const auto building = world.enter();
  cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  cpBodyNew(2, 2);
  portable_file::File file(written(world));
  file.set<std::uint32_t>("root", 0, "created", 1);
  Space arrived;
  ASSERT_TRUE(arrived.restore(read_from(file.mended())));
  EXPECT_EQ(arrived.hash(), world.hash());
  EXPECT_EQ(portable_file::File(written(arrived)).object_count(), file.object_count());
}

#ifndef _WIN32  // scripts/test_machines exchanges states there
/// Runs in a process of its own, by the test below.
TEST(Portable, DISABLED_Child) {
  const char* path = std::getenv("FORKMUNK_PORTABLE_STATE");
  if (path == nullptr) GTEST_SKIP() << "it is another test's";
  name_all();
  std::ifstream file(path, std::ios::binary);
  Space arrived;
  ASSERT_TRUE(arrived.restore(Snapshot::read(file)));
  std::printf("hash %016llx", static_cast<unsigned long long>(arrived.hash()));
  Played::play(arrived, state_of(arrived), 50);
  std::printf(" %016llx address %p\n", static_cast<unsigned long long>(arrived.hash()),
              static_cast<void*>(arrived.space()));
}

TEST(Portable, AnotherProcessHasTheSameHash) {
  Played scene(5, 120);
  const std::string path = testing::TempDir() + "forkmunk_portable_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << written(scene.world);
  char program[4096] = {};
  ASSERT_GT(::readlink("/proc/self/exe", program, sizeof program - 1), 0);
  const std::string command = "FORKMUNK_PORTABLE_STATE=" + path + ' ' + program +
                              " --gtest_also_run_disabled_tests --gtest_filter=Portable.DISABLED_Child";
  std::FILE* child = ::popen(command.c_str(), "r");
  ASSERT_NE(child, nullptr);
  unsigned long long at_once = 0;
  unsigned long long later = 0;
  char line[512];
  while (std::fgets(line, sizeof line, child) != nullptr) {
    if (const char* found = std::strstr(line, "hash ")) std::sscanf(found, "hash %llx %llx", &at_once, &later);
  }
  EXPECT_EQ(::pclose(child), 0);
  EXPECT_EQ(at_once, scene.world.hash());
  Played::play(scene.world, *scene.state, 50);
  EXPECT_EQ(later, scene.world.hash());
  std::remove(path.c_str());
}
#endif

void a_named_function(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  cpBodyUpdateVelocity(body, gravity, damping * 0.9, dt);
}
void a_nameless_function(cpBody* body, cpFloat dt) { cpBodyUpdatePosition(body, dt); }

struct ShowsNothing {
  void* nothing;
  void visit_pointers(PointerVisitor& visit) { visit(nothing); }
};

TEST(Portable, WhatCannotTravelIsNamed) {
  const auto error_of_writing = [](void (*change)(Space&, cpBody*)) -> std::string {
    Space world;
    const auto building = world.enter();
    cpBody* body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    change(world, body);
    try {
      static_cast<void>(written(world));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of_writing([](Space&, cpBody*) {}), "");
  EXPECT_EQ(error_of_writing([](Space&, cpBody* body) { cpBodySetPositionUpdateFunc(body, &a_nameless_function); }),
            "body 0: position_func: found a function or class without a name, expected one given with name_code()");
  EXPECT_EQ(error_of_writing([](Space& world, cpBody*) { world.make<ShowsNothing>(); }),
            "typed object 0: object: found an object whose pointers only code can show, expected none to travel");
  EXPECT_EQ(error_of_writing([](Space&, cpBody* body) { cpBodySetVelocityUpdateFunc(body, &a_named_function); }),
            "body 0: velocity_func: found a function or class without a name, expected one given with name_code()");
  static cpBody* const outside = cpBodyNew(1, 1);
  // A build with checks finds it in save(), others find it in write().
  const std::string found = error_of_writing([](Space& world, cpBody*) { cpSpaceAddBody(world.space(), outside); });
  EXPECT_NE(found.find("out of the space's memory; make"), std::string::npos) << found;
  cpBodyFree(outside);
  name_code("the test's velocity", &a_named_function);
  EXPECT_EQ(error_of_writing([](Space&, cpBody* body) { cpBodySetVelocityUpdateFunc(body, &a_named_function); }), "");
  EXPECT_THROW(Snapshot().write(std::cout), Error);
}

TEST(Portable, NamesThatCannotBeReadAreRefused) {
  for (const std::string& name : {std::string(), std::string("a\0b", 3), std::string("chipmunk polygon"),
                                  std::string("forkmunk memory resource")}) {
    EXPECT_THROW(name_code(name, &a_named_function), Error) << name;
  }
  EXPECT_THROW(name_address("nothing", nullptr), Error);
  EXPECT_THROW(name_code("the test's own", &cpBodyUpdateVelocity), Error);
  Space world;
  cpShape* shape = nullptr;
  {
    const auto building = world.enter();
    cpBody* body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    shape = cpSpaceAddShape(world.space(), cpBoxShapeNew(body, 1, 1, 0));
  }
  EXPECT_THROW(name_address("the test's class", shape->klass), Error);
  EXPECT_EQ(error_of(written(world)), "");
}

TEST(Portable, ASpaceWhoseFirstSpaceWasFreedTravels) {
  Space world;
  {
    const auto building = world.enter();
    cpSpaceNew();
    cpSpaceFree(world.space());
  }
  Space other;
  ASSERT_TRUE(other.restore(read_from(written(world))));
  EXPECT_EQ(other.space(), nullptr);
  EXPECT_EQ(other.spaces().size(), 1u);
  EXPECT_EQ(other.hash(), world.hash());
}

TEST(Portable, PointersBehindTheStateLeadNowhere) {
  struct Words {
    void* words[2];
  };
  Space world;
  const auto building = world.enter();
  for (int i = 0; i < 5; ++i) cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  auto* const words = world.make<Words>();
  cpSpaceSetUserData(world.space(), words);
  words->words[0] = world.make<Words>();
  world.release(static_cast<Words*>(words->words[0]));
  const Snapshot saved = world.save();
  EXPECT_EQ(saved.to_bytes(), world.to_bytes());
  EXPECT_EQ(Space::from_bytes(saved.to_bytes()).hash(), world.hash());

  cpBodyFree(cpSpaceAddBody(world.space(), cpBodyNew(1, 1)));
  EXPECT_THROW(static_cast<void>(world.save().to_bytes()), Error);
}

// The state has many times its file's bytes, more than a snapshot has room for at first.
TEST(Portable, AStateOfManyEmptyCellsTravels) {
  Space world;
  {
    const auto building = world.enter();
    cpSpaceUseSpatialHash(world.space(), 10, 100'000);
    cpSpaceAddShape(world.space(), cpCircleShapeNew(cpSpaceGetStaticBody(world.space()), 1, cpvzero));
  }
  const std::vector<std::byte> bytes = world.to_bytes();
  ASSERT_GT(world.live_bytes(), 8 * bytes.size());
  const Snapshot read = Snapshot::from_bytes(bytes);
  EXPECT_EQ(read.to_bytes(), bytes);
  Space arrived;
  ASSERT_TRUE(arrived.restore(read));
  EXPECT_EQ(arrived.hash(), world.hash());
  EXPECT_THROW(static_cast<void>(Snapshot::from_bytes(bytes, world.live_bytes() / 2)), Error);
}

TEST(Portable, AFullBufferOfContactsTravels) {
  Space world;
  const auto scope = world.enter();
  cpSpace* const space = world.space();
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-10, 0), cpv(8000, 0), 1));
  for (int i = 0; i < 400; ++i) {
    cpBody* const body = cpSpaceAddBody(space, cpBodyNew(1, 1));
    cpBodySetPosition(body, cpv(20 * i, 5.9));
    cpSpaceAddShape(space, i % 50 == 0 ? cpCircleShapeNew(body, 5, cpvzero) : cpBoxShapeNew(body, 10, 10, 0));
  }
  world.step(1.0 / 60);
  const auto* const newest = reinterpret_cast<const chipmunk::layout::ContactSlots*>(space->contactBuffersHead);
  ASSERT_EQ(newest->next->contact_count, chipmunk::layout::kContactSlotCount);
  Space arrived;
  ASSERT_TRUE(arrived.restore(read_from(written(world))));
  EXPECT_EQ(arrived.hash(), world.hash());
}

TEST(Portable, AFloorOfABodyInNoSpaceKeepsTheHash) {
  Space world;
  cpBody* ball = nullptr;
  {
    const auto scope = world.enter();
    cpSpace* const space = world.space();
    cpBody* const floor = cpBodyNewStatic();
    for (int x = -20; x < 20; x += 10) cpSpaceAddShape(space, cpSegmentShapeNew(floor, cpv(x, 0), cpv(x + 10, 0), 1));
    ball = cpSpaceAddBody(space, cpBodyNew(1, 10));
    cpSpaceAddShape(space, cpCircleShapeNew(ball, 5, cpvzero));
    cpSpaceSetUserData(space, ball);
  }
  const auto hop = [](Space& each, double x) {
    cpBodySetPosition(static_cast<cpBody*>(cpSpaceGetUserData(each.space())), cpv(static_cast<cpFloat>(x), 5));
    each.step(1.0 / 60);
  };
  for (const double x : {-18, 12, 0}) hop(world, x);
  Space read = Space::from_bytes(world.to_bytes());
  for (const double x : {-12, 5, 18, -7, 50}) {
    hop(world, x);
    hop(read, x);
    EXPECT_EQ(read.hash(), world.hash()) << x;
    EXPECT_EQ(read.to_bytes(), world.to_bytes()) << x;
  }
}

TEST(Portable, AStreamHoldsSeveral) {
  Played scene(3, 20);
  std::stringstream stream;
  const Snapshot first = scene.world.save();
  first.write(stream);
  const std::uint64_t first_hash = scene.world.hash();
  scene.world.step(1.0 / 60);
  scene.world.save().write(stream);
  stream << "and more";
  Space other;
  ASSERT_TRUE(other.restore(Snapshot::read(stream)));
  EXPECT_EQ(other.hash(), first_hash);
  ASSERT_TRUE(other.restore(Snapshot::read(stream)));
  EXPECT_EQ(other.hash(), scene.world.hash());
  EXPECT_THROW(static_cast<void>(Snapshot::read(stream)), Error) << "no snapshot";
  stream.setstate(std::ios::badbit);
  EXPECT_THROW(static_cast<void>(Snapshot::read(stream)), Error);
}

TEST(Portable, ADifferenceGoesOnWithTheSameHashes) {
  for (int seed = 1; seed <= 6; ++seed) {
    Played scene(seed, 40);
    const Snapshot base = scene.world.save();
    std::stringstream whole;
    base.write(whole);
    const Snapshot base_elsewhere = Snapshot::read(whole);
    std::stringstream stream;
    scene.world.save().write(stream, base);
    const auto unchanged = static_cast<std::size_t>(stream.tellp());
    EXPECT_LT(unchanged, 64u);
    scene.world.step(1.0 / 60);
    const Snapshot later = scene.world.save();
    later.write(stream, base);
    EXPECT_LT(static_cast<std::size_t>(stream.tellp()) - unchanged, later.to_bytes().size() / 2);
    stream << "and more";
    Space other;
    ASSERT_TRUE(other.restore(Snapshot::read(stream, base_elsewhere)));
    EXPECT_EQ(other.save().to_bytes(), base.to_bytes());
    ASSERT_TRUE(other.restore(Snapshot::read(stream, base_elsewhere)));
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(other.hash(), scene.world.hash()) << seed;
      other.step(1.0 / 60);
      scene.world.step(1.0 / 60);
    }
  }
}

TEST(Portable, AnyTwoStatesHaveADifference) {
  std::vector<std::vector<std::byte>> states{{}, std::vector<std::byte>(5), std::vector<std::byte>(100'000)};
  for (int seed = 1; seed <= 4; ++seed) {
    for (const int steps : {10, 60}) states.push_back(Played(seed, steps).world.save().to_bytes());
  }
  Space cells;
  {
    const auto building = cells.enter();
    cpSpaceUseSpatialHash(cells.space(), 10, 100'000);
  }
  states.push_back(cells.save().to_bytes());
  Space bodies;
  for (int i = 0; i < 300; ++i) {
    const auto building = bodies.enter();
    cpBody* const body = cpSpaceAddBody(bodies.space(), cpBodyNew(1, 1));
    cpBodySetPosition(body, cpv(3 * i, 0));
    cpSpaceAddShape(bodies.space(), cpBoxShapeNew(body, 1, 1, 0));
  }
  states.push_back(bodies.save().to_bytes());
  states.push_back(states.front());
  states.push_back(states[4]);
  states.back()[60] ^= std::byte{1};  // in the schema
  for (const auto& base : states) {
    for (const auto& bytes : states) EXPECT_EQ(apply_delta(base, delta_of(base, bytes)), bytes);
  }
}

// If a polygon's planes began before its own, each polygon would compute all planes.
TEST(Portable, ADifferenceHasNoPlanesOfSeveralPolygons) {
  Space world;
  constexpr std::uint32_t kPolygons = 10'000;
  {
    const auto building = world.enter();
    cpBody* const body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    for (std::uint32_t i = 0; i < kPolygons; ++i) {
      cpSpaceAddShape(world.space(), cpBoxShapeNew2(body, cpBBNew(3.0 * i, 0, 3.0 * i + 2, 2), 0));
    }
  }
  const std::vector<std::byte> base = Space().save().to_bytes();
  portable_file::File file(written(world));
  const auto planes = static_cast<std::uint32_t>(file.table("plane").count);
  file.set("polygon", 0, "planes inside", planes);
  for (std::uint32_t i = 1; i < kPolygons; ++i) {
    file.set("polygon", i, "planes inside", 0 - planes);
    file.set("polygon", i, "count", planes / 2 - 1);
    file.set("polygon", i, "room", 0);
  }
  const std::string text = file.mended();
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_TRUE(std::ranges::equal(apply_delta(base, delta_of(base, bytes)), bytes));
}

// Two more boxes lie apart on the ground.
void build_pile(Space& world, std::vector<cpBody*>& bodies) {
  const auto building = world.enter();
  cpSpace* const space = world.space();
  cpSpaceSetGravity(space, cpv(0, -300));
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-500, 0), cpv(500, 0), 0));
  for (int i = 0; i < 40; ++i) {
    cpBody* const body = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 30, 30)));
    cpBodySetPosition(body, cpv(31 * (i % 8), 15 + 30 * static_cast<int>(i / 8)));
    cpShape* const box = cpSpaceAddShape(space, i % 3 == 0   ? cpCircleShapeNew(body, 15, cpvzero)
                                                : i % 3 == 1 ? cpSegmentShapeNew(body, cpv(-9, 0), cpv(9, 0), 6)
                                                             : cpBoxShapeNew(body, 30, 30, 0));
    cpShapeSetFriction(box, 0.6);
    bodies.push_back(body);
  }
}

// Derived fields cost nothing.
TEST(Portable, AStepCostsVelocitiesAndImpulses) {
  Space world;
  std::vector<cpBody*> bodies;
  build_pile(world, bodies);
  for (int i = 0; i < 200; ++i) world.step(1.0 / 60);
  const std::vector<std::byte> base = world.save().to_bytes();
  world.step(1.0 / 60);
  const std::vector<std::byte> bytes = world.save().to_bytes(), delta = delta_of(base, bytes);
  EXPECT_EQ(apply_delta(base, delta), bytes);
  const auto contacts = static_cast<std::size_t>(world.space()->arbiters->num);
  // A body has six numbers, and each of two points five; the columns have 700 bytes.
  EXPECT_LT(delta.size(), 48 * bodies.size() + 80 * contacts + 700);
}

TEST(Portable, InsertedAndRemovedRowsCostTheirOwnBytes) {
  Space world;
  std::vector<cpBody*> bodies;
  build_pile(world, bodies);
  for (int i = 0; i < 200; ++i) world.step(1.0 / 60);
  const std::vector<std::byte> base = world.save().to_bytes();
  {
    const auto building = world.enter();
    cpBody* const removed = bodies[5];
    cpShape* const shape = removed->shapeList;
    cpSpaceRemoveShape(world.space(), shape);
    cpShapeFree(shape);
    cpSpaceRemoveBody(world.space(), removed);
    cpBodyFree(removed);
    cpBody* const added = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    cpSpaceAddShape(world.space(), cpBoxShapeNew(added, 3, 3, 0));
  }
  const std::vector<std::byte> bytes = world.save().to_bytes(), delta = delta_of(base, bytes);
  EXPECT_LT(delta.size(), 2500u) << "all numbers of later objects, nodes and pairs are others";
  EXPECT_EQ(apply_delta(base, delta), bytes);
}

TEST(Portable, DamagedDifferencesAndOtherBasesAreRefused) {
  Played scene(3, 40);
  const std::vector<std::byte> base = scene.world.save().to_bytes();
  scene.world.step(1.0 / 60);
  const std::vector<std::byte> bytes = scene.world.save().to_bytes(), delta = delta_of(base, bytes);
  ASSERT_EQ(apply_delta(base, delta), bytes);
  EXPECT_THROW(static_cast<void>(apply_delta(bytes, delta)), Error) << "another base";
  EXPECT_THROW(static_cast<void>(apply_delta({}, delta)), Error) << "no base";
  EXPECT_THROW(static_cast<void>(apply_delta(base, delta, bytes.size() - 1)), Error) << "the limit";
  EXPECT_EQ(apply_delta(base, delta, bytes.size()), bytes);
  for (std::size_t i = 0; i < delta.size(); i += i < 100 ? 1 : 97) {
    std::vector<std::byte> flipped = delta;
    flipped[i] ^= std::byte{1};
    EXPECT_THROW(static_cast<void>(apply_delta(base, flipped)), Error) << i;
    EXPECT_THROW(static_cast<void>(apply_delta(base, std::span(delta).first(i))), Error) << i;
  }
  random_scene::Random random{5};
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {  // with a valid checksum
    std::vector<std::byte> altered = delta;
    for (int k = 1 + random.below(3); k > 0; --k) {
      altered[kDeltaHeaderBytes +
              static_cast<std::size_t>(random.below(static_cast<int>(delta.size() - kDeltaHeaderBytes)))] =
          static_cast<std::byte>(random.below(256));
    }
    const std::uint64_t checksum = chipmunk::portable_checksum(std::span(altered).subspan(kDeltaHeaderBytes), 1);
    std::memcpy(altered.data() + 24, &checksum, sizeof checksum);
    try {
      EXPECT_EQ(apply_delta(base, altered), bytes) << "it has the result's checksum";
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

// Formats 1 and 2 differ only in the checksum.
std::vector<std::byte> in_format(std::vector<std::byte> bytes, std::uint32_t version) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::memcpy(text.data() + 8, &version, sizeof version);
  const std::string mended = portable_file::File::mended(std::move(text));
  std::memcpy(bytes.data(), mended.data(), bytes.size());
  return bytes;
}

TEST(Portable, FilesOfTheFirstFormatAreReadAndKeptInDifferences) {
  Played scene(3, 40);
  const std::vector<std::byte> base = scene.world.to_bytes();
  scene.world.step(1.0 / 60);
  const std::vector<std::byte> bytes = scene.world.to_bytes(), old = in_format(bytes, 1), old_base = in_format(base, 1);
  EXPECT_EQ(in_format(bytes, 2), bytes);
  EXPECT_NE(old, bytes);
  EXPECT_EQ(Space::from_bytes(old).hash(), scene.world.hash());
  const auto error_of_format = [&](std::uint32_t version) {
    const std::vector<std::byte> altered = in_format(bytes, version);
    return error_of({reinterpret_cast<const char*>(altered.data()), altered.size()});
  };
  EXPECT_EQ(error_of_format(0), "a state of a space in format 0, expected format 1 to 2: its header is damaged");
  EXPECT_EQ(error_of_format(3), "a state of a space in format 3, expected format 2: it is of a newer version");
  const std::vector<std::byte> delta = delta_of(old_base, old);
  EXPECT_LT(delta.size(), old.size() / 2);
  EXPECT_EQ(apply_delta(old_base, delta), old);
  EXPECT_EQ(apply_delta(old_base, delta_of(old_base, bytes)), bytes);
  EXPECT_EQ(apply_delta(base, delta_of(base, old)), old);
}

TEST(Portable, TheChecksumNoticesFlippedBitsAndSwappedWords) {
  const auto checksum = [](const std::vector<std::byte>& bytes) { return chipmunk::portable_checksum(bytes, 2); };
  std::vector<std::byte> bytes(64 * 40 + 13);
  const double numbers[] = {0, 1, 2, -1};  // their low bits are 0
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) std::memcpy(&bytes[i], &numbers[i / 8 % 7 % 4], 8);
  std::uint64_t before = checksum(bytes);
  const auto expect_another = [&] { EXPECT_NE(checksum(bytes), before); };
  const auto flip = [&](std::size_t bit) { bytes[bit / 8] ^= std::byte(1 << bit % 8); };
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    flip(bit);
    expect_another();
    flip(bit);
  }
  for (std::size_t i = 1; i < bytes.size() / 8; ++i) {
    for (const std::size_t sign : {31u, 63u}) {
      flip(sign), flip(64 * i + sign);
      expect_another();
      if (sign == 63) flip(31), flip(64 * i + 31), expect_another(), flip(31), flip(64 * i + 31);
      flip(sign), flip(64 * i + sign);
    }
  }
  for (std::size_t i = 1; i < bytes.size() / 8; ++i) {
    if (std::memcmp(bytes.data(), &bytes[8 * i], 8) == 0) continue;
    std::swap_ranges(bytes.begin(), bytes.begin() + 8, bytes.begin() + static_cast<std::ptrdiff_t>(8 * i));
    expect_another();
    std::swap_ranges(bytes.begin(), bytes.begin() + 8, bytes.begin() + static_cast<std::ptrdiff_t>(8 * i));
  }
  for (bytes.resize(64 * 42); bytes.size() > 64 * 40; bytes.pop_back(), expect_another()) before = checksum(bytes);
}

TEST(Portable, NamesAreFoundAgain) {
  name_code("the test's velocity", &a_named_function);
  Space world;
  const auto building = world.enter();
  cpBody* body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  cpBodySetVelocityUpdateFunc(body, &a_named_function);
  std::string bytes = written(world);
  Space arrived;
  ASSERT_TRUE(arrived.restore(read_from(bytes)));
  EXPECT_EQ(static_cast<cpBody*>(arrived.space()->dynamicBodies->arr[0])->velocity_func, &a_named_function);
  EXPECT_EQ(arrived.hash(), world.hash());
}

constexpr std::size_t kHeaderBytes = chipmunk::kPortableHeaderBytes;

void mend(std::string& bytes) { bytes = portable_file::File::mended(std::move(bytes)); }

TEST(Portable, CutFilesAreRefused) {
  Played scene(3, 60);
  const std::string whole = written(scene.world);
  std::string same = whole;
  mend(same);
  ASSERT_EQ(same, whole);
  EXPECT_EQ(error_of(whole), "");
  EXPECT_EQ(error_of(""), "not a state of a space: found 0 bytes");
  for (std::size_t length = 0; length < whole.size(); length += length < 200 ? 1 : 997) {
    EXPECT_NE(error_of(whole.substr(0, length)), "") << length;
    std::string cut = whole.substr(0, length);
    if (length < kHeaderBytes) continue;
    mend(cut);
    EXPECT_NE(error_of(cut), "") << length;
  }
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{17}, std::size_t{25}, std::size_t{33},
                               kHeaderBytes, whole.size() / 2, whole.size() - 1}) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    EXPECT_NE(error_of(flipped), "") << at;
  }
}

void read_all(const Snapshot& snapshot) {
  Space world;
  ASSERT_TRUE(world.restore(snapshot));
  static_cast<void>(world.hash());
  static_cast<void>(world.spaces());
  static_cast<void>(world.outside_pointers());
  const Space twin = world.fork();
  static_cast<void>(first_difference(world, twin));
  const Snapshot again = world.save();
  try {
    std::ostringstream out;
    again.write(out);
  } catch (const Error&) {}
}

TEST(Portable, DamagedFilesGiveAnErrorOrAState) {
  int flips_each = 150;
  if (const char* text = std::getenv("FORKMUNK_DAMAGED_STATES")) flips_each = std::atoi(text);
  random_scene::Random random{99};
  int refused = 0;
  int read = 0;
  for (int seed = 1; seed <= 6; ++seed) {
    Played scene(seed, 80);
    const std::string whole = written(scene.world);
    for (int i = 0; i < flips_each; ++i) {
      std::string damaged = whole;
      const int flips = 1 + random.below(3);
      for (int k = 0; k < flips; ++k) {
        // Half of the flips hit the schema, the names and the objects' tables.
        const int range = static_cast<int>(whole.size() - kHeaderBytes);
        const auto at = kHeaderBytes + static_cast<std::size_t>(random.below(random.chance(50) ? range : 9000));
        damaged[at] = static_cast<char>(random.chance(50) ? damaged[at] ^ (1 << random.below(8)) : random.below(256));
      }
      mend(damaged);
      try {
        read_all(read_from(damaged));
        ++read;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, flips_each);
  EXPECT_GT(read, flips_each);
}

// Files of all released formats stay readable. FORKMUNK_WRITE_SNAPSHOTS=1 generates a new file and prints the hashes.
struct StoredScene {
  const char* file;
  bool has_spatial_hash;
  std::uint64_t hash, later, changed;  // changed: by a difference
};
const StoredScene kStored[] = {
    {"format_1", false, 0x1f1793bd34b56e0d, 0xa7eab2e0919625fc, 0xb34bd106fa2d1f2d},
    {"format_1_spatial_hash", true, 0xa4974f0342b3df12, 0x95d77e41282dabbf, 0x3fed88a1251128e9},
    {"format_2", false, 0x1f1793bd34b56e0d, 0xa7eab2e0919625fc, 0xb34bd106fa2d1f2d},
    {"format_2_spatial_hash", true, 0xa4974f0342b3df12, 0x95d77e41282dabbf, 0x3fed88a1251128e9},
};

cpBool count_contact(cpArbiter*, cpSpace*, void* count) {
  ++*static_cast<int*>(count);
  return cpTrue;
}
void do_later(cpSpace*, void*, void*) {}

struct Count {
  int count;
};

}  // namespace
}  // namespace forkmunk::space
template <>
inline constexpr auto forkmunk::space::pointer_policy<forkmunk::space::Count> = forkmunk::space::PointerPolicy::none;
namespace forkmunk::space {
namespace {

// Machines with addresses of any width read this scene.
void build_with_all(Space& world, bool has_spatial_hash) {
  name_code("the test's count", &count_contact);
  name_code("the test's later", &do_later);
  const auto building = world.enter();
  cpSpace* const space = world.space();
  if (has_spatial_hash) cpSpaceUseSpatialHash(space, 12, 30);
  cpSpaceSetGravity(space, cpv(0, -90));
  cpSpaceSetSleepTimeThreshold(space, 0.4);
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-200, -20), cpv(200, -20), 2));
  std::vector<cpBody*> bodies;
  for (int i = 0; i < 12; ++i) {
    cpBody* const body = cpSpaceAddBody(space, cpBodyNew(1 + i, 50));
    cpBodySetPosition(body,
                      i < 8 ? cpv(-30 + 14.0 * (i % 4) + i, -10 + 14.0 * (i / 4)) : cpv(100, -13.5 + 9 * (i - 8)));
    cpSpaceAddShape(space, i % 2 == 0 ? cpBoxShapeNew(body, 9, 9, 0) : cpCircleShapeNew(body, 4.5, cpvzero));
    bodies.push_back(body);
  }
  const cpVect corners[] = {{-6, -5}, {6, -5}, {8, 1}, {5, 6}, {0, 8}, {-5, 6}, {-8, 1}};
  cpSpaceAddShape(space, cpPolyShapeNewRaw(bodies[0], 7, corners, 0.5));
  cpConstraint* const joints[] = {cpPinJointNew(bodies[0], bodies[1], cpvzero, cpvzero),
                                  cpSlideJointNew(bodies[1], bodies[2], cpvzero, cpvzero, 1, 30),
                                  cpPivotJointNew(bodies[2], cpSpaceGetStaticBody(space), cpv(0, 40)),
                                  cpGrooveJointNew(bodies[3], bodies[4], cpv(-5, 0), cpv(5, 0), cpvzero),
                                  cpDampedSpringNew(bodies[4], bodies[5], cpvzero, cpvzero, 20, 5, 1),
                                  cpDampedRotarySpringNew(bodies[5], bodies[6], 0, 5, 1),
                                  cpRotaryLimitJointNew(bodies[6], bodies[7], -1, 1),
                                  cpRatchetJointNew(bodies[0], bodies[3], 0, 1),
                                  cpGearJointNew(bodies[1], bodies[4], 0, 2),
                                  cpSimpleMotorNew(bodies[2], bodies[5], 1)};
  for (cpConstraint* joint : joints) cpSpaceAddConstraint(space, joint);
  cpCollisionHandler* const handler = cpSpaceAddWildcardHandler(space, 0);
  handler->beginFunc = &count_contact;
  handler->userData = world.make<Count>(7);
  cpSpace* const second = cpSpaceNew();
  cpSpaceAddShape(second, cpCircleShapeNew(cpSpaceAddBody(second, cpBodyNew(1, 1)), 3, cpvzero));
  cpCircleShapeNew(bodies[0], 1, cpvzero);
  for (int i = 0; i < 90; ++i) cpSpaceStep(space, 1.0 / 60);
  cpSpaceAddPostStepCallback(space, &do_later, bodies[0], nullptr);
}

// Objects come, go and move, so that each kind of column is written.
void change_for_difference(Space& world) {
  cpSpace* const space = world.space();
  const auto building = world.enter();
  cpSpaceStep(space, 1.0 / 60);
  cpShape* const floor = cpSpacePointQueryNearest(space, cpv(0, -20), 0, CP_SHAPE_FILTER_ALL, nullptr);
  cpSpaceAddShape(space, cpCircleShapeNew(cpShapeGetBody(floor), 3, cpv(50, 0)));
  cpShape* const ball = cpSpacePointQueryNearest(space, cpv(100, 0), 30, CP_SHAPE_FILTER_ALL, nullptr);
  cpSpaceRemoveShape(space, ball);
  cpShapeFree(ball);
  cpBody* const body = cpSpaceAddBody(space, cpBodyNew(2, 30));
  cpSpaceAddShape(space, cpBoxShapeNew(body, 4, 4, 0));
  for (int i = 0; i < 2; ++i) cpSpaceStep(space, 1.0 / 60);
}

class Stored : public testing::TestWithParam<StoredScene> {};

TEST_P(Stored, FileIsRead) {
  const StoredScene& stored = GetParam();
  name_code("the test's count", &count_contact);
  name_code("the test's later", &do_later);
  const std::string folder = FORKMUNK_TEST_DATA "/snapshots/", path = folder + stored.file;
  const std::string difference = folder + (stored.has_spatial_hash ? "difference_1_spatial_hash" : "difference_1");
  Space world;
  if (std::getenv("FORKMUNK_WRITE_SNAPSHOTS") != nullptr && path.find("format_2") != std::string::npos) {
    build_with_all(world, stored.has_spatial_hash);
    std::ofstream(path, std::ios::binary) << written(world);
    const Snapshot base = world.save();
    change_for_difference(world);
    std::ofstream out(difference, std::ios::binary);
    world.save().write(out, base);
  }
  std::ifstream file(path, std::ios::binary);
  if (sizeof(cpFloat) != sizeof(double)) {
    EXPECT_THROW(static_cast<void>(Snapshot::read(file)), Error);
    return;
  }
  const Snapshot base = Snapshot::read(file);
  ASSERT_TRUE(world.restore(base));
  EXPECT_EQ(world.hash(), stored.hash) << std::hex << world.hash();
  for (int i = 0; i < 100; ++i) world.step(1.0 / 60);
  EXPECT_EQ(world.hash(), stored.later) << std::hex << world.hash();
  // The writer and the reader of differences can change together, which only a stored file shows.
  std::ifstream changes(difference, std::ios::binary);
  ASSERT_TRUE(world.restore(Snapshot::read(changes, base)));
  EXPECT_EQ(world.hash(), stored.changed) << std::hex << world.hash();
}

INSTANTIATE_TEST_SUITE_P(Snapshots, Stored, testing::ValuesIn(kStored),
                         [](const testing::TestParamInfo<StoredScene>& row) { return std::string(row.param.file); });

TEST(Portable, AFunctionThatIsMissingIsRefused) {
  Space world;
  build_with_all(world, false);
  for (const auto& [table, field] : {std::pair{"space", "default handler.beginFunc"},
                                     {"handler", "beginFunc"},
                                     {"handler", "separateFunc"},
                                     {"body", "velocity_func"},
                                     {"body", "position_func"},
                                     {"damped spring", "springForceFunc"}}) {
    portable_file::File file(written(world));
    file.set(table, 0, field, std::uint32_t{0});
    EXPECT_NE(error_of(file.mended()), "") << table << ' ' << field;
  }
}

TEST(Portable, ASpringHasTheForceOfItsKind) {
  Space world;
  build_with_all(world, false);
  const portable_file::File file(written(world));
  const auto force = file.get<std::uint32_t>("damped spring", 0, "springForceFunc");
  const auto torque = file.get<std::uint32_t>("rotary spring", 0, "springTorqueFunc");
  ASSERT_NE(force, torque);
  portable_file::File one = file, other = file;
  one.set("damped spring", 0, "springForceFunc", torque);
  other.set("rotary spring", 0, "springTorqueFunc", force);
  EXPECT_NE(error_of(one.mended()).find("a spring's force"), std::string::npos);
  EXPECT_NE(error_of(other.mended()).find("a spring's torque"), std::string::npos);
}

// Missing fields are 0.
TEST(Portable, FieldsOfOtherVersionsAreLeftOut) {
  Space world;
  build_with_all(world, false);
  const std::string whole = written(world);
  const auto renamed = [&](const std::string& name, char first) {
    std::string bytes = whole;
    const std::size_t at = bytes.find(name);  // in the schema
    if (at == std::string::npos) throw Error("no field " + name);
    bytes[at] = first;
    return portable_file::File::mended(bytes);
  };
  Space read;
  ASSERT_TRUE(read.restore(read_from(renamed("v_bias", 'V'))));  // 0 between steps
  EXPECT_EQ(read.hash(), world.hash());
  for (int i = 0; i < 50; ++i) {
    world.step(1.0 / 60);
    read.step(1.0 / 60);
    ASSERT_EQ(read.hash(), world.hash()) << i;
  }
  EXPECT_EQ(written(read), written(world));
  ASSERT_TRUE(read.restore(read_from(renamed("massInfo.m", 'M'))));
  EXPECT_EQ(error_of(renamed("iterations", 'I')), "a damaged state of a space: its number of iterations: space 0");
  // An unknown kind of object cannot be left out.
  EXPECT_NE(error_of(renamed("damped spring", 'D')).find("newer version"), std::string::npos);
  EXPECT_EQ(error_of(renamed("polylines", 'P')), "") << "the file has none";
}

}  // namespace
}  // namespace forkmunk::space
