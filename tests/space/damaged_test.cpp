// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/space/space.h>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

/// States that Chipmunk would crash on or not come back from: they are neither written nor read.
namespace forkmunk::space {
namespace {

namespace layout = chipmunk::layout;

cpBool a_collision_test(cpArbiter*, cpSpace*, void*) { return cpTrue; }

// Two boxes and a circle in touch on the ground, a joint, and a pile that sleeps.
struct DamagedScene {
  Space world;
  cpBody* body;
  cpBody* other;
  cpShape* shape;
  cpConstraint* joint;
  cpBody* sleeper = nullptr;

  DamagedScene() {
    name_code("a collision test", a_collision_test);
    const auto building = world.enter();
    cpSpace* space = world.space();
    cpSpaceSetGravity(space, cpv(0, -10));
    cpSpaceSetSleepTimeThreshold(space, 0.5);
    cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-500, -5), cpv(500, -5), 0));
    body = add_box(0);
    other = add_box(9);
    shape = body->shapeList;
    joint = cpSpaceAddConstraint(space, cpPinJointNew(body, other, cpvzero, cpvzero));
    add_box(300);
    for (int i = 0; i < 200; ++i) world.step(0.02);
    cpBodyActivate(body);
    for (int i = 0; i < 3; ++i) world.step(0.02);
    const cpArray& sleeping = *space->sleepingComponents;
    if (sleeping.num > 0) sleeper = static_cast<cpBody*>(sleeping.arr[0]);
  }
  cpBody* add_box(double x) {
    cpBody* box = cpSpaceAddBody(world.space(), cpBodyNew(1, 100));
    cpBodySetPosition(box, cpv(x, 0));
    cpSpaceAddShape(world.space(), cpBoxShapeNew(box, 10, 10, 0));
    return box;
  }
  [[nodiscard]] cpSpace& space() const { return *world.space(); }
  [[nodiscard]] cpArbiter& arbiter() const { return *static_cast<cpArbiter*>(space().arbiters->arr[0]); }
  [[nodiscard]] layout::Tree& tree() const { return layout::tree_of(space().dynamicShapes); }
};

template <typename T>
T* moved(T* pointer, std::ptrdiff_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(pointer) + bytes);
}

struct Damage {
  const char* name;
  void (*apply)(DamagedScene& scene);
};

