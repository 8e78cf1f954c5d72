// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/space/rollback_session.h>
#include <forkmunk/space/space.h>

#include <sstream>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

struct Linked {
  Linked* next = nullptr;
  std::uint64_t number = 0;
  void visit_pointers(PointerVisitor& visit) { visit(next); }
};

cpBool on_hit(cpArbiter*, cpSpace*, cpDataPointer) { return cpTrue; }

TEST(SharedLibrary, ItsErrorsAreCaughtByTheirType) {
  Space world;
  int outside = 0;
  EXPECT_THROW(world.release(&outside), Error);
  std::istringstream nothing("nothing");
  EXPECT_THROW((void)Snapshot::read(nothing), Error);
}

TEST(SharedLibrary, ScopesAndObjectsOfTheProgramsOwnTypes) {
  Space world;
  Linked* first = world.make<Linked>();
  first->next = world.make<Linked>();
  first->next->number = reinterpret_cast<std::uintptr_t>(first);
  auto* numbers = world.make_container<std::pmr::vector<int>>();
  for (int i = 0; i < 1000; ++i) numbers->push_back(i);
  {
    const auto building = world.enter();
    cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  }
  EXPECT_TRUE(world.outside_pointers().empty());
  Space twin = world.fork();
  numbers->clear();
  const Linked* twins = twin.twin_of(world, first);
  EXPECT_EQ(twins->next, twin.twin_of(world, first->next));
  EXPECT_EQ(twins->next->number, first->next->number);
  const auto* copied = twin.twin_of(world, numbers);
  ASSERT_EQ(copied->size(), 1000u);
  EXPECT_EQ((*copied)[999], 999);
}

// The library looks names up; both sides share Chipmunk's functions.
TEST(SharedLibrary, FunctionsOfBothSidesHaveNames) {
  name_code("shared library on hit", on_hit);
  Space world;
  {
    const auto building = world.enter();
    cpBody* body = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
    cpBodySetVelocityUpdateFunc(body, cpBodyUpdateVelocity);
    cpSpaceAddWildcardHandler(world.space(), 1)->beginFunc = on_hit;
  }
  std::stringstream stream;
  world.save().write(stream);
  Space other;
  ASSERT_TRUE(other.restore(Snapshot::read(stream)));
  EXPECT_EQ(other.hash(), world.hash());
  EXPECT_EQ(first_difference(world, world.fork()), std::nullopt);
}

TEST(SharedLibrary, RollsBackASpace) {
  Space world;
  SpaceGame game(world, [](Space& space, const FrameInputs& inputs, int) {
    static_cast<void>(inputs.get<int>(0));
    space.step(0.01);
  });
  const int zero = 0;
  const std::string input(reinterpret_cast<const char*>(&zero), sizeof zero);
  int sent = 0;
  RollbackSession session(game, {.input = input}, [&](auto, auto) { ++sent; });
  while (session.tick(zero)) {}
  EXPECT_EQ(session.frame(), 8);
  EXPECT_EQ(sent, 9);
  EXPECT_THROW(session.set_delay(-1), Error);
  SyncTest test(game, 2);
  test.tick(std::vector<std::string>{input, input});
  EXPECT_EQ(test.frame(), 1);
}

}  // namespace
}  // namespace forkmunk::space
