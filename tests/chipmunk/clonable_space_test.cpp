// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/clonable_space.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::chipmunk {
namespace {

constexpr std::size_t kCapacityBytes = 1 << 18;

struct Marks {
  int body, shape, joint, space, handler, contact;
};

cpBool keep_mark(cpArbiter* arbiter, cpSpace*, cpDataPointer mark) {
  arbiter->data = mark;
  return cpTrue;
}

cpDataPointer mark_of(int& mark) { return reinterpret_cast<cpDataPointer>(&mark); }

enum class Static { reserved, as_they_come };

// Bodies overlap; every kind of shape and joint that can be forked and every user pointer is there.
void add_scene(ClonableSpace& clonable, std::size_t body_count, Static ground = Static::reserved) {
  const auto scope = clonable.enter();
  const ChipmunkApi& api = clonable.api();
  cpSpace* space = clonable.space();
  auto& marks = *static_cast<Marks*>(clonable.root());
  api.cpSpaceSetUserData(space, mark_of(marks.space));

  if (ground == Static::reserved) clonable.begin_static_shapes(body_count);
  for (std::size_t i = 0; i < body_count; ++i) {
    const double y = -20.0 * static_cast<double>(i);
    cpShape* shape = api.cpSegmentShapeNew(&space->_staticBody, cpv(-100, y), cpv(100, y), 5);
    shape->userData = mark_of(marks.shape);
    api.cpShapeSetFriction(shape, 1);
    api.cpSpaceAddShape(space, shape);
  }
  if (ground == Static::reserved) clonable.end_static_shapes();

  std::vector<cpBody*> bodies(body_count);
  for (std::size_t i = 0; i < body_count; ++i) {
    bodies[i] = api.cpSpaceAddBody(space, api.cpBodyNew(1, 100));
    bodies[i]->userData = mark_of(marks.body);
    api.cpBodySetPosition(bodies[i], cpv(8.0 * static_cast<double>(i), 8));
    for (cpShape* shape : {api.cpCircleShapeNew(bodies[i], 6, cpvzero), api.cpBoxShapeNew(bodies[i], 10, 10, 0)}) {
      shape->userData = mark_of(marks.shape);
      api.cpShapeSetFriction(shape, 0.5);
      api.cpShapeSetFilter(shape, {i + 1, CP_ALL_CATEGORIES, CP_ALL_CATEGORIES});
      api.cpShapeSetCollisionType(shape, i + 1);
      api.cpSpaceAddShape(space, shape);
    }
    cpCollisionHandler* handler = api.cpSpaceAddWildcardHandler(space, i + 1);
    handler->beginFunc = keep_mark;
    handler->userData = mark_of(marks.contact);
  }
  // Only the body's shape is in the space.
  cpBody* loose = api.cpBodyNewKinematic();
  loose->userData = mark_of(marks.body);
  api.cpSpaceAddShape(space, api.cpCircleShapeNew(loose, 3, cpvzero));
  for (cpConstraint* joint : {api.cpGrooveJointNew(bodies[0], bodies[1], cpv(-20, 0), cpv(20, 0), cpvzero),
                              api.cpDampedSpringNew(bodies[1], bodies[2], cpvzero, cpvzero, 9, 50, 2),
                              api.cpSimpleMotorNew(bodies[2], bodies[0], 1)}) {
    joint->userData = mark_of(marks.joint);
    api.cpSpaceAddConstraint(space, joint);
  }
}

void build(ClonableSpace& clonable) {
  clonable.renew(sizeof(Marks));
  add_scene(clonable, 3);
}

std::uint64_t hash_of(const ClonableSpace& clonable) {
  const cpSpace& space = *clonable.space();
  Hasher hasher;
  for (int i = 0; i < space.dynamicBodies->num; ++i) {
    const auto& body = *static_cast<const cpBody*>(space.dynamicBodies->arr[i]);
    hasher.add(body.p.x, body.p.y, body.v.x, body.v.y, body.a, body.w, body.v_bias.x, body.v_bias.y, body.w_bias);
  }
  for (int i = 0; i < space.constraints->num; ++i) {
    auto* joint = static_cast<cpConstraint*>(space.constraints->arr[i]);
    hasher.add(joint->klass->getImpulse(joint));
  }
  hasher.add(space.arbiters->num, space.stamp, space.shapeIDCounter, space.curr_dt);
  return hasher.value();
}

std::uint64_t step(ClonableSpace& clonable) {
  const auto scope = clonable.enter();
  clonable.api().cpSpaceStep(clonable.space(), 0.01);
  return hash_of(clonable);
}

void remove_everything(ClonableSpace& clonable) {
  const auto scope = clonable.enter();
  const ChipmunkApi& api = clonable.api();
  cpSpace* space = clonable.space();
  while (space->constraints->num > 0) {
    api.cpSpaceRemoveConstraint(space, static_cast<cpConstraint*>(space->constraints->arr[0]));
  }
  for (cpSpatialIndex* index : {space->dynamicShapes, space->staticShapes}) {
    std::vector<cpShape*> shapes;
    layout::for_each<layout::Node>(*layout::tree_of(index).leaves, [&](const layout::Node& leaf, layout::HashSetBin&) {
      shapes.push_back(leaf.shape);
    });
    for (cpShape* shape : shapes) api.cpSpaceRemoveShape(space, shape);
  }
  while (space->dynamicBodies->num > 0) {
    api.cpSpaceRemoveBody(space, static_cast<cpBody*>(space->dynamicBodies->arr[0]));
  }
}

// allocate() zeroes chunks.
void clean_free_chunks(arena_alloc::Arena& arena) {
  for (const std::uint32_t& newest : arena.free_lists()) {
    while (newest != 0) {
      const auto& chunk = *reinterpret_cast<const arena_alloc::Chunk*>(arena.base() + newest);
      (void)arena.allocate(chunk.payload_bytes());
    }
  }
}

// Counts addresses of `original` in `clone`'s arena, also in free memory.
__attribute__((no_sanitize("address"))) int foreign_pointer_count(const arena_alloc::Arena& clone,
                                                                  const arena_alloc::Arena& original) {
  int count = 0;
  for (std::size_t offset = 0; offset < clone.capacity_bytes(); offset += 8) {
    if (offset == clone.live_bytes() / 8 * 8) offset = (clone.capacity_bytes() - 8 - clone.constant_bytes()) / 8 * 8;
    if (original.contains(*reinterpret_cast<void* const volatile*>(clone.base() + offset))) ++count;
  }
  return count;
}

class ClonableSpaceTest : public testing::TestWithParam<Arithmetic> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) GTEST_SKIP() << "this build has no " << to_string(GetParam()) << " arithmetic";
  }
};