const Damage kDamages[] = {
    {"a_body_in_the_middle_of_one", [](DamagedScene& s) { s.shape->body = moved(s.body, 16); }},
    {"a_null_body", [](DamagedScene& s) { s.joint->a = nullptr; }},
    {"a_misaligned_body", [](DamagedScene& s) { s.arbiter().body_a = moved(s.arbiter().body_a, 1); }},
    {"a_body_past_the_end", [](DamagedScene& s) { s.joint->b = moved(s.body, 1 << 20); }},
    {"a_ring_of_shapes", [](DamagedScene& s) { s.shape->next = s.shape; }},
    {"a_ring_of_joints", [](DamagedScene& s) { s.joint->next_a = s.joint; }},
    {"a_ring_of_arbiters",
     [](DamagedScene& s) {
       cpArbiter& arbiter = s.arbiter();
       (arbiter.body_a == s.body ? arbiter.thread_a : arbiter.thread_b).next = &arbiter;
       s.body->arbiterList = &arbiter;
     }},
    {"a_body_listed_twice", [](DamagedScene& s) { s.space().dynamicBodies->arr[0] = s.space().dynamicBodies->arr[1]; }},
    {"a_null_in_an_array", [](DamagedScene& s) { s.space().constraints->arr[0] = nullptr; }},
    {"an_array_that_is_longer_than_its_memory", [](DamagedScene& s) { s.space().arbiters->max = 1 << 20; }},
    {"a_shared_array", [](DamagedScene& s) { s.space().rousedBodies = s.space().postStepCallbacks; }},
    {"a_billion_iterations", [](DamagedScene& s) { s.space().iterations = 1000000000; }},
    {"three_contacts", [](DamagedScene& s) { s.arbiter().count = 3; }},
    {"contacts_between_two_slots", [](DamagedScene& s) { s.arbiter().contacts = moved(s.arbiter().contacts, 8); }},
    {"a_contact_buffer_that_overflows",
     [](DamagedScene& s) {
       reinterpret_cast<layout::ContactSlots*>(s.space().contactBuffersHead)->contact_count = 999;
     }},
    {"an_arbiter_without_a_handler", [](DamagedScene& s) { s.arbiter().handler = nullptr; }},
    {"an_arbiter_that_is_in_no_list", [](DamagedScene& s) { s.body->arbiterList = nullptr; }},
    {"a_function_of_another_signature",
     [](DamagedScene& s) {
       s.body->velocity_func = reinterpret_cast<cpBodyVelocityFunc>(reinterpret_cast<void (*)()>(a_collision_test));
     }},
    {"the_class_of_another_shape", [](DamagedScene& s) { s.shape->klass = s.space().staticBody->shapeList->klass; }},
    {"a_default_handler_that_asks_wildcards",
     [](DamagedScene& s) {
       cpSpaceAddDefaultCollisionHandler(&s.space());
       s.space().usesWildcards = cpFalse;
     }},
    {"a_polygon_without_vertices", [](DamagedScene& s) { reinterpret_cast<cpPolyShape*>(s.shape)->count = 0; }},
    {"a_tree_without_a_root", [](DamagedScene& s) { s.tree().root = nullptr; }},
    {"a_tree_that_contains_itself", [](DamagedScene& s) { s.tree().root->children.a = s.tree().root; }},
    {"a_leaf_of_the_future", [](DamagedScene& s) { s.tree().stamp = 0; }},
    {"a_tree_whose_stamp_wraps", [](DamagedScene& s) { s.tree().stamp = ~cpTimestamp{0}; }},
    {"a_pool_of_what_is_in_use", [](DamagedScene& s) { s.tree().pooled_nodes = s.tree().root; }},
    {"sets_with_each_others_bins",
     [](DamagedScene& s) { std::swap(s.tree().leaves->buffers, layout::set_of(s.space().cachedArbiters).buffers); }},
    {"trees_with_each_others_nodes",
     [](DamagedScene& s) { std::swap(s.tree().buffers, layout::tree_of(s.space().staticShapes).buffers); }},
    {"a_ring_of_buffers",
     [](DamagedScene& s) {
       auto* last = reinterpret_cast<layout::PoolBuffer*>(s.space().allocatedBuffers);
       last->before = last;
     }},
    {"a_tree_of_no_space_with_another_ones_nodes",
     [](DamagedScene& s) {
       const auto building = s.world.enter();
       layout::tree_of(cpBBTreeNew(nullptr, nullptr)).buffers = s.tree().buffers;
     }},
    {"a_hash_set_with_a_wrong_count", [](DamagedScene& s) { --s.tree().leaves->entry_count; }},
    {"a_shape_under_another_hash", [](DamagedScene& s) { ++s.shape->hashid; }},
    {"an_awake_body_that_sleeps", [](DamagedScene& s) { s.body->sleeping.root = s.body; }},
    {"a_moving_body_that_is_still", [](DamagedScene& s) { s.body->sleeping.idleTime = INFINITY; }},
    {"a_sleeping_body_that_is_kinematic", [](DamagedScene& s) { s.sleeper->m = INFINITY; }},
    {"a_sleeping_body_that_is_still", [](DamagedScene& s) { s.sleeper->sleeping.idleTime = INFINITY; }},
    {"a_ring_of_sleepers", [](DamagedScene& s) { s.sleeper->sleeping.next = s.sleeper; }},
    {"sleeping_contacts_of_another_kind",
     [](DamagedScene& s) { s.sleeper->arbiterList->contacts = s.arbiter().contacts; }},
};

class Damaged : public testing::TestWithParam<Damage> {};

TEST_P(Damaged, StateIsNotWritten) {
  DamagedScene scene;
  ASSERT_NE(scene.sleeper, nullptr);
  ASSERT_GT(scene.space().arbiters->num, 0);
  std::stringstream stream;
  scene.world.save().write(stream);
  EXPECT_NO_THROW(static_cast<void>(Snapshot::read(stream)));
  GetParam().apply(scene);
  std::ostringstream damaged;
  EXPECT_THROW(scene.world.save().write(damaged), Error);
}

INSTANTIATE_TEST_SUITE_P(Table, Damaged, testing::ValuesIn(kDamages),
                         [](const testing::TestParamInfo<Damage>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace forkmunk::space
