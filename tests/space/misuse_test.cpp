// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/space.h>
#include <forkmunk/space/batch.h>
#include <forkmunk/space/history.h>
#include <forkmunk/space/preview.h>
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/rollback_session.h>
#include <forkmunk/space/rollout.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <memory_resource>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

cpBody* add_box(Space& world, double x, double y) {
  const auto building = world.enter();
  cpBody* body = cpSpaceAddBody(world.space(), cpBodyNew(1, 100));
  cpBodySetPosition(body, cpv(x, y));
  cpSpaceAddShape(world.space(), cpBoxShapeNew(body, 10, 10, 0));
  return body;
}

std::function<void()> in_callback;
cpBool call_once(cpArbiter*, cpSpace*, void*) {
  if (in_callback) std::exchange(in_callback, nullptr)();
  return cpTrue;
}

// Calls `act` in the next step's first callback.
void touch(Space& world, std::function<void()> act) {
  add_box(world, 0, 0);
  add_box(world, 3, 3);
  cpSpaceAddDefaultCollisionHandler(world.space())->beginFunc = call_once;
  in_callback = std::move(act);
}

bool in_a_callback(void (*act)(Space&)) {
  Space world;
  touch(world, [&] { act(world); });
  world.step(0.1);
  return false;
}

Snapshot travelled(const Snapshot& snapshot) {
  std::stringstream stream;
  snapshot.write(stream);
  return Snapshot::read(stream);
}

struct Throwing {
  int number = 1;
  Throwing() { throw std::runtime_error("no object"); }
};

struct Misuse {
  const char* name;
  const char* error;  ///< A part of the message; "": no Error.
  bool (*run)();
};

