// SPDX-License-Identifier: MIT
#include "random_scene.h"
#include "space_host.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <sstream>
#include <vector>

#include <chipmunk/chipmunk_unsafe.h>
#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

struct Box {
  cpBody* body;
  cpShape* shape;
};

Box add_box(cpSpace* space, int i) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 30, 30)));
  cpBodySetPosition(body, cpv(i % 20 * 31.0, 15 + i / 20 * 31.0));
  cpShape* shape = cpSpaceAddShape(space, cpBoxShapeNew(body, 30, 30, 0));
  cpShapeSetFriction(shape, 0.6);
  return {body, shape};
}

cpBB box_of(void*) { return cpBBNew(0, 0, 1, 1); }

std::vector<Box> build_wall(Space& world, int count, int kept_count) {
  const auto scope = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -100));
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-500, 0), cpv(1500, 0), 0));
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) boxes.push_back(add_box(space, i));
  for (int i = 0; i < 20; ++i) cpSpaceStep(space, 1.0 / 60);
  while (boxes.size() > static_cast<std::size_t>(kept_count)) {
    const Box box = boxes.back();
    boxes.pop_back();
    cpSpaceRemoveShape(space, box.shape);
    cpShapeFree(box.shape);
    cpSpaceRemoveBody(space, box.body);
    cpBodyFree(box.body);
  }
  return boxes;
}

TEST(Compaction, AShrunkenSpaceIsSmallAgainAndGoesOn) {
  Space world;
  std::vector<Box> boxes = build_wall(world, 800, 40);
  Space small;
  build_wall(small, 40, 40);
  Space twin = world.fork();
  std::vector<cpBody*> twins;
  for (const Box& box : boxes) twins.push_back(twin.twin_of(world, box.body));
  const std::size_t bytes_before = world.live_bytes();
  const Moves moves = world.compact();
  EXPECT_LT(world.live_bytes(), small.live_bytes() * 5 / 4);
  EXPECT_GT(bytes_before, 8 * world.live_bytes());
  EXPECT_TRUE(world.outside_pointers().empty());
  for (Box& box : boxes) box.body = moves(box.body);
  for (int step = 0; step < 300; ++step) {
    world.step(1.0 / 60);
    twin.step(1.0 / 60);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const cpBody &one = *boxes[i].body, &other = *twins[i];
      ASSERT_TRUE(one.p.x == other.p.x && one.p.y == other.p.y && one.a == other.a && one.v.y == other.v.y) << step;
    }
  }
}

// The pyramid of `forkmunk bench --scenes`.
std::size_t bytes_of_pyramid(int base) {
  Space world;
  const auto scope = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -300));
  const double half_width = base * 30 + 100;
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-half_width, 0), cpv(half_width, 0), 0))
      ->u = 0.6;
  for (int row = 0; row < base; ++row) {
    for (int i = 0; i < base - row; ++i) {
      cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 30, 30)));
      cpBodySetPosition(body, cpv((i - 0.5 * (base - row - 1)) * 31, (row + 0.5) * 30));
      cpSpaceAddShape(space, cpBoxShapeNew(body, 30, 30, 0))->u = 0.6;
    }
  }
  for (int i = 0; i < 120; ++i) cpSpaceStep(space, 1.0 / 60);
  return world.live_bytes();
}

// Decision 12; the number of bytes is the same on every machine.
TEST(Compaction, ASpaceIsSmallWithoutIt) {
  constexpr std::size_t kBytesMax10 = 21200, kBytesMax210 = 415000;
  if (sizeof(void*) != 8) GTEST_SKIP() << "for 64-bit addresses";
  EXPECT_LE(bytes_of_pyramid(4), kBytesMax10);
  EXPECT_LE(bytes_of_pyramid(20), kBytesMax210);
}

TEST(Compaction, SnapshotsFromBeforeRemainGood) {
  Space world;
  const std::vector<Box> boxes = build_wall(world, 100, 20);
  const Snapshot saved = world.save();
  world.step(1.0 / 60);
  const std::uint64_t hash = world.hash();
  static_cast<void>(world.compact());
  ASSERT_TRUE(world.restore(saved));
  world.step(1.0 / 60);
  EXPECT_EQ(world.hash(), hash);
}

TEST(Compaction, ContainersKeepTheirContent) {
  Space world;
  auto* numbers = world.make_container<std::pmr::vector<int>>();
  void* gap = world.make_array<double>(1000).data();
  for (int i = 0; i < 1000; ++i) numbers->push_back(i);
  world.release(gap);
  const Moves moves = world.compact();
  auto* moved = moves(numbers);
  ASSERT_NE(moved, nullptr);
  ASSERT_EQ(moved->size(), 1000u);
  EXPECT_EQ(moved->back(), 999);
  EXPECT_EQ(moves(static_cast<double*>(gap)), nullptr);
  moved->push_back(1000);
  EXPECT_EQ(moved->at(1000), 1000);
}

