// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <limits>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

struct Guessed {
  std::uintptr_t word;
  void* pointer;
};
struct Numbers {
  std::uintptr_t word;
};
struct Shown {
  std::uintptr_t word;
  cpBody* body;
  std::uintptr_t other;
  const Shown* next;

  void visit_pointers(PointerVisitor& visit) {
    visit(body);
    visit(next);
  }
};

}  // namespace

template <>
inline constexpr PointerPolicy pointer_policy<Numbers> = PointerPolicy::none;

namespace {

TEST(Objects, PointersAreFoundByTheType) {
  Space world;
  const auto building = world.enter();
  cpBody* body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  const auto address = reinterpret_cast<std::uintptr_t>(body);
  auto* guessed = world.make<Guessed>(address, body);
  auto* numbers = world.make<Numbers>(address);
  auto* shown = world.make<Shown>(address, body, address, nullptr);
  auto* second = world.make<Shown>(address, nullptr, address, shown);
  const std::span<Guessed> array = world.make_array<Guessed>(3);
  array[2] = {7, &array[0]};

  Space twin = world.fork();
  EXPECT_EQ(twin.hash(), world.hash());
  const cpBody* twins = twin.twin_of(world, body);
  EXPECT_EQ(twin.twin_of(world, guessed)->pointer, twins);
  EXPECT_EQ(twin.twin_of(world, guessed)->word, reinterpret_cast<std::uintptr_t>(twins));
  EXPECT_EQ(twin.twin_of(world, numbers)->word, address);
  EXPECT_EQ(twin.twin_of(world, shown)->body, twins);
  EXPECT_EQ(twin.twin_of(world, shown)->word, address);
  EXPECT_EQ(twin.twin_of(world, shown)->other, address);
  EXPECT_EQ(twin.twin_of(world, second)->next, twin.twin_of(world, shown));
  EXPECT_EQ(twin.twin_of(world, second)->body, nullptr);
  EXPECT_EQ(twin.twin_of(world, &array[2])->pointer, twin.twin_of(world, &array[0]));
  EXPECT_EQ(twin.twin_of(world, &array[2])->word, 7u);
}

TEST(Objects, GivenBackTheyAreUsedAgain) {
  Space world;
  const auto building = world.enter();
  auto* shown = world.make<Shown>();
  auto* numbers = world.make<Numbers>(std::uintptr_t{0});
  const auto array = world.make_array<int>(100);
  EXPECT_EQ(array[99], 0);
  const std::size_t live = world.live_bytes();
  world.release(array.data());
  world.release(numbers);
  world.release(shown);
  world.release(nullptr);
  EXPECT_LT(world.live_bytes(), live);
  EXPECT_EQ(world.make<Shown>(), shown);
  EXPECT_EQ(world.make<Numbers>(std::uintptr_t{5}), numbers);
  int outside = 0;
  EXPECT_THROW(world.release(&outside), Error);
  Space other;
  EXPECT_THROW(other.release(numbers), Error);
}

TEST(Objects, OnlyWhatWasMadeIsGivenBack) {
  Space world;
  const auto building = world.enter();
  auto* shown = world.make<Shown>();
  const auto array = world.make_array<int>(100);
  cpBody* body = cpBodyNew(1, 1);
  auto* last = world.make<Numbers>(std::uintptr_t{0});
  const std::uint64_t hash = world.hash();
  const auto* bytes = reinterpret_cast<std::byte*>(shown);
  for (std::ptrdiff_t at = -32; at < 48; ++at) {
    if (at == 0) continue;
    const auto* wrong = bytes + at;
    EXPECT_THROW(world.release(const_cast<std::byte*>(wrong)), Error) << at;
  }
  EXPECT_THROW(world.release(&array[1]), Error);
  EXPECT_THROW(world.release(&array[4]), Error);
  EXPECT_THROW(world.release(&body->p), Error);
  EXPECT_EQ(world.hash(), hash);
  for (void* made : {static_cast<void*>(shown), static_cast<void*>(array.data()), static_cast<void*>(last)}) {
    world.release(made);
    EXPECT_THROW(world.release(made), Error);
  }
}

TEST(Objects, PartsOfASceneAreNotReleased) {
  Space world;
  const auto scope = world.enter();
  cpBody* const body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  cpShape* const shape = cpSpaceAddShape(world.space(), cpCircleShapeNew(body, 1, cpvzero));
  for (void* const part : {static_cast<void*>(body), static_cast<void*>(shape), static_cast<void*>(world.space())}) {
    EXPECT_THROW(world.release(part), Error);
  }
  cpSpaceRemoveShape(world.space(), shape);
  world.release(shape);
}

using Names = std::pmr::map<int, std::pmr::string>;
using Lists = std::pmr::unordered_map<int, std::pmr::vector<int>>;

struct Game {
  std::pmr::vector<cpBody*>* bodies;
  Names* names;
  Lists* lists;
  std::pmr::string* title;
};

void play(Space& world, Game& game, int turn) {
  const auto scope = world.enter();
  game.bodies->push_back(cpSpaceAddBody(world.space(), cpBodyNew(1, 1)));
  cpBodySetPosition(game.bodies->back(), cpv(turn, -turn));
  (*game.names)[turn % 17] += " a name that is too long to stay in a string " + std::to_string(turn);
  (*game.names)[turn % 5] = "short";
  if (turn % 3 == 0) game.names->erase(turn % 11);
  (*game.lists)[turn % 40].push_back(turn);
  if (turn % 7 == 0) game.lists->erase(turn % 13);
  *game.title += static_cast<char>('a' + turn % 26);
}

void expect_equal(const Game& one, const Game& other) {
  EXPECT_EQ(*one.names, *other.names);
  EXPECT_EQ(*one.lists, *other.lists);
  EXPECT_EQ(*one.title, *other.title);
  ASSERT_EQ(one.bodies->size(), other.bodies->size());
  for (std::size_t i = 0; i < one.bodies->size(); ++i) {
    EXPECT_EQ(cpBodyGetPosition((*one.bodies)[i]).x, cpBodyGetPosition((*other.bodies)[i]).x);
  }
}

TEST(Objects, ContainersForkWithTheirSpace) {
  Space world;
  Game* game = world.make<Game>(world.make_container<std::pmr::vector<cpBody*>>(), world.make_container<Names>(),
                                world.make_container<Lists>(), world.make_container<std::pmr::string>("t"));
  cpSpaceSetUserData(world.space(), game);
  for (int turn = 0; turn < 50; ++turn) play(world, *game, turn);
  const Snapshot saved = world.save();
  Space read = Space::from_bytes(world.to_bytes());
  auto* const reads = static_cast<Game*>(cpSpaceGetUserData(read.space()));
  EXPECT_EQ(reads->names->get_allocator().resource(), read.memory_resource());
  auto twin = std::make_unique<Space>(world.fork());
  Game* twins = twin->twin_of(world, game);
  EXPECT_EQ(twin->hash(), world.hash());
  EXPECT_EQ(twins->names->get_allocator().resource(), twin->memory_resource());
  EXPECT_NE(twin->memory_resource(), world.memory_resource());
  for (int turn = 50; turn < 200; ++turn) {
    play(world, *game, turn);
    play(*twin, *twins, turn);
    play(read, *reads, turn);
    ASSERT_EQ(twin->hash(), world.hash()) << turn << first_difference(world, *twin).value_or("");
    ASSERT_EQ(read.hash(), world.hash()) << turn << first_difference(world, read).value_or("");
  }
  expect_equal(*game, *twins);
  expect_equal(*game, *reads);
  const std::uint64_t hash = world.hash();
  twin.reset();
  EXPECT_EQ(world.hash(), hash);
  ASSERT_TRUE(world.restore(saved));
  for (int turn = 50; turn < 200; ++turn) play(world, *game, turn);
  EXPECT_EQ(world.hash(), hash);
}

struct FallingCircle {
  Space world;
  cpBody* body = nullptr;