const Misuse kMisuse[] = {
    {"save in a callback", "called in a callback",
     [] { return in_a_callback([](Space& world) { static_cast<void>(world.save()); }); }},
    {"fork in a callback", "called in a callback",
     [] { return in_a_callback([](Space& world) { static_cast<void>(world.fork()); }); }},
    {"step in a callback", "called in a callback", [] { return in_a_callback([](Space& world) { world.step(0.1); }); }},
    {"restore in a callback", "called in a callback",
     [] { return in_a_callback([](Space& world) { static_cast<void>(world.restore(Space().save())); }); }},
    {"hash after a post step callback, in the next", "",
     [] {
       Space world;
       touch(world, [&] {
         for (const char* key : {"first", "second"}) {
           const auto hashes = [](cpSpace*, void*, void* space) { EXPECT_NE(static_cast<Space*>(space)->hash(), 0u); };
           cpSpaceAddPostStepCallback(world.space(), hashes, const_cast<char*>(key), &world);
         }
       });
       world.step(0.1);
       return true;
     }},
    {"a shape in memory of the program", "",
     [] {
       Space world;
       cpBody* body = add_box(world, 0, 0);
       struct {
         std::uint64_t before[2];
         cpCircleShape shape;
       } memory{};
       cpShape* shape = cpSpaceAddShape(world.space(), &cpCircleShapeInit(&memory.shape, body, 5, cpvzero)->shape);
       const std::uint64_t hash = world.hash();
       memory.before[1] = ~std::uint64_t{0};
       const bool is_equal = world.hash() == hash;
       cpSpaceRemoveShape(world.space(), shape);
       return is_equal;
     }},
    {"constructors that throw", "",
     [] {
       Space world;
       world.release(world.make<int>(1));
       const std::uint64_t hash = world.hash();
       EXPECT_THROW(world.make<Throwing>(), std::runtime_error);
       EXPECT_THROW(world.make_array<Throwing>(3), std::runtime_error);
       return world.hash() == hash;
     }},
    {"another space's calls in a callback", "",
     [] {
       Space world, other;
       const Snapshot here = world.save();
       touch(world, [&] {
         other.step(0.1);
         EXPECT_TRUE(other.restore(here));
         world.make<int>(4);
         static_cast<void>(world.hash());
         cpSpaceStep(cpSpaceNew(), 0.1);
       });
       world.step(0.1);
       return world.spaces().size() == 2 && world.fork().hash() == world.hash();
     }},
    {"a move in a callback", "",
     [] {
       Space world;
       touch(world, [&] {
         Space moved = std::move(world);
         world = std::move(moved);
       });
       world.step(0.1);
       return world.spaces().size() == 1;
     }},
    {"a Space that was moved from", "moved from",
     [] {
       Space world;
       const Space moved = std::move(world);
       world.step(0.1);
       return false;
     }},
    {"assignment to itself", "",
     [] {
       Space world;
       Snapshot snapshot = world.save();
       Snapshot& same = snapshot;
       snapshot = same;
       Space& self = world;
       world = std::move(self);
       return world.restore(snapshot);
     }},
    {"scopes of two spaces, nested", "",
     [] {
       Space a, b;
       const auto in_a = a.enter();
       cpSpaceAddBody(a.space(), cpBodyNew(1, 1));
       {
         const auto in_b = b.enter();
         cpSpaceAddBody(b.space(), cpBodyNew(1, 1));
         const auto in_a_again = a.enter();
         cpSpaceAddBody(a.space(), cpBodyNew(1, 1));
       }
       return a.outside_pointers().empty() && b.outside_pointers().empty();
     }},
    {"scopes that end in another order", "",
     [] {
       Space a, b;
       std::unique_ptr<Scope> in_a(new Scope(a.enter()));
       std::unique_ptr<Scope> in_b(new Scope(b.enter()));
       in_a.reset();
       cpSpaceAddBody(b.space(), cpBodyNew(1, 1));
       in_b.reset();
       return b.outside_pointers().empty();
     }},
    {"a joint to another space's body", "",
     [] {
       Space a, b;
       cpBody* mine = add_box(a, 0, 0);
       cpBody* other = add_box(b, 0, 0);
       const auto building = a.enter();
       cpSpaceAddConstraint(a.space(), cpPinJointNew(mine, other, cpvzero, cpvzero));
       return a.outside_pointers().size() == 1;
     }},
    {"release of another space's object", "not in this space's memory",
     [] {
       Space a, b;
       b.release(a.make<int>(3));
       return false;
     }},
    {"release of an object's middle", "not an object's",
     [] {
       Space world;
       world.release(&world.make_array<long>(10)[4]);
       return false;
     }},
    {"release twice", "released before",
     [] {
       Space world;
       int* object = world.make<int>(3);
       world.make<int>(4);
       world.release(object);
       world.release(object);
       return false;
     }},
    {"empty arrays", "",
     [] {
       Space world;
       world.release(world.make_array<int>(0).data());
       return world.make_array<int>(0).empty();
     }},
    {"arrays without end", "no room",
     [] {
       Space world;
       static_cast<void>(world.make_array<long>(~std::size_t{0}));
       return false;
     }},
    {"a capacity beyond the largest", "at most",
     [] {
       const Space world(Space::kCapacityBytesMax + 1);
       return false;
     }},
    {"no capacity", "",
     [] {
       Space world(0);
       const Snapshot here = world.save();
       world.step(0.1);
       return world.restore(here);
     }},
    {"a space that outgrows its memory", "outgrown its memory",
     [] {
       Space world(4096, 70000);
       for (int i = 0; i < 3000; ++i) add_box(world, i, 0);
       world.step(0.1);
       return false;
     }},
    {"a container that outgrows its space", "outgrown its memory",
     [] {
       Space world(4096, 70000);
       auto* numbers = world.make_container<std::pmr::vector<long>>();
       const Snapshot here = world.save();
       numbers->resize(100'000);
       EXPECT_TRUE(world.is_overflowed());
       EXPECT_THROW(static_cast<void>(world.save()), Error);
       EXPECT_TRUE(world.restore(here) && numbers->empty());
       EXPECT_THROW(numbers->resize(Space::kCapacityBytesMax / sizeof(long) + 1), std::bad_alloc);
       EXPECT_FALSE(world.is_overflowed());
       numbers->resize(100'000);
       world.step(0.1);
       return false;
     }},
    {"another Space moved to where a step was left half done", "moved from",
     [] {
       Space world, other;
       touch(world, [] { throw std::runtime_error("the game's"); });
       const Snapshot here = world.save();
       EXPECT_THROW(world.step(0.1), std::runtime_error);
       EXPECT_TRUE(other.restore(here));
       world = std::move(other);
       world.step(0.1);
       other.step(0.1);
       return false;
     }},
    {"NaN, infinite and no time", "",
     [] {
       Space world;
       cpBodySetVelocity(add_box(world, 0, 0), cpv(NAN, INFINITY));
       add_box(world, 3, 3);
       for (const double dt : {0.1, 0.1, 0.0}) world.step(dt);
       for (const double dt : {std::nan(""), -1.0, HUGE_VAL}) {
         const auto before = world.hash();
         EXPECT_THROW(world.step(dt), Error);
         EXPECT_EQ(world.hash(), before);
       }
       Space arrived;
       return arrived.restore(travelled(world.save())) && arrived.hash() == world.hash();
     }},
    {"no collision persistence", "",
     [] {
       Space world;
       cpSpaceSetCollisionPersistence(world.space(), 0);
       add_box(world, 0, 0);
       add_box(world, 3, 3);
       for (int i = 0; i < 5; ++i) world.step(0.1);
       Space twin = world.fork(), arrived;
       EXPECT_TRUE(arrived.restore(travelled(world.save())));
       for (Space* each : {&world, &twin, &arrived}) each->step(0.1);
       return twin.hash() == world.hash() && arrived.hash() == world.hash();
     }},
    {"a body removed before its shape and its joint", "",
     [] {
       Space world;
       cpBody* body = add_box(world, 0, 0);
       cpBody* other = add_box(world, 3, 3);
       {
         const auto building = world.enter();
         cpSpaceAddConstraint(world.space(), cpPinJointNew(body, other, cpvzero, cpvzero));
       }
       world.step(0.1);
       cpSpaceRemoveBody(world.space(), body);
       world.step(0.1);
       Space arrived;
       EXPECT_TRUE(arrived.restore(travelled(world.save())));
       arrived.step(0.1);
       world.step(0.1);
       return arrived.hash() == world.hash();
     }},
    {"user data that was released", "",
     [] {
       Space world;
       int* object = world.make<int>(3);
       cpBodySetUserData(add_box(world, 0, 0), object);
       world.release(object);
       Space arrived;
       return arrived.restore(travelled(world.save())) && arrived.hash() == world.hash();
     }},
    {"kinematic bodies and a sleep time threshold of 0, with the defects of stock Chipmunk", "threshold above 0",
     [] {
       Space world;
       world.set_defects(Defects::stock);
       cpSpaceSetSleepTimeThreshold(world.space(), 0);
       add_box(world, 0, 0);
       const auto building = world.enter();
       cpSpaceAddBody(world.space(), cpBodyNewKinematic());
       world.step(0.1);
       return false;
     }},
    {"dynamic bodies and a sleep time threshold of 0, with the defects of stock Chipmunk", "",
     [] {
       Space world;
       world.set_defects(Defects::stock);
       cpSpaceSetSleepTimeThreshold(world.space(), 0);
       cpBody* body = add_box(world, 0, 0);
       world.step(0.1);
       return cpBodyIsSleeping(body) != 0;
     }},
    {"a first wildcard handler while shapes touch, which separate then", "",
     [] {
       Space world;
       cpBody* body = add_box(world, 0, 0);
       add_box(world, 3, 3);
       world.step(0.1);
       cpSpaceAddWildcardHandler(world.space(), 0);
       cpBodySetPosition(body, cpv(1000, 0));
       for (int i = 0; i < 5; ++i) world.step(0.1);
       return world.fork().hash() == world.hash();
     }},
    {"a shape that was freed while it is in the space", "a damaged state",
     [] {
       Space world;
       cpBody* body = add_box(world, 0, 0);
       cpBodyEachShape(
           body, [](cpBody*, cpShape* shape, void*) { cpShapeFree(shape); }, nullptr);
       static_cast<void>(travelled(world.save()));
       return false;
     }},
    {"a pointer past an array's end", "",
     [] {
       Space world;
       const auto numbers = world.make_array<long>(8);
       long** end = world.make<long*>(numbers.data() + 8);
       const Space twin = world.fork();
       return *twin.twin_of(world, end) == twin.twin_of(world, numbers.data()) + 8;
     }},
    {"a twin of what is in no space", "not in the other space's memory",
     [] {
       Space world;
       int number = 0;
       const Space twin = world.fork();
       EXPECT_EQ(twin.twin_of(world, static_cast<int*>(nullptr)), nullptr);
       return twin.twin_of(world, &number) == nullptr;
     }},
    {"a snapshot that does not fit", "",
     [] {
       Space small(4096, 65536), large;
       for (int i = 0; i < 500; ++i) add_box(large, i * 20, 0);
       const std::uint64_t before = small.hash();
       return !small.restore(large.save()) && small.hash() == before;
     }},
    {"restore in a scope", "",
     [] {
       Space world;
       const Snapshot here = world.save();
       const auto building = world.enter();
       const bool restored = world.restore(here);
       cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
       return restored && world.outside_pointers().empty();
     }},
    {"threads that take turns", "",
     [] {
       Space world;
       Space twin;
       std::thread([&] { add_box(world, 0, 0); }).join();
       std::thread([&] { twin = world.fork(); }).join();
       twin.step(0.1);
       std::thread([&] { world.step(0.1); }).join();
       return twin.hash() == world.hash() && world.outside_pointers().empty();
     }},
    {"an empty stream", "found 0 bytes",
     [] {
       std::istringstream empty;
       static_cast<void>(Snapshot::read(empty));
       return false;
     }},
    {"a stream that failed", "the stream failed",
     [] {
       std::ostringstream out;
       out.setstate(std::ios::failbit);
       Space().save().write(out);
       return false;
     }},
    {"defects that there are not", "expected none, pymunk or stock",
     [] {
       Space().set_defects(static_cast<Defects>(9));
       return false;
     }},
    {"interpolation in a callback", "in a callback",
     [] { return in_a_callback([](Space& world) { interpolate(world, Space(), 0.5); }); }},
    {"interpolation beyond the next state", "expected 0 to 1",
     [] {
       Space world;
       interpolate(world, world.fork(), 2);
       return false;
     }},
    {"interpolation by NaN", "expected 0 to 1",
     [] {
       Space world;
       interpolate(world, world.fork(), NAN);
       return false;
     }},
    {"a preview without a step", "give a function",
     [] {
       Space world;
       const cpBody* const body = add_box(world, 0, 0);
       static_cast<void>(preview({&body, 1}, 3, {}));
       return false;
     }},
    {"a batch that restores null", "snapshot 1 is null",
     [] {
       const Snapshot here = Space().save();
       const Snapshot* const snapshots[] = {&here, nullptr};
       const std::size_t worlds[] = {0, 1};
       Batch(Space(), 2).restore(snapshots, worlds);
       return false;
     }},
    {"an event outside of NaN", "NaN",
     [] {
       Space world;
       const Event event{.body = add_box(world, 0, 0), .box = cpBBNew(0, 0, NAN, 1)};
       RolloutOptions options;
       options.action_count = options.plan_count = 1;
       options.events = {&event, 1};
       Rollout result;
       Batch(world, 1).rollout(world.save(), options, result);
       return false;
     }},
    {"a name for a body of another space", "of the recorded Space",
     [] {
       Space world, other;
       Recorder(world).name(add_box(other, 0, 0), "a box");
       return false;
     }},
    {"a recording without states is written", "the recording is empty",
     [] {
       Space world;
       static_cast<void>(Recorder(world).recording().to_bytes());
       return false;
     }},
    {"a session that was moved from", "it was moved from",
     [] {
       Space world;
       SpaceGame game(world, [](Space&, const FrameInputs&, int) {});
       RollbackSession session(game, {}, [](std::span<const std::byte>, std::uint32_t) {});
       RollbackSession moved = std::move(session);
       EXPECT_TRUE(moved.tick("a"));
       session.tick("a");
       return false;
     }},
    {"a game without a function", "give one to the constructor",
     [] {
       Space world;
       SpaceGame game(world, nullptr);
       RollbackSession(game, {}, [](std::span<const std::byte>, std::uint32_t) {}).tick("a");
       return false;
     }},
    {"a slot that nothing was saved in", "slot 7 is empty",
     [] {
       Space world;
       SpaceGame(world, nullptr).restore(7);
       return false;
     }},
    {"a slot below 0", "found slot -1",
     [] {
       Space world;
       static_cast<void>(SpaceGame(world, nullptr).snapshot(-1));
       return false;
     }},
    {"an input of no player", "found player 1 of 1",
     [] {
       const std::string input("four");
       return FrameInputs({&input, 1}, 1).get<int>(1) == 0;
     }},
    {"the past in the game's own space", "the game's own Space",
     [] {
       Space world;
       SpaceGame game(world, [](Space& space, const FrameInputs&, int) { space.step(0.1); });
       RollbackSession session(game, {}, [](std::span<const std::byte>, std::uint32_t) {});
       session.tick("a");
       History(session, game).restore(world, 0);
       return false;
     }},
    {"C: scopes without end, freed in them", "",
     [] {
       forkmunk_space* world = forkmunk_space_new(0, 0);
       for (int i = 0; i < 1000; ++i) forkmunk_space_enter(world);
       EXPECT_EQ(forkmunk_space_free(world), FORKMUNK_REFUSED);
       for (int i = 0; i < 1000; ++i) forkmunk_space_leave(world);
       EXPECT_EQ(forkmunk_space_leave(world), FORKMUNK_REFUSED);
       return forkmunk_space_free(world) == FORKMUNK_OK;
     }},
    {"C: a folder as a snapshot", "",
     [] {
       forkmunk_snapshot* read = forkmunk_snapshot_read_file("/usr/include");
       return read == nullptr && std::string(forkmunk_last_error()).find("/usr/include") == 0;
     }},
    {"C: a thread that ends in a scope", "",
     [] {
       forkmunk_space* world = forkmunk_space_new(0, 0);
       std::thread([&] { forkmunk_space_enter(world); }).join();
       return forkmunk_space_free(world) == FORKMUNK_OK;
     }},
};

class Misused : public testing::TestWithParam<Misuse> {};

TEST_P(Misused, EndsInAnErrorOrTheRightState) {
  std::string error;
  try {
    EXPECT_TRUE(GetParam().run());
  } catch (const Error& thrown) {
    error = thrown.what();
  }
  in_callback = nullptr;
  EXPECT_EQ(error.empty(), *GetParam().error == '\0') << error;
  EXPECT_NE(error.find(GetParam().error), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(Table, Misused, testing::ValuesIn(kMisuse), [](const testing::TestParamInfo<Misuse>& row) {
  std::string name = row.param.name;
  std::erase_if(name, [](char c) { return c == ',' || c == ':' || c == '\''; });
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

}  // namespace
}  // namespace forkmunk::space
