// SPDX-License-Identifier: MIT
#include "portable_file.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

/// Chipmunk would crash or loop forever on these states.
namespace forkmunk::space {
namespace {

using portable_file::File;

cpBool a_collision_test(cpArbiter*, cpSpace*, void*) { return cpTrue; }

struct DamagedScene {
  Space world;
  cpBody* body;
  cpBody* other;
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
    cpSpaceAddConstraint(space, cpPinJointNew(body, other, cpvzero, cpvzero));
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
};

std::vector<std::uint32_t> objects_of(const File& file, const std::string& name) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < file.object_count(); ++i) {
    const auto table = static_cast<unsigned char>(file.bytes()[file.objects_begin() + i]);
    if (file.tables()[table].name == name) found.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return found;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Damage {
  const char* name;
  void (*apply)(File& file);
};

template <typename T>
void set(File& file, const char* table, std::size_t row, const char* field, T value) {
  file.set(table, row, field, value);
}
std::uint32_t word(const File& file, const char* table, std::size_t row, const char* field) {
  return file.get<std::uint32_t>(table, row, field);
}
std::size_t row_of(const File& file, const char* table, std::uint32_t number) {
  const auto numbers = objects_of(file, table);
  return static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), number) - numbers.begin());
}
std::size_t sleeper(const File& file) {
  const std::size_t entry = word(file, "parts", 0, "moving bodies") + word(file, "parts", 0, "static bodies");
  return row_of(file, "body", word(file, "listed", entry, "object"));
}