  FallingCircle() {
    const auto building = world.enter();
    cpSpaceSetGravity(world.space(), cpv(0, -10));
    body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    cpSpaceAddShape(world.space(), cpCircleShapeNew(body, 3, cpvzero));
    cpSpaceAddShape(world.space(),
                    cpSegmentShapeNew(cpSpaceGetStaticBody(world.space()), cpv(-50, -9), cpv(50, -9), 1));
    for (int i = 0; i < 70; ++i) world.step(0.02);
  }
  static std::uint64_t after(Space& space) {
    for (int i = 0; i < 50; ++i) space.step(0.02);
    return space.hash();
  }
};

TEST(Snapshots, GoToForksAndOtherSpacesAndOutliveTheirSpace) {
  auto scene = std::make_unique<FallingCircle>();
  const Snapshot saved = scene->world.save();
  const std::uint64_t at_once = scene->world.hash();
  Space fork = scene->world.fork();
  const std::uint64_t later = FallingCircle::after(scene->world);
  EXPECT_EQ(FallingCircle::after(fork), later);
  ASSERT_TRUE(fork.restore(saved));
  EXPECT_EQ(fork.hash(), at_once);
  EXPECT_EQ(FallingCircle::after(fork), later);

  Space unrelated(4096, std::size_t{1} << 22);
  ASSERT_TRUE(unrelated.restore(saved));
  EXPECT_EQ(unrelated.hash(), at_once);
  EXPECT_EQ(FallingCircle::after(unrelated), later);
  EXPECT_EQ(cpBodyGetPosition(unrelated.twin_of(scene->world, scene->body)).y,
            cpBodyGetPosition(fork.twin_of(scene->world, scene->body)).y);

  Space too_small(4096, 4096);
  const std::uint64_t before = too_small.hash();
  Space large;
  static_cast<void>(large.make_array<double>(1000));
  EXPECT_FALSE(too_small.restore(large.save()));
  EXPECT_EQ(too_small.hash(), before);

  scene.reset();
  for (int i = 0; i < 20; ++i) {  // some have the first Space's addresses
    Space after_death;
    ASSERT_TRUE(after_death.restore(saved));
    EXPECT_EQ(after_death.hash(), at_once);
    EXPECT_EQ(FallingCircle::after(after_death), later);
  }
}

TEST(Snapshots, AreCopiedAndMoved) {
  FallingCircle scene;
  Snapshot saved = scene.world.save();
  const std::uint64_t at_once = scene.world.hash();
  Snapshot copy = saved;
  Snapshot moved = std::move(saved);
  EXPECT_TRUE(saved.empty());  // NOLINT: a moved-from snapshot is empty
  EXPECT_EQ(saved.size_bytes(), 0u);
  EXPECT_FALSE(scene.world.restore(saved));
  static_cast<void>(FallingCircle::after(scene.world));
  EXPECT_EQ(copy.size_bytes(), moved.size_bytes());
  ASSERT_TRUE(scene.world.restore(copy));
  EXPECT_EQ(scene.world.hash(), at_once);
  saved = moved;
  ASSERT_TRUE(scene.world.restore(saved));
  EXPECT_EQ(scene.world.hash(), at_once);
  copy = Snapshot();
  EXPECT_TRUE(copy.empty());
  saved = Snapshot(copy);
  EXPECT_TRUE(saved.empty());
}

TEST(Snapshots, AMovedSpaceIsTheSame) {
  FallingCircle scene;
  const Snapshot saved = scene.world.save();
  const std::uint64_t at_once = scene.world.hash();
  Space moved = std::move(scene.world);
  EXPECT_EQ(moved.hash(), at_once);
  const std::uint64_t later = FallingCircle::after(moved);
  ASSERT_TRUE(moved.restore(saved));
  EXPECT_EQ(FallingCircle::after(moved), later);

  const Space& gone = scene.world;  // NOLINT: use after a move is refused
  Space& gone_too = scene.world;
  EXPECT_THROW(static_cast<void>(gone.space()), Error);
  EXPECT_THROW(static_cast<void>(gone.spaces()), Error);
  EXPECT_THROW(static_cast<void>(gone.save()), Error);
  EXPECT_THROW(static_cast<void>(gone.fork()), Error);
  EXPECT_THROW(static_cast<void>(gone.hash()), Error);
  EXPECT_THROW(static_cast<void>(gone.live_bytes()), Error);
  EXPECT_THROW(static_cast<void>(gone.memory_resource()), Error);
  EXPECT_THROW(static_cast<void>(gone.outside_pointers()), Error);
  EXPECT_THROW(static_cast<void>(first_difference(moved, gone)), Error);
  EXPECT_THROW(static_cast<void>(moved.twin_of(gone, scene.body)), Error);
  EXPECT_THROW(static_cast<void>(gone_too.enter()), Error);
  EXPECT_THROW(static_cast<void>(gone_too.restore(saved)), Error);
  EXPECT_THROW(static_cast<void>(gone_too.make<int>(1)), Error);
  EXPECT_THROW(gone_too.release(nullptr), Error);
  EXPECT_THROW(gone_too.step(1), Error);
  gone_too = std::move(moved);
  ASSERT_TRUE(gone_too.restore(saved));
  EXPECT_EQ(FallingCircle::after(gone_too), later);
}

TEST(Snapshots, PointersToOutsideAreReported) {
  Space world;
  int game = 0;
  cpBody* outside = cpBodyNew(1, 1);
  cpSpaceSetUserData(world.space(), &game);
  cpSpaceAddBody(world.space(), outside);
  bool is_reported = false;
  bool is_users = false;
  for (const OutsidePointer& pointer : world.outside_pointers()) {
    is_reported = is_reported || (pointer.address == outside && !pointer.is_user_data);
    is_users =
        is_users || (pointer.address == &game && pointer.is_user_data && pointer.location == "space 0: userData");
  }
  EXPECT_TRUE(is_reported);
  EXPECT_TRUE(is_users);
#if FORKMUNK_CHECK_LEVEL >= 2
  EXPECT_THROW(static_cast<void>(world.save()), Error);
  EXPECT_THROW(static_cast<void>(world.fork()), Error);
#endif
  cpSpaceRemoveBody(world.space(), outside);
  cpBodyFree(outside);
  static_cast<void>(world.outside_pointers());
}

TEST(Objects, ARefusedSizeIsTheOneThatWasWanted) {
  Space world;
  const auto message = [](const auto& make) {
    try {
      make();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  const auto bytes = [&] { static_cast<void>(world.make_array<unsigned char>(kMost)); };
  const auto numbers = [&] { static_cast<void>(world.make_array<double>(kMost / 2)); };
  EXPECT_NE(message(bytes).find(" " + std::to_string(kMost) + " bytes"), std::string::npos) << message(bytes);
  EXPECT_NE(message(numbers).find(std::to_string(kMost / 2) + " x 8"), std::string::npos) << message(numbers);
}

}  // namespace
}  // namespace forkmunk::space
