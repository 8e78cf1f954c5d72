// SPDX-License-Identifier: MIT
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/space/space.h>

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace layout = chipmunk::layout;
namespace {

struct Typed {
  int number;
  void* pointer;
  void visit_pointers(PointerVisitor& visit) { visit(pointer); }
};
struct Words {
  std::uintptr_t words[2];
};
struct Plain {
  int numbers[4];
};

}  // namespace

template <>
inline constexpr PointerPolicy pointer_policy<Plain> = PointerPolicy::none;

namespace {

struct Zoo {
  Space world;
  cpSpace* space;
  cpBody* a;
  cpBody* b;
  cpBody* sleeper;
  cpShape* circle;
  cpShape* segment;
  cpShape* polygon;
  cpConstraint* joints[10];
  cpCollisionHandler* handler;
  Typed* typed;
  Words* words;
  Plain* plain;
  cpSpace* hashed;

  Zoo() {
    const auto building = world.enter();
    space = world.space();
    cpSpaceSetGravity(space, cpv(0, -50));
    cpSpaceSetSleepTimeThreshold(space, 0.5);
    cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-900, 0), cpv(900, 0), 1));
    a = body_at(0);
    b = body_at(50);
    sleeper = body_at(100);
    circle = cpSpaceAddShape(space, cpCircleShapeNew(a, 5, cpvzero));
    segment = cpSpaceAddShape(space, cpSegmentShapeNew(b, cpv(-5, 0), cpv(5, 0), 4));
    cpVect corners[8];
    for (int i = 0; i < 8; ++i) corners[i] = cpvmult(cpvforangle(i * 0.78), 6);
    polygon = cpSpaceAddShape(space, cpPolyShapeNew(sleeper, 8, corners, cpTransformIdentity, 0));
    add_joints();
    handler = cpSpaceAddCollisionHandler(space, 1, 2);
    typed = world.make<Typed>(1, nullptr);
    words = world.make<Words>();
    plain = world.make<Plain>();
    hashed = cpSpaceNew();
    cpSpaceUseSpatialHash(hashed, 10, 10);
    cpBody* other = cpSpaceAddBody(hashed, cpBodyNew(1, 1));
    cpSpaceAddShape(hashed, cpCircleShapeNew(other, 5, cpvzero));
    cpSpaceAddPostStepCallback(
        hashed, [](cpSpace*, void*, void*) {}, space, nullptr);
    for (int i = 0; i < 120; ++i) cpSpaceStep(space, 1.0 / 60);
    cpBodyActivate(a);
    for (int i = 0; i < 3; ++i) cpSpaceStep(space, 1.0 / 60);
  }
  cpBody* body_at(double x) {
    cpBody* body = cpSpaceAddBody(space, cpBodyNew(1, 10));
    cpBodySetPosition(body, cpv(x, 7));
    return body;
  }
  void add_joints() {
    joints[0] = cpPinJointNew(a, b, cpvzero, cpvzero);
    joints[1] = cpSlideJointNew(a, b, cpvzero, cpvzero, 10, 90);
    joints[2] = cpPivotJointNew2(a, b, cpv(25, 0), cpv(-25, 0));
    joints[3] = cpGrooveJointNew(a, b, cpv(0, -9), cpv(90, 9), cpvzero);
    joints[4] = cpDampedSpringNew(a, b, cpvzero, cpvzero, 50, 1, 1);
    joints[5] = cpDampedRotarySpringNew(a, b, 0, 1, 1);
    joints[6] = cpRotaryLimitJointNew(a, b, -1, 1);
    joints[7] = cpRatchetJointNew(a, b, 0, 1);
    joints[8] = cpGearJointNew(a, b, 0, 1);
    joints[9] = cpSimpleMotorNew(a, b, 0.01);
    for (cpConstraint* joint : joints) cpSpaceAddConstraint(space, joint);
  }
};

template <typename T>
T& as(cpConstraint* joint) {
  return *reinterpret_cast<T*>(joint);
}

cpArbiter& first_arbiter(cpSpace* space) { return *static_cast<cpArbiter*>(space->arbiters->arr[0]); }