TEST(Compaction, RandomScenesGoOnTheSame) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Space origin;
    random_scene::SpaceHost host(origin);
    random_scene::SceneState* state = random_scene::build(host, seed, false);
    Space packed = origin.fork();
    random_scene::SpaceHost packed_host(packed);
    random_scene::SceneState* twin = packed.twin_of(origin, state);
    for (int step = 0; step < 200; ++step) {
      if (step % 20 == 10) {
        twin = packed.compact()(twin);
        ASSERT_LE(packed.live_bytes(), origin.live_bytes());
      }
      random_scene::advance(host, *state);
      random_scene::advance(packed_host, *twin);
      ASSERT_EQ(random_scene::hash_of_motion(*twin), random_scene::hash_of_motion(*state)) << seed << ' ' << step;
    }
    for (const OutsidePointer& pointer : packed.outside_pointers()) ADD_FAILURE() << pointer.location;
  }
}

thread_local std::vector<std::uintptr_t> separated;

void note_separation(cpArbiter* arbiter, cpSpace*, void*) {
  cpBody *a, *b;
  cpArbiterGetBodies(arbiter, &a, &b);
  separated.push_back(reinterpret_cast<std::uintptr_t>(a->userData) * 1000 +
                      reinterpret_cast<std::uintptr_t>(b->userData));
}

std::vector<std::uintptr_t> separations_of(Space& world) {
  separated.clear();
  for (int step = 0; step < 60; ++step) world.step(1.0 / 60);
  return separated;
}

TEST(Compaction, CallbacksKeepTheirOrder) {
  Space world;
  const std::vector<Box> boxes = build_wall(world, 160, 100);
  {
    const auto scope = world.enter();
    cpSpaceAddDefaultCollisionHandler(world.space())->separateFunc = &note_separation;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      cpBodySetUserData(boxes[i].body, reinterpret_cast<void*>(i + 1));
      cpBodySetVelocity(boxes[i].body, cpv(static_cast<double>(i % 20) * 20 - 190, 100));
    }
  }
  Space packed = world.fork();
  static_cast<void>(packed.compact());
  Space read;
  std::stringstream file;
  name_code("the test's note of a separation", &note_separation);
  packed.save().write(file);
  ASSERT_TRUE(read.restore(Snapshot::read(file)));
  EXPECT_EQ(read.hash(), packed.hash());
  const std::vector<std::uintptr_t> expected = separations_of(world);
  EXPECT_GT(expected.size(), 20u);
  EXPECT_EQ(separations_of(packed), expected);
  EXPECT_EQ(separations_of(read), expected);
}

// A hash cannot order these objects by a space.
void make_loose_objects(Space& world, double at) {
  const auto scope = world.enter();
  cpBody* one = cpBodyNew(at, 1);
  cpShape* shape = cpCircleShapeNew(one, at, cpvzero);
  cpBody* other = cpBodyNew(at + 1, 2);
  cpPinJointNew(one, other, cpvzero, cpv(at, 0));
  cpShapeSetUserData(shape, world.make<double>(at));
  world.make_container<std::pmr::vector<double>>()->assign(3, at);
  world.make<cpBody*>(other);
}

TEST(Compaction, WorldsThatThenDoTheSameHaveTheSameHash) {
  Space world;
  build_wall(world, 60, 20);
  make_loose_objects(world, 1);
  for (int i = 0; i < 20; ++i) world.release(world.make_array<double>(static_cast<std::size_t>(i)).data());
  Space packed = world.fork();
  static_cast<void>(packed.compact());
  for (int i = 2; i < 12; ++i) {
    ASSERT_EQ(packed.hash(), world.hash()) << i;
    make_loose_objects(world, i);
    make_loose_objects(packed, i);
    if (i == 6) static_cast<void>(packed.compact());
  }
  EXPECT_NE(packed.fork().live_bytes(), world.live_bytes()) << "the first should have made them in freed memory";
  ASSERT_EQ(packed.hash(), world.hash());
  Space read;
  ASSERT_TRUE(read.restore(Snapshot::from_bytes(world.save().to_bytes())));
  make_loose_objects(world, 99);
  make_loose_objects(read, 99);
  EXPECT_EQ(read.hash(), world.hash());
}