// A twin may follow a forgotten pointer late, so bytes are compared. Contacts must exist before a pool object is
// returned with old pointers.
TEST_P(ClonableSpaceTest, AForkHoldsNoPointerIntoItsOriginal) {
  ClonableSpace original(chipmunk_api(GetParam()), kCapacityBytes);
  build(original);
  step(original);
  ASSERT_GT(original.space()->arbiters->num, 0);
  clean_free_chunks(original.arena());
  ASSERT_GT(foreign_pointer_count(original.arena(), original.arena()), 100);

  ClonableSpace twin(chipmunk_api(GetParam()), kCapacityBytes);
  twin.fork_from(original);
  EXPECT_EQ(foreign_pointer_count(twin.arena(), original.arena()), 0);
  EXPECT_EQ(hash_of(twin), hash_of(original));
}

TEST_P(ClonableSpaceTest, ASceneOfAnotherKindIsSavedRestoredAndForked) {
  ClonableSpace original(chipmunk_api(GetParam()), kCapacityBytes);
  build(original);
  original.api().cpSpaceSetGravity(original.space(), cpv(0, -100));
  for (int i = 0; i < 50; ++i) step(original);
  std::vector<std::byte> state(original.arena().live_bytes());
  original.arena().save_live(state.data());
  ClonableSpace twin(chipmunk_api(GetParam()), kCapacityBytes);
  twin.fork_from(original);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 200; ++i) {
    hashes.push_back(step(original));
    ASSERT_EQ(step(twin), hashes.back()) << i;
  }
  original.arena().restore_live(state);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(step(original), hashes[static_cast<std::size_t>(i)]) << i;
}

