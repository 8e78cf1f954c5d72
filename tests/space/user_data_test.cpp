// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <sstream>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

int table = 0;

struct SceneWithData {
  Space world;
  cpBody* body = nullptr;
  cpShape* shape = nullptr;
  cpCollisionHandler* handler = nullptr;

  explicit SceneWithData(cpCollisionType type = 0) {
    const auto building = world.enter();
    body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    shape = cpSpaceAddShape(world.space(), cpCircleShapeNew(body, 1, cpvzero));
    handler = cpSpaceAddCollisionHandler(world.space(), type, 1);
  }
};

void expect_difference(const SceneWithData& one, const SceneWithData& other, const std::string& words) {
  EXPECT_NE(one.world.hash(), other.world.hash()) << words;
  EXPECT_NE(first_difference(one.world, other.world).value_or("none").find(words), std::string::npos)
      << first_difference(one.world, other.world).value_or("none");
}

void expect_equal(const SceneWithData& one, const SceneWithData& other) {
  EXPECT_EQ(one.world.hash(), other.world.hash());
  EXPECT_EQ(first_difference(one.world, other.world).value_or(""), "");
}

void* word(std::uint64_t number) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number)); }

TEST(UserData, NumbersCountWhateverTheirSize) {
  const std::uint64_t numbers[] = {7, 65535, 65536, 100000, 0x7fff12345678u, std::uint64_t{1} << 40};
  for (const std::uint64_t number : numbers) {
    SCOPED_TRACE(number);
    const std::string values = std::to_string(number) + ", " + std::to_string(number + 1);
    const auto expect_counted = [&](const char* field, auto set) {
      SceneWithData one;
      SceneWithData same;
      SceneWithData other;
      set(one, number);
      set(same, number);
      set(other, number + 1);
      expect_equal(one, same);
      expect_difference(one, other, field + (" differs: " + values));
    };
    const auto type = [](std::uint64_t value) { return static_cast<cpCollisionType>(value); };
    expect_counted("type", [&](SceneWithData& s, std::uint64_t n) { cpShapeSetCollisionType(s.shape, type(n)); });
    expect_counted("filter.group", [&](SceneWithData& s, std::uint64_t n) {
      cpShapeSetFilter(s.shape, cpShapeFilterNew(type(n), CP_ALL_CATEGORIES, CP_ALL_CATEGORIES));
    });
    expect_counted("userData", [](SceneWithData& s, std::uint64_t n) { cpBodySetUserData(s.body, word(n)); });
    expect_counted("userData", [](SceneWithData& s, std::uint64_t n) { s.handler->userData = word(n); });
    EXPECT_NE(SceneWithData(type(number)).world.hash(), SceneWithData(type(number + 1)).world.hash());
  }
}

TEST(UserData, NamedAddressesCountByTheirNames) {
  static int before = 0;
  static int after = 0;
  SceneWithData one;
  SceneWithData other;
  cpBodySetUserData(one.body, &before);
  cpBodySetUserData(other.body, &after);
  expect_difference(one, other, "userData");
  name_address("the test's table", &before);
  const std::uint64_t hash = one.world.hash();
  expect_difference(one, other, "userData");
  name_address("the test's table", &after);  // as in another process
  EXPECT_EQ(other.world.hash(), hash);
}

TEST(UserData, CollisionTypesMayBeAddressesOfObjects) {
  static int begin_count = 0;
  Space world;
  {
    const auto building = world.enter();
    cpBody* const ball = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    const auto type = reinterpret_cast<cpCollisionType>(ball);
    cpShapeSetCollisionType(cpSpaceAddShape(world.space(), cpCircleShapeNew(ball, 1, cpvzero)), type);
    cpBody* const ground = cpSpaceGetStaticBody(world.space());
    cpShapeSetCollisionType(cpSpaceAddShape(world.space(), cpCircleShapeNew(ground, 1, cpvzero)), 1);
    cpSpaceAddCollisionHandler(world.space(), type, 1)->beginFunc = [](cpArbiter*, cpSpace*, void*) -> cpBool {
      ++begin_count;
      return cpTrue;
    };
  }
  std::vector<Space> twins;  // other addresses give the handler another hash
  for (int i = 0; i < 4; ++i) twins.push_back(world.fork());
  for (Space& twin : twins) {
    EXPECT_EQ(twin.hash(), world.hash());
    EXPECT_EQ(first_difference(world, twin).value_or(""), "");
  }
  world.step(1.0 / 60);
  for (Space& twin : twins) twin.step(1.0 / 60);
  EXPECT_EQ(begin_count, 5);
}

TEST(UserData, HandlesDoNotCount) {
  SceneWithData one;
  SceneWithData other;
  cpBodySetUserData(one.body, uncounted(1));
  // Other languages ignore the handles of Python's objects.
  cpBodySetUserData(other.body, nullptr);
  expect_equal(one, other);
  cpBodySetUserData(other.body, uncounted(123456789012));
  expect_equal(one, other);
  SceneWithData without;
  cpBodySetUserData(without.body, nullptr);
  expect_equal(one, without);
  EXPECT_EQ(uncounted_handle(cpBodyGetUserData(other.body)), 123456789012u);
  EXPECT_TRUE(other.world.outside_pointers().empty());
  EXPECT_EQ(cpBodyGetUserData(other.world.fork().twin_of(other.world, other.body)), uncounted(123456789012));
}

TEST(UserData, Travels) {
  name_address("the test's number", &table);
  for (void* data : {word(7), word(100000), word(0x7fff12345678u), uncounted(5), static_cast<void*>(&table)}) {
    SceneWithData scene;
    cpBodySetUserData(scene.body, data);
    cpShapeSetUserData(scene.shape, scene.body);
    std::stringstream stream;
    scene.world.save().write(stream);
    Space other;
    ASSERT_TRUE(other.restore(Snapshot::read(stream)));
    const auto* body = static_cast<cpBody*>(other.space()->dynamicBodies->arr[0]);
    EXPECT_EQ(cpBodyGetUserData(body), data);
    EXPECT_EQ(cpShapeGetUserData(body->shapeList), body);
    EXPECT_EQ(other.hash(), scene.world.hash());
  }
}

}  // namespace
}  // namespace forkmunk::space