TEST(Compaction, ARestoredSnapshotFromBeforeHasItsAddresses) {
  Space world;
  const std::vector<Box> boxes = build_wall(world, 100, 20);
  int* const number = world.make<int>(7);
  const Snapshot saved = world.save();
  Space twin = world.fork();
  const double y = boxes[19].body->p.y;
  const Moves moves = world.compact();
  cpBody* const moved = moves(boxes[19].body);
  EXPECT_EQ(moved->p.y, y);
  const Space another;  // must not get the memory at the old addresses
  world.step(1.0 / 60);
  const Snapshot packed = world.save();
  const double later = moved->p.y;
  ASSERT_TRUE(world.restore(saved));
  EXPECT_EQ(world.hash(), twin.hash());
  EXPECT_EQ(boxes[19].body->p.y, y);
  EXPECT_EQ(boxes[19].body->space, world.space());
  EXPECT_EQ(*number, 7);
  EXPECT_EQ(world.twin_of(twin, twin.twin_of(world, boxes[19].body)), boxes[19].body);
  cpBodySetVelocity(boxes[19].body, cpv(0, 50));
  world.step(1.0 / 60);
  EXPECT_GT(boxes[19].body->p.y, y);
  ASSERT_TRUE(world.restore(packed));
  EXPECT_EQ(moved->p.y, later);
}

TEST(Compaction, ADifferenceNamesNoFieldThatIsEqual) {
  Space world;
  const std::vector<Box> boxes = build_wall(world, 60, 20);
  cpBody** const last_hit = world.make<cpBody*>(boxes[3].body);
  cpSpaceRemoveShape(world.space(), boxes[5].shape);
  cpShapeFree(boxes[5].shape);
  cpSpaceRemoveBody(world.space(), boxes[5].body);
  cpBodyFree(boxes[5].body);
  Space packed = world.fork();
  static_cast<void>(packed.compact());
  for (Space* each : {&world, &packed}) {
    const auto scope = each->enter();
    // In the packed world, the body takes memory of a removed one, so it is not the last by address.
    cpSpaceAddBody(each->space(), cpBodyNew(3, 4));
  }
  ASSERT_EQ(packed.hash(), world.hash());
  const std::string found = first_difference(world, packed).value_or("nothing");
  EXPECT_TRUE(found.find("memory differs") != std::string::npos || found.find("allocations") != std::string::npos)
      << found;
  packed.spaces()[0]->gravity.y = 1;
  EXPECT_EQ(first_difference(world, packed).value_or("nothing").rfind("space 0: gravity differs", 0), 0u);
  EXPECT_NE(*last_hit, nullptr);
}

TEST(Compaction, IsRefusedInAScope) {
  Space world;
  const auto scope = world.enter();
  EXPECT_THROW(static_cast<void>(world.compact()), Error);
}

// compact() cannot know that the user's memory contains a cpSpace.
TEST(Compaction, ASpaceInTheGamesOwnMemoryKeepsItsPools) {
  Space world;
  auto* game = reinterpret_cast<cpSpace*>(world.make_array<std::uint64_t>(sizeof(cpSpace) / 8).data());
  {
    const auto scope = world.enter();
    cpSpaceInit(game);
    cpSpaceSetGravity(game, cpv(0, -100));
    cpSpaceAddShape(game, cpSegmentShapeNew(cpSpaceGetStaticBody(game), cpv(-500, 0), cpv(1500, 0), 0));
    for (int i = 0; i < 40; ++i) add_box(game, i);
    for (int i = 0; i < 20; ++i) cpSpaceStep(game, 1.0 / 60);
  }
  const Moves moves = world.compact();
  game = moves(game);
  ASSERT_NE(game, nullptr);
  for (int i = 0; i < 20; ++i) cpSpaceStep(game, 1.0 / 60);
  cpSpaceDestroy(game);
  world.step(1.0 / 60);
}

// The contacts of the last step are in the pool.
TEST(Compaction, ContactsWithoutPersistenceGoOn) {
  Space world;
  cpSpaceSetCollisionPersistence(world.space(), 0);
  build_wall(world, 20, 20);
  Space twin = world.fork();
  static_cast<void>(world.compact());
  for (int i = 0; i < 10; ++i) {
    world.step(1.0 / 60);
    twin.step(1.0 / 60);
    ASSERT_EQ(world.hash(), twin.hash()) << i;
  }
  std::stringstream bytes;
  world.save().write(bytes);
  EXPECT_NO_THROW(static_cast<void>(Snapshot::read(bytes)));
}

TEST(Compaction, ADestroyedIndexIsLeftAlone) {
  Space world;
  {
    const auto scope = world.enter();
    cpSpatialIndex* index = cpBBTreeNew(&box_of, nullptr);
    int object = 0;
    cpSpatialIndexInsert(index, &object, 1);
    index->klass->destroy(index);
  }
  EXPECT_NO_THROW(static_cast<void>(world.compact()));
}