// The large scene grows both leaf tables before a small one follows.
TEST_P(ClonableSpaceTest, RenewingEqualsRemovingEverything) {
  ClonableSpace renewed(chipmunk_api(GetParam()), 1 << 20);
  ClonableSpace emptied(chipmunk_api(GetParam()), 1 << 20);
  for (ClonableSpace* clonable : {&renewed, &emptied}) {
    clonable->renew(sizeof(Marks));
    add_scene(*clonable, 20);
    for (int i = 0; i < 30; ++i) step(*clonable);
  }
  remove_everything(emptied);
  renewed.renew(sizeof(Marks));
  EXPECT_EQ(hash_of(renewed), hash_of(emptied));
  for (cpSpatialIndex* cpSpace::*index : {&cpSpace::dynamicShapes, &cpSpace::staticShapes}) {
    const unsigned int bucket_count = layout::tree_of(emptied.space()->*index).leaves->bucket_count;
    EXPECT_EQ(layout::tree_of(renewed.space()->*index).leaves->bucket_count, bucket_count);
    EXPECT_GT(bucket_count, 20u);
  }
  add_scene(renewed, 4);
  add_scene(emptied, 4, Static::as_they_come);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(step(renewed), step(emptied)) << i;
}

// Pools cut buffers into objects of the library's sizes, which two neighbours show.
TEST_P(ClonableSpaceTest, TheLayoutsAreTheLibrarysOwn) {
  ClonableSpace clonable(chipmunk_api(GetParam()), kCapacityBytes);
  build(clonable);
  step(clonable);
  const cpSpace& space = *clonable.space();
  const layout::Tree& tree = layout::tree_of(space.dynamicShapes);
  const auto distance = [](const auto* one, const auto* other) {
    return std::abs(reinterpret_cast<const std::byte*>(one) - reinterpret_cast<const std::byte*>(other));
  };
  ASSERT_NE(tree.pooled_nodes->parent, nullptr);
  EXPECT_EQ(distance(tree.pooled_nodes, tree.pooled_nodes->parent), std::ptrdiff_t{sizeof(layout::Node)});
  // A new leaf puts its pairs at the list's head, one after the other.
  std::ptrdiff_t nearest = PTRDIFF_MAX;
  layout::for_each<layout::Node>(*tree.leaves, [&](const layout::Node& leaf, layout::HashSetBin&) {
    for (const layout::Pair* pair = leaf.leaf.pairs; pair != nullptr; pair = pair->end_at(&leaf).next) {
      const layout::Pair* next = pair->end_at(&leaf).next;
      if (next != nullptr) nearest = std::min(nearest, std::ptrdiff_t{distance(pair, next)});
    }
  });
  EXPECT_EQ(nearest, std::ptrdiff_t{sizeof(layout::Pair)});
  const layout::HashSet& arbiters = layout::set_of(space.cachedArbiters);
  ASSERT_NE(arbiters.pooled_bins->next, nullptr);
  EXPECT_EQ(distance(arbiters.pooled_bins, arbiters.pooled_bins->next), std::ptrdiff_t{sizeof(layout::HashSetBin)});
  EXPECT_EQ(tree.leaves->entry_count, 7u) << "two shapes on each of three bodies, one on the loose one";
  EXPECT_EQ(tree.static_tree, &layout::tree_of(space.staticShapes));
  int contacts = 0;
  layout::for_each<cpArbiter>(*space.arbiters, [&](const cpArbiter& arbiter) { contacts += arbiter.count; });
  const auto* head = reinterpret_cast<const layout::ContactBuffer*>(space.contactBuffersHead);
  int in_ring = static_cast<int>(head->contact_count);
  for (const auto* buffer = head->next; buffer != head; buffer = buffer->next) {
    in_ring += static_cast<int>(buffer->contact_count);
  }
  EXPECT_EQ(in_ring, contacts);
}

INSTANTIATE_TEST_SUITE_P(Arithmetics, ClonableSpaceTest, testing::Values(Arithmetic::strict, Arithmetic::referee),
                         [](const auto& instance) { return std::string(to_string(instance.param)); });

}  // namespace
}  // namespace forkmunk::chipmunk