const Damage kDamages[] = {
    {"a_shape_of_a_shape", [](File& f) { set(f, "polygon", 0, "body", objects_of(f, "polygon")[1]); }},
    {"a_null_body", [](File& f) { set(f, "pin joint", 0, "a", 0u); }},
    {"a_body_of_no_object", [](File& f) { set(f, "pin joint", 0, "b", 100000u); }},
    {"a_body_that_was_freed", [](File& f) { set(f, "contact", 0, "body_a", 0xffffffffu); }},
    {"a_ring_of_shapes", [](File& f) { set(f, "polygon", 0, "next", objects_of(f, "polygon")[0]); }},
    {"a_ring_of_joints", [](File& f) { set(f, "pin joint", 0, "next_a", objects_of(f, "pin joint")[0]); }},
    {"a_ring_of_contacts",
     [](File& f) {
       set(f, "contact", 0, "thread_a.next", objects_of(f, "contact")[0]);
       set(f, "contact", 0, "thread_b.next", objects_of(f, "contact")[0]);
     }},
    {"a_static_body_of_no_space", [](File& f) { set(f, "space", 0, "static body.space", 0u); }},
    {"another_static_body", [](File& f) { set(f, "space", 0, "staticBody", objects_of(f, "body")[0]); }},
    {"a_body_listed_twice", [](File& f) { set(f, "listed", 0, "object", word(f, "listed", 1, "object")); }},
    {"a_null_in_a_list", [](File& f) { set(f, "listed", 0, "object", 0u); }},
    {"a_list_without_entries", [](File& f) { set(f, "parts", 0, "contacts", 1u << 30); }},
    {"a_list_that_leaves_entries", [](File& f) { set(f, "parts", 0, "cached contacts", 0u); }},
    {"a_billion_iterations", [](File& f) { set(f, "space", 0, "iterations", 1000000000); }},
    {"no_iterations", [](File& f) { set(f, "space", 0, "iterations", 0); }},
    {"a_space_in_a_step", [](File& f) { set(f, "space", 0, "locked", 1); }},
    {"a_set_of_no_defects", [](File& f) { set(f, "space", 0, "defects", 0xffffu); }},
    {"three_points", [](File& f) { set(f, "contact", 0, "count", 3); }},
    {"points_without_rows", [](File& f) { set(f, "contact", 0, "points", 0u); }},
    {"no_such_state_of_a_contact", [](File& f) { set(f, "contact", 0, "state", 5u); }},
    {"a_contact_buffer_that_overflows", [](File& f) { set(f, "contact buffer", 0, "contact_count", 999u); }},
    {"a_contact_buffer_of_no_number", [](File& f) { set(f, "contact buffer", 0, "number", 99u); }},
    {"a_contact_without_a_handler", [](File& f) { set(f, "contact", 0, "handler", 0u); }},
    {"a_contact_whose_handler_is_a_body", [](File& f) { set(f, "contact", 0, "handler", objects_of(f, "body")[0]); }},
    {"a_contact_of_no_shape", [](File& f) { set(f, "contact", 0, "a", objects_of(f, "body")[0]); }},
    {"a_contact_that_is_in_no_list", [](File& f) { set(f, "body", 0, "arbiterList", 0u); }},
    {"a_function_of_another_signature",
     [](File& f) { set(f, "body", 0, "velocity_func", word(f, "space", 0, "default handler.beginFunc")); }},
    {"a_function_without_a_name", [](File& f) { set(f, "body", 0, "velocity_func", 1000u); }},
    {"no_function", [](File& f) { set(f, "body", 0, "position_func", 0u); }},
    {"the_class_of_another_shape", [](File& f) { set(f, "polygon", 0, "klass", word(f, "segment", 0, "klass")); }},
    {"a_polygon_without_vertices", [](File& f) { set(f, "polygon", 0, "count", 0); }},
    {"a_polygon_with_a_billion_vertices", [](File& f) { set(f, "polygon", 0, "count", 1000000000); }},
    {"a_polygon_with_too_much_room", [](File& f) { set(f, "polygon", 0, "room", 1000u); }},
    {"a_tree_with_too_few_nodes", [](File& f) { set(f, "index", 1, "nodes", word(f, "index", 1, "nodes") - 1); }},
    {"a_tree_without_leaves", [](File& f) { set(f, "index", 1, "leaves", 0u); }},
    {"a_tree_whose_root_is_a_leaf",
     [](File& f) { set(f, "node", word(f, "index", 0, "nodes"), "shape", objects_of(f, "polygon")[0]); }},
    {"a_leaf_of_the_future", [](File& f) { set(f, "index", 1, "stamp", 0u); }},
    {"a_tree_whose_stamp_wraps", [](File& f) { set(f, "index", 1, "stamp", 0xffffffffu); }},
    {"a_table_with_a_billion_buckets", [](File& f) { set(f, "index", 1, "buckets", 1u << 30); }},
    {"a_table_without_buckets", [](File& f) { set(f, "parts", 0, "buckets of cached contacts", 0u); }},
    {"a_pair_of_one_leaf", [](File& f) { set(f, "pair", 0, "a", word(f, "pair", 0, "b")); }},
    {"a_pair_of_no_leaf", [](File& f) { set(f, "pair", 0, "a", 1000u); }},
    {"a_ring_of_pairs",
     [](File& f) {
       set(f, "pair", 0, "next_a", 1u);
       set(f, "pair", 0, "next_b", 1u);
     }},
    {"an_awake_body_that_sleeps",
     [](File& f) {
       const std::size_t row = row_of(f, "body", word(f, "listed", 0, "object"));
       set(f, "body", row, "sleeping.root", word(f, "listed", 0, "object"));
     }},
    {"a_moving_body_that_is_still",
     [](File& f) {
       set(f, "body", row_of(f, "body", word(f, "listed", 0, "object")), "sleeping.idleTime", kInfinity);
     }},
    {"a_sleeping_body_that_is_kinematic", [](File& f) { set(f, "body", sleeper(f), "m", kInfinity); }},
    {"a_sleeping_body_that_is_still", [](File& f) { set(f, "body", sleeper(f), "sleeping.idleTime", kInfinity); }},
    {"a_ring_of_sleepers",
     [](File& f) { set(f, "body", sleeper(f), "sleeping.next", word(f, "body", sleeper(f), "sleeping.root")); }},
    {"a_main_space_that_is_a_body", [](File& f) { set(f, "root", 0, "main_space", objects_of(f, "body")[0]); }},
    {"a_count_of_created_objects_that_wraps", [](File& f) { set(f, "root", 0, "created", 0xffffffffu); }},
    {"an_object_of_no_table", [](File& f) { f.bytes()[f.objects_begin()] = 99; }},
    {"an_object_of_another_table",
     [](File& f) { f.bytes()[f.objects_begin() + objects_of(f, "polygon")[0] - 1] = f.bytes()[f.objects_begin()]; }},
};

class Damaged : public testing::TestWithParam<Damage> {};

TEST_P(Damaged, StateIsNotRead) {
  DamagedScene scene;
  ASSERT_NE(scene.sleeper, nullptr);
  ASSERT_GT(scene.space().arbiters->num, 0);
  std::ostringstream out;
  scene.world.save().write(out);
  File file(out.str());
  std::istringstream whole(file.mended());
  EXPECT_NO_THROW(static_cast<void>(Snapshot::read(whole)));
  GetParam().apply(file);
  std::istringstream damaged(file.mended());
  EXPECT_THROW(static_cast<void>(Snapshot::read(damaged)), Error);
}

INSTANTIATE_TEST_SUITE_P(Table, Damaged, testing::ValuesIn(kDamages),
                         [](const testing::TestParamInfo<Damage>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace forkmunk::space