TEST(Compaction, APointerToWhatWasFreedHashesAsBefore) {
  Space world;
  const std::vector<Box> boxes = build_wall(world, 20, 20);
  cpBody** const last_hit = world.make<cpBody*>(boxes[3].body);
  boxes[5].body->userData = boxes[3].body;
  cpSpaceRemoveShape(world.space(), boxes[3].shape);
  cpShapeFree(boxes[3].shape);
  cpSpaceRemoveBody(world.space(), boxes[3].body);
  cpBodyFree(boxes[3].body);
  const std::uint64_t hash = world.hash();
  const Moves moves = world.compact();
  EXPECT_EQ(world.hash(), hash);
  EXPECT_NE(*moves(last_hit), nullptr);
  std::stringstream bytes;
  world.save().write(bytes);
  Space other;
  ASSERT_TRUE(other.restore(Snapshot::read(bytes)));
  EXPECT_EQ(other.hash(), hash);
  EXPECT_EQ(world.fork().hash(), hash);
}

cpShape* new_polygon(int count) {
  std::vector<cpVect> vertices;
  for (int i = 0; i < count; ++i) vertices.push_back(cpvforangle(6.25 * i / count));
  return cpPolyShapeNewRaw(nullptr, count, vertices.data(), 0.5);
}

TEST(Compaction, AJointRemovedBesideAFreedOneHashesAsBefore) {
  Space world;
  {
    const auto scope = world.enter();
    cpSpace* const space = world.space();
    cpBody* const body = cpSpaceAddBody(space, cpBodyNew(1, 1));
    cpConstraint* const freed = cpSpaceAddConstraint(space, cpSimpleMotorNew(body, space->staticBody, 1));
    cpSpaceRemoveConstraint(space, cpSpaceAddConstraint(space, cpSimpleMotorNew(body, space->staticBody, 2)));
    cpSpaceRemoveConstraint(space, freed);
    cpConstraintFree(freed);
  }
  Space read = Space::from_bytes(world.to_bytes());
  const std::uint64_t hash = world.hash();
  static_cast<void>(world.compact());
  EXPECT_EQ(world.hash(), hash);
  EXPECT_EQ(world.to_bytes(), read.to_bytes());
}

// A polygon's memory ends after the planes of its first vertices.
TEST(Compaction, APolygonHasRoomForItsVerticesAndMayGetMore) {
  for (const int made_with : {1, 4, 6, 7}) {
    Space world;
    cpShape* const outside = new_polygon(made_with);
    const auto scope = world.enter();
    const std::size_t bytes_before = world.live_bytes();
    cpShape* const polygon = new_polygon(made_with);
    const std::size_t bytes = world.live_bytes() - bytes_before;
    const auto planes_of = [](int count) { return 2 * sizeof(cpSplittingPlane) * static_cast<std::size_t>(count); };
    const std::size_t planes = made_with > 6 ? planes_of(3) + planes_of(made_with) : planes_of(std::max(made_with, 3));
    EXPECT_LE(bytes, offsetof(cpPolyShape, _planes) + planes + (made_with > 6 ? 48 : 24)) << made_with;
    for (const int count : {5, 8, 3, 6, 2, 4}) {
      std::vector<cpVect> vertices;
      for (int i = 0; i < count; ++i) vertices.push_back(cpvmult(cpvforangle(6.25 * i / count), 2));
      cpPolyShapeSetVertsRaw(polygon, count, vertices.data());
      cpPolyShapeSetVertsRaw(outside, count, vertices.data());
      // Queries see the old planes until the shape is updated.
      cpPointQueryInfo query{}, query_outside{};
      EXPECT_EQ(cpShapePointQuery(polygon, cpv(3, 1), &query), cpShapePointQuery(outside, cpv(3, 1), &query_outside))
          << made_with << " to " << count;
      EXPECT_EQ(cpShapeUpdate(polygon, cpTransformTranslate(cpv(1, 2))).l,
                cpShapeUpdate(outside, cpTransformTranslate(cpv(1, 2))).l);
      const Space read(world.fork());
      EXPECT_EQ(read.hash(), world.hash());
      EXPECT_EQ(first_difference(read, world), std::nullopt);
      EXPECT_NO_THROW((void)world.save().to_bytes()) << made_with << " to " << count;
    }
    world.release(polygon);
    cpShapeFree(outside);
    EXPECT_EQ(world.live_bytes(), bytes_before) << made_with;
  }
}

}  // namespace
}  // namespace forkmunk::space