TEST(FirstDifference, NamesAFieldOfEachKind) {
  Zoo zoo;
  ASSERT_GT(zoo.space->arbiters->num, 0);
  ASSERT_TRUE(cpBodyIsSleeping(zoo.sleeper));
  Space twin = zoo.world.fork();
  const auto expect = [&](const std::string& field, const std::function<void()>& change) {
    Space before = zoo.world.fork();
    change();
    EXPECT_NE(zoo.world.hash(), twin.hash()) << field;
    const std::string found = first_difference(zoo.world, twin).value_or("nothing");
    EXPECT_NE(found.find(field), std::string::npos) << field << "; found: " << found;
    ASSERT_TRUE(zoo.world.restore(before.save()));
    ASSERT_EQ(zoo.world.hash(), twin.hash());
  };
  auto& circle = *reinterpret_cast<cpCircleShape*>(zoo.circle);
  auto& segment = *reinterpret_cast<cpSegmentShape*>(zoo.segment);
  auto& polygon = *reinterpret_cast<cpPolyShape*>(zoo.polygon);
  expect("space 0: gravity differs", [&] { zoo.space->gravity.y = 3; });
  expect("space 0: collisionPersistence differs: 9, 3", [&] { zoo.space->collisionPersistence = 9; });
  expect("space 0, default handler 0: userData", [&] { zoo.space->defaultHandler.userData = zoo.a; });
  expect("space 0, static body 0: p differs", [&] { cpSpaceGetStaticBody(zoo.space)->p.x = 1; });
  expect("body 0: v differs", [&] { zoo.a->v.x = 1e-300; });
  expect("body 1: velocity_func differs: no function, a known function", [&] { zoo.b->velocity_func = nullptr; });
  expect("body 2: sleeping.root differs", [&] { zoo.sleeper->sleeping.root = zoo.a; });
  expect("circle 0: r differs: 6, 5", [&] { circle.r = 6; });
  expect("circle 0: filter.mask differs", [&] { circle.shape.filter.mask = 1; });
  expect("segment 1: b_tangent differs", [&] { segment.b_tangent.x = 1; });
  expect("polygon 0: count differs: 3, 8", [&] { polygon.count = 3; });
  expect("polygon's planes 0, plane 9: n differs", [&] { polygon.planes[9].n.x += 1; });
  expect("pin joint 0: dist", [&] { as<cpPinJoint>(zoo.joints[0]).dist = 1; });
  expect("slide joint 0: max", [&] { as<cpSlideJoint>(zoo.joints[1]).max = 1; });
  expect("pivot joint 0: jAcc", [&] { as<cpPivotJoint>(zoo.joints[2]).jAcc.y += 1; });
  expect("groove joint 0: clamp", [&] { as<cpGrooveJoint>(zoo.joints[3]).clamp += 1; });
  expect("damped spring 0: restLength", [&] { as<cpDampedSpring>(zoo.joints[4]).restLength = 1; });
  expect("damped rotary spring 0: w_coef", [&] { as<cpDampedRotarySpring>(zoo.joints[5]).w_coef += 1; });
  expect("rotary limit joint 0: min", [&] { as<cpRotaryLimitJoint>(zoo.joints[6]).min = 0; });
  expect("ratchet joint 0: ratchet", [&] { as<cpRatchetJoint>(zoo.joints[7]).ratchet = 7; });
  expect("gear joint 0: ratio differs", [&] { as<cpGearJoint>(zoo.joints[8]).ratio = 7; });
  expect("simple motor 0: errorBias", [&] { zoo.joints[9]->errorBias += 1; });
  expect("simple motor 0: rate", [&] { as<cpSimpleMotor>(zoo.joints[9]).rate = 7; });
  expect(": num differs: 1, 2", [&] {
    ++zoo.space->dynamicBodies->max;
    --zoo.space->dynamicBodies->num;
  });
  expect(", element 1: pointer differs: null", [&] { zoo.space->dynamicBodies->arr[1] = nullptr; });
  expect("tree 0: stamp", [&] { ++layout::tree_of(zoo.space->staticShapes).stamp; });
  expect("hash set 0: entry_count", [&] { ++layout::tree_of(zoo.space->staticShapes).leaves->entry_count; });
  expect("tree's nodes", [&] { layout::tree_of(zoo.space->dynamicShapes).root->bb.l -= 1; });
  expect("arbiter", [&] { first_arbiter(zoo.space).u = 7; });
  expect("jnAcc differs", [&] { first_arbiter(zoo.space).contacts[0].jnAcc += 1; });
  expect("collision handler 0: userData", [&] { zoo.handler->userData = zoo.a; });
  expect("collision handler 0: typeB differs: 9, 2", [&] { const_cast<cpCollisionType&>(zoo.handler->typeB) = 9; });
  expect("post-step callback 0: data",
         [&] { static_cast<cpPostStepCallback*>(zoo.hashed->postStepCallbacks->arr[0])->data = zoo.a; });
  expect("spatial hash 0: cell_size",
         [&] { reinterpret_cast<layout::SpaceHash*>(zoo.hashed->staticShapes)->cell_size = 7; });
  expect("typed object 0, byte 0: value differs: 9, 1", [&] { zoo.typed->number = 9; });
  expect("typed object 0: pointer differs", [&] { zoo.typed->pointer = zoo.a; });
  expect("object 0, word 1: value differs: 5, 0", [&] { zoo.words->words[1] = 5; });
  expect("plain object 0, byte 12: value differs: 4, 0", [&] { zoo.plain->numbers[3] = 4; });
  EXPECT_EQ(first_difference(zoo.world, twin), std::nullopt);
  const auto scope = zoo.world.enter();
  static_cast<void>(cpBodyNew(1, 1));
  EXPECT_NE(first_difference(zoo.world, twin), std::nullopt);
}

TEST(Difference, BodiesComeFirstInAReport) {
  Zoo zoo;
  Space twin = zoo.world.fork();
  twin.step(1.0 / 60);
  const std::optional<std::string> difference = first_difference(zoo.world, twin);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->rfind("body ", 0), 0u) << *difference;
}

TEST(Difference, FieldsComeBeforeWhereTheyLie) {
  Space one, other;
  static_cast<void>(one.make<Words>()), static_cast<void>(one.make<Plain>());
  static_cast<void>(other.make<Plain>()), static_cast<void>(other.make<Words>());
  const auto difference = [&] { return first_difference(one, other).value_or("nothing"); };
  EXPECT_NE(difference().find("memory differs"), std::string::npos) << difference();
  cpSpaceSetGravity(other.space(), cpv(0, -1));
  EXPECT_EQ(difference().rfind("space 0: gravity differs", 0), 0u) << difference();
  const auto scope = other.enter();
  cpSpaceAddBody(other.space(), cpBodyNew(1, 1));
  EXPECT_EQ(difference(), "the number of objects (body) differs: 0, 1");
}

}  // namespace
}  // namespace forkmunk::space
