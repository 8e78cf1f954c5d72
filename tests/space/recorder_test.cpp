// SPDX-License-Identifier: MIT
#include "thrown.h"

#include <forkmunk/base/hasher.h>
#include <forkmunk/space/differences.h>
#include <forkmunk/space/preview.h>
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <utility>

#include <chipmunk/chipmunk_unsafe.h>
#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

constexpr double kStep = 1.0 / 60;

struct Pile {
  Space space;
  std::vector<cpBody*> boxes;
  cpConstraint *motor = nullptr, *spring = nullptr;
  cpShape* ground = nullptr;
  cpCollisionHandler* handler = nullptr;
  cpBody *elevator = nullptr, *loner = nullptr;

  explicit Pile(int count = 12, double sleep_seconds = INFINITY) {
    const auto scope = space.enter();
    cpSpace* s = space.space();
    cpSpaceSetGravity(s, cpv(0, -100));
    cpSpaceSetSleepTimeThreshold(s, sleep_seconds);
    ground = cpSpaceAddShape(s, cpSegmentShapeNew(cpSpaceGetStaticBody(s), cpv(-200, 0), cpv(200, 0), 1));
    cpShapeSetFriction(ground, 1);
    for (int i = 0; i < count; ++i) add_box(cpv(12.0 * (i % 4), 6 + 11.0 * (i / 4)));
    if (count == 0) return;
    motor = cpSpaceAddConstraint(s, cpSimpleMotorNew(boxes[0], boxes[1], 0));
    cpConstraintSetMaxForce(motor, 1000);
    spring = cpSpaceAddConstraint(s, cpDampedSpringNew(boxes[2], boxes[3], cpvzero, cpvzero, 14, 20, 1));
  }
  cpBody* add_box(cpVect position) {
    const auto scope = space.enter();
    cpBody* body = cpSpaceAddBody(space.space(), cpBodyNew(1, cpMomentForBox(1, 10, 10)));
    cpBodySetPosition(body, position);
    cpShapeSetFriction(cpSpaceAddShape(space.space(), cpBoxShapeNew(body, 10, 10, 0.1)), 0.7);
    boxes.push_back(body);
    return body;
  }
  void step(int count) {
    for (int i = 0; i < count; ++i) space.step(kStep);
  }
};

void free_box(cpSpace* space, cpBody* box) {
  cpShape* const shape = box->shapeList;
  cpSpaceRemoveShape(space, shape), cpSpaceRemoveBody(space, box);
  cpShapeFree(shape), cpBodyFree(box);
}

std::vector<Verdict::Kind> kinds_of(const std::vector<Verdict>& verdicts) {
  std::vector<Verdict::Kind> kinds;
  for (const Verdict& verdict : verdicts) kinds.push_back(verdict.kind);
  return kinds;
}

void expect_exact(const Recording& recording) {
  for (const Verdict& verdict : recording.verify()) {
    EXPECT_EQ(verdict.kind, Verdict::Kind::exact) << verdict.first << ": " << verdict.reason;
  }
}

TEST(Recorder, EveryStateIsASpaceAgain) {
  Pile pile;
  Recorder recorder(pile.space, {.keyframe_steps = 10});
  std::vector<std::uint64_t> hashes{pile.space.hash()};
  for (int i = 0; i < 45; ++i) {
    pile.space.step(kStep);
    hashes.push_back(pile.space.hash());
  }
  const Recording& recording = recorder.recording();
  EXPECT_EQ(recording.first(), 0u);
  EXPECT_EQ(recording.last(), 45u);
  EXPECT_EQ(recording.keyframes(), (std::vector<std::uint64_t>{0, 10, 20, 30, 40}));
  for (std::uint64_t state = 0; state <= 45; ++state) EXPECT_EQ(recording.at(state).hash(), hashes[state]) << state;
  expect_exact(recording);
}

TEST(Recorder, AnAttachedRecorderChangesNothing) {
  Pile recorded, alone;
  Recorder recorder(recorded.space);
  recorded.step(100), alone.step(100);
  EXPECT_EQ(recorded.space.hash(), alone.space.hash());
}

TEST(Recorder, ReplaysWhatTheProgramDoesWithBodiesAndMotors) {
  Pile pile(12, 0.3);
  Recorder recorder(pile.space, {.keyframe_steps = 16});
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 120; ++i) {
    if (i % 7 == 3) cpBodySetVelocity(pile.boxes[4], cpv(i, 20));
    if (i % 50 == 45) cpBodyApplyImpulseAtWorldPoint(pile.boxes[5], cpv(3, 50), cpv(1, 1));
    if (i % 11 == 5) cpBodyApplyForceAtLocalPoint(pile.boxes[6], cpv(100, 0), cpv(1, 3));
    if (i % 13 == 6) cpBodySetAngle(pile.boxes[7], 0.01 * i);
    if (i == 70) cpBodySetPosition(pile.boxes[8], cpv(-30, 40));
    if (i % 16 == 0) cpSimpleMotorSetRate(pile.motor, 0.1 * i);  // also at keyframes
    hashes.push_back(pile.space.hash());
    pile.space.step(kStep);
  }
  expect_exact(recorder.recording());
  EXPECT_TRUE(recorder.recording().interventions().empty());
  for (std::uint64_t state = 0; state < 120; ++state) {
    EXPECT_EQ(recorder.recording().at(state).hash(), hashes[state]) << state;
  }
}

TEST(Recorder, ReplaysTheOrderInWhichBodiesWoke) {
  Pile pile(0, 0.3);
  for (int i = 0; i < 12; ++i) pile.add_box(cpv(40 * (i / 2) - 120, 6 + 11 * (i % 2)));
  pile.step(200);
  Recorder recorder(pile.space);
  pile.step(1);
  for (const int i : {8, 2, 11, 1}) {
    ASSERT_TRUE(cpBodyIsSleeping(pile.boxes[i]));
    cpBodyActivate(pile.boxes[i]);
  }
  pile.step(30);
  expect_exact(recorder.recording());
  EXPECT_EQ(recorder.recording().at(31).hash(), pile.space.hash());
  EXPECT_TRUE(recorder.recording().interventions().empty());
}

TEST(Recorder, ObjectsThatComeAndGoMakeKeyframes) {
  Pile pile;
  Recorder recorder(pile.space);
  pile.step(5);
  cpBody* const box = pile.add_box(cpv(100, 100));
  pile.step(5);
  cpSpaceSetGravity(pile.space.space(), cpv(0, 100));
  pile.step(5);
  const Snapshot saved = pile.space.save();
  pile.step(5);
  ASSERT_TRUE(pile.space.restore(saved));
  pile.step(5);
  const Recording& recording = recorder.recording();
  std::vector<std::string> found;
  for (const Intervention& each : recording.interventions())
    found.push_back(std::to_string(each.step) + " " + each.what);
  EXPECT_EQ(found, (std::vector<std::string>{"5 objects were added or removed", "10 settings of the space were changed",
                                             "20 the state was restored or its memory was moved"}));
  expect_exact(recording);
  EXPECT_EQ(recording.at(20).hash(), [&] {
    Space space;
    EXPECT_TRUE(space.restore(saved));
    return space.hash();
  }());
  EXPECT_EQ(recording.scene(recording.step(4).scene).moving_count, 12u);
  const Scene scene = recording.scene(recording.step(6).scene);
  EXPECT_EQ(scene.moving_count, 13u);
  EXPECT_EQ(scene.bodies[12].id, Recording::id_of(box));
}

TEST(Recorder, ChangedShapesAndFunctionsMakeKeyframes) {
  const std::string shape = "a shape was changed", joint = "a joint was changed";
  const std::string handler = "a collision handler was added or changed";
  const std::string body = "mass, moment, centre of gravity, type or a function of a body was changed";
  using Change = std::function<void(Pile&)>;
  const auto of_shape = [](auto change) { return [change](Pile& pile) { change(pile.boxes[4]->shapeList); }; };
  const std::pair<std::string, Change> changes[] = {
      {shape, of_shape([](cpShape* it) { cpShapeSetFriction(it, 0); })},
      {shape, of_shape([](cpShape* it) { cpShapeSetElasticity(it, 1); })},
      {shape, of_shape([](cpShape* it) { cpShapeSetSurfaceVelocity(it, cpv(50, 0)); })},
      {shape, of_shape([](cpShape* it) { cpShapeSetSensor(it, cpTrue); })},
      {shape, of_shape([](cpShape* it) { cpShapeSetCollisionType(it, 7); })},
      {shape, of_shape([](cpShape* it) { cpShapeSetFilter(it, cpShapeFilterNew(3, 1, 0)); })},
      {shape, of_shape([](cpShape* it) { cpPolyShapeSetRadius(it, 2); })},
      {shape, [](Pile& pile) { cpShapeSetFriction(pile.ground, 0); }},
      {shape, [](Pile& pile) { cpSpaceShapeQuery(pile.space.space(), pile.ground, nullptr, nullptr); }},
      {shape, [](Pile& pile) { cpShapeSetMass(pile.ground, 3); }},
      {shape, [](Pile& pile) { cpShapeSetDensity(pile.elevator->shapeList, 3); }},
      {shape, [](Pile& pile) { cpSegmentShapeSetNeighbors(pile.ground, cpv(-300, 9), cpv(300, 9)); }},
      {shape, [](Pile& pile) { cpSegmentShapeSetEndpoints(pile.elevator->shapeList->next, cpv(1, -2), cpv(-1, 2)); }},
      {shape,
       [](Pile& pile) {
         cpVect lying[] = {cpv(2, -1), cpv(2, 1), cpv(-2, 1), cpv(-2, -1)};
         cpPolyShapeSetVertsRaw(pile.elevator->shapeList, 4, lying);
       }},
      {"shapes were reindexed",
       [](Pile& pile) {
         cpBodySetPosition(pile.boxes[4], cpv(30, 50));
         cpSpaceReindexShapesForBody(pile.space.space(), pile.boxes[4]);
       }},
      {"shapes were reindexed", [](Pile& pile) { cpSpaceUseSpatialHash(pile.space.space(), 20, 100); }},
      {joint, [](Pile& pile) { cpConstraintSetCollideBodies(pile.motor, cpFalse); }},
      {joint,
       [](Pile& pile) {
         cpConstraintSetPreSolveFunc(pile.motor, [](cpConstraint* it, cpSpace*) { it->a->v.x += 1; });
       }},
      {body,
       [](Pile& pile) {
         cpBodySetVelocityUpdateFunc(pile.boxes[5], [](cpBody* it, cpVect, cpFloat damping, cpFloat dt) {
           cpBodyUpdateVelocity(it, cpvzero, damping, dt);
         });
       }},
      {body, [](Pile& pile) { cpBodySetType(pile.boxes[6], CP_BODY_TYPE_STATIC); }},
      {body, [](Pile& pile) { cpBodySetType(pile.elevator, CP_BODY_TYPE_STATIC); }},
      {"a body was put to sleep", [](Pile& pile) { cpBodySleep(pile.loner); }},
      {"shapes were reindexed",
       [](Pile& pile) {
         cpBodySleep(pile.loner);
         cpBodyActivate(pile.loner);  // is the last awake body again
       }},
      {handler,
       [](Pile& pile) {
         pile.handler->preSolveFunc = [](cpArbiter*, cpSpace*, cpDataPointer) -> cpBool { return cpFalse; };
       }},
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    SCOPED_TRACE(i);
    const auto& [what, change] = changes[i];
    Pile pile;
    const auto scope = pile.space.enter();
    cpSpace* const space = pile.space.space();
    pile.handler = cpSpaceAddCollisionHandler(space, 0, 0);
    cpSegmentShapeSetRadius(pile.ground, 2);  // its box stays until a query
    cpSpaceSetSleepTimeThreshold(space, 100);
    pile.elevator = cpSpaceAddBody(space, cpBodyNewKinematic());
    pile.loner = pile.add_box(cpv(30, 16));
    cpBodySetVelocity(pile.elevator, cpv(0, 1));
    // These may change without their area and moment.
    for (cpShape* it :
         {cpSegmentShapeNew(pile.elevator, cpv(1, 2), cpv(-1, -2), 0), cpBoxShapeNew(pile.elevator, 2, 4, 0)}) {
      cpShapeSetFilter(cpSpaceAddShape(space, it), CP_SHAPE_FILTER_NONE);
    }
    Recorder recorder(pile.space);
    pile.step(25);
    change(pile);
    pile.step(15);
    const Recording& recording = recorder.recording();
    ASSERT_EQ(recording.interventions().size(), 1u);
    EXPECT_EQ(recording.interventions()[0].what, what);
    EXPECT_EQ(recording.interventions()[0].step, 25u);
    EXPECT_EQ(recording.at(40).hash(), pile.space.hash());
    expect_exact(recording);
  }
}

TEST(Recorder, IsNotWhatVerifies) {
  Pile pile;
  Recorder recorder(pile.space);
  pile.step(5);
  const Recording& recording = recorder.recording();
  Space other;
  EXPECT_EQ(Recorder::of(pile.space), &recorder);
  int steps = 0;
  const ReplayHost host{other, [&](std::uint64_t state) { ASSERT_TRUE(other.restore(recording.keyframe(state))); },
                        [&](double dt) {
                          EXPECT_EQ(Recorder::of(other), nullptr);
                          other.step(dt);
                          ++steps;
                        }};
  EXPECT_EQ(recording.verify(host, 0).kind, Verdict::Kind::exact);
  EXPECT_EQ(steps, 5);
}

TEST(Recorder, FollowsObjectsThatCallbacksRemove) {
  Pile pile;
  const auto scope = pile.space.enter();
  cpSpace* const space = pile.space.space();
  static cpBody* fixed[3];
  for (cpBody*& body : fixed) body = cpSpaceAddBody(space, cpBodyNewStatic());
  Recorder recorder(pile.space);
  pile.step(5);
  cpConstraintSetPostSolveFunc(pile.motor, [](cpConstraint*, cpSpace* in) {
    const auto remove = [](cpSpace* from, void* body, void*) {
      cpSpaceRemoveBody(from, static_cast<cpBody*>(body));
      cpBodyFree(static_cast<cpBody*>(body));
    };
    for (cpBody*& body : fixed) {
      if (body != nullptr) cpSpaceAddPostStepCallback(in, remove, std::exchange(body, nullptr), nullptr);
    }
  });
  pile.step(10);
  cpShapeSetFriction(pile.boxes[4]->shapeList, 0);
  pile.step(5);
  EXPECT_EQ(recorder.recording().at(20).hash(), pile.space.hash());
  EXPECT_EQ(recorder.recording().interventions().back().what, "a shape was changed");
}

TEST(Recorder, FollowsTypesThatCallbacksChange) {
  static unsigned frozen_at;
  for (frozen_at = 0; frozen_at < 4; ++frozen_at) {
    Pile pile;
    cpSpaceSetUserData(pile.space.space(), pile.boxes[4]);
    cpConstraintSetPostSolveFunc(pile.motor, [](cpConstraint*, cpSpace* in) {
      const auto freeze = [](cpSpace*, void* box, void*) {
        cpBodySetType(static_cast<cpBody*>(box), CP_BODY_TYPE_STATIC);
      };
      if (in->stamp >= frozen_at) cpSpaceAddPostStepCallback(in, freeze, cpSpaceGetUserData(in), nullptr);
    });
    Recorder recorder(pile.space, {.keyframe_steps = 10});
    pile.step(5);
    cpBodySetVelocity(pile.boxes[11], cpv(0, 50));
    pile.step(20);
    expect_exact(recorder.recording());
    EXPECT_EQ(recorder.recording().at(25).hash(), pile.space.hash());
    EXPECT_NO_THROW(static_cast<void>(recorder.recording().at(7)));
  }
}

TEST(Recorder, AReplayThatFreesAnotherBodyDoesNotEditIt) {
  static int steps_left;
  steps_left = 1000;
  Pile pile;
  cpBody* const last = pile.add_box(cpv(100, 50));
  cpSpaceSetUserData(pile.space.space(), last);
  cpConstraintSetPostSolveFunc(pile.motor, [](cpConstraint*, cpSpace* in) {
    const auto remove = [](cpSpace* from, void* box, void*) { free_box(from, static_cast<cpBody*>(box)); };
    if (--steps_left == 0) cpSpaceAddPostStepCallback(in, remove, cpSpaceGetUserData(in), nullptr);
  });
  Recorder recorder(pile.space);
  pile.step(2);
  cpBodySetVelocity(pile.boxes[0], cpv(1, 2));
  pile.step(3);
  cpBodySetVelocity(last, cpv(1, 2));
  pile.step(5);
  steps_left = 4;
  EXPECT_EQ(kinds_of(recorder.recording().verify()), std::vector{Verdict::Kind::differs});
  steps_left = 4;
  EXPECT_THROW(static_cast<void>(recorder.recording().at(8)), Error);
}

TEST(Recorder, NoticesWhatNoEditCovers) {
  Pile pile;
  Recorder recorder(pile.space, {.keyframe_steps = 20});
  pile.step(25);
  cpDampedSpringSetSpringForceFunc(pile.spring, [](cpConstraint*, cpFloat) -> cpFloat { return 90; });
  pile.step(40);
  const std::vector<Verdict> verdicts = recorder.recording().verify();
  using enum Verdict::Kind;
  EXPECT_EQ(kinds_of(verdicts), (std::vector{exact, differs, exact, exact}));
  EXPECT_EQ(verdicts[1].step, 26u);

  Pile quiet;
  Recorder other(quiet.space, {.keyframe_steps = 20});
  quiet.step(25);
  cpShapeSetUserData(quiet.boxes[0]->shapeList, reinterpret_cast<void*>(7));  // moves nothing
  quiet.step(40);
  const std::vector<Verdict> by_hash = other.recording().verify();
  EXPECT_EQ(kinds_of(by_hash), (std::vector{exact, differs, exact, exact}));
  EXPECT_EQ(by_hash[1].step, 40u);
}

TEST(Recorder, SeesNewUserDataOfABodyWithItsOwnFunctions) {
  static cpFloat speeds[] = {10, 20};
  const auto velocity = [](cpBody* body, cpVect, cpFloat, cpFloat) {
    body->v = cpv(*static_cast<cpFloat*>(cpBodyGetUserData(body)), 0);
  };
  const auto position = [](cpBody* body, cpFloat dt) {
    cpBodySetPosition(body, cpv(body->p.x + *static_cast<cpFloat*>(cpBodyGetUserData(body)) * dt, body->p.y));
  };
  for (const bool by_position : {false, true}) {
    Pile pile;
    cpBody* const body = pile.boxes[2];
    cpBodySetUserData(body, &speeds[0]);
    if (by_position) {
      cpBodySetPositionUpdateFunc(body, position);
    } else {
      cpBodySetVelocityUpdateFunc(body, velocity);
    }
    Recorder recorder(pile.space);
    pile.step(20);
    cpBodySetUserData(body, &speeds[1]);
    pile.step(20);
    EXPECT_EQ(kinds_of(recorder.recording().verify()), std::vector(2, Verdict::Kind::exact)) << by_position;
  }
}

TEST(Recorder, HasWhatIsDrawn) {
  Pile pile;
  Recorder recorder(pile.space);
  pile.step(30);
  const RecordedStep step = recorder.recording().step(30);
  const Scene scene = recorder.recording().scene(step.scene);
  ASSERT_EQ(scene.bodies.size(), 13u);
  ASSERT_EQ(step.poses.size(), 36u);
  for (std::size_t i = 0; i < pile.boxes.size(); ++i) {
    EXPECT_EQ(scene.bodies[i].id, Recording::id_of(pile.boxes[i]));
    EXPECT_EQ(step.poses[3 * i], static_cast<float>(cpBodyGetPosition(pile.boxes[i]).x));
    EXPECT_EQ(step.poses[3 * i + 1], static_cast<float>(cpBodyGetPosition(pile.boxes[i]).y));
    EXPECT_EQ(step.poses[3 * i + 2], static_cast<float>(cpBodyGetAngle(pile.boxes[i])));
  }
  EXPECT_EQ(step.dt, static_cast<cpFloat>(kStep));
  EXPECT_EQ(scene.bodies[12].type, CP_BODY_TYPE_STATIC);
  ASSERT_EQ(scene.shapes.size(), 13u);
  EXPECT_EQ(scene.shapes[0].kind, 1u);
  EXPECT_FALSE(scene.shapes[0].is_sensor);
  EXPECT_EQ(scene.shapes[0].points, (std::vector<float>{-200, 0, 200, 0}));
  EXPECT_EQ(scene.shapes[1].points.size(), 8u);
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[0].kind, 9u);
  EXPECT_EQ(scene.joints[1].kind, 4u);
  EXPECT_EQ(scene.joints[1].a, 2u);
  double impulse = 0;  // the ground carries all boxes
  for (std::size_t i = 0; i < step.contacts.size(); i += 4) {
    if (step.contacts[i + 1] < 2) impulse += std::abs(step.contacts[i + 3]);
  }
  EXPECT_NEAR(impulse, 12 * 100 * kStep, 2);
}

/// The order is Recorder's contract.
std::vector<float> contacts_of(const Space& space) {
  std::vector<float> numbers;
  const cpArray* arbiters = space.space()->arbiters;
  for (int i = 0; i < arbiters->num; ++i) {
    const auto& arbiter = *static_cast<const cpArbiter*>(arbiters->arr[i]);
    for (int k = 0; k < arbiter.count; ++k) {
      const cpContact& contact = arbiter.contacts[k];
      const cpVect point = cpvadd(arbiter.body_a->p, contact.r1);
      const cpVect impulse = cpvrotate(arbiter.n, cpv(contact.jnAcc, contact.jtAcc));
      for (const double number : {point.x, point.y, impulse.x, impulse.y})
        numbers.push_back(static_cast<float>(number));
    }
  }
  return numbers;
}

TEST(Recorder, HasEveryContactInAnyOrderOfReading) {
  Pile pile(20);
  Recorder recorder(pile.space, {.keyframe_steps = 70});
  std::vector<std::vector<float>> expected{{}};
  for (int i = 1; i <= 200; ++i) {
    if (i == 150)
      std::for_each(pile.boxes.begin() + 10, pile.boxes.end(), [](auto* b) { cpBodySetVelocity(b, {9, 90}); });
    pile.space.step(kStep);
    expected.push_back(contacts_of(pile.space));
  }
  const Recording read = Recording::from_bytes(recorder.recording().to_bytes());
  std::size_t same = 0, near = 0, changed = 0;  // words that differ from the state before
  for (std::uint64_t k = 0; k < expected.size(); ++k) {
    const std::uint64_t state = k * 77 % expected.size();
    for (const Recording* recording : {&recorder.recording(), &read}) {
      const std::span<const float> found = recording->step(state).contacts;
      ASSERT_EQ(std::vector<float>(found.begin(), found.end()), expected[state]) << state;
    }
    const auto& before = expected[state == 0 ? 0 : state - 1];
    for (std::size_t i = 0; i < std::min(before.size(), expected[state].size()); ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(before[i]) ^ std::bit_cast<std::uint32_t>(expected[state][i]);
      ++(bits == 0 ? same : bits < 0x10000 ? near : changed);
    }
  }
  EXPECT_TRUE(same > 0 && near > 0 && changed > 0) << "the test is weak: " << same << ' ' << near << ' ' << changed;
  EXPECT_LT(expected[155].size(), expected[149].size()) << "the test is weak: no contact ends";
}

TEST(Recorder, QueriesOfASpatialHashAreNoChanges) {
  Pile pile;
  cpSpace* const space = pile.space.space();
  cpShape* removed = nullptr;
  {
    const auto scope = pile.space.enter();
    cpSpaceUseSpatialHash(space, 10, 100);
    removed = cpSpaceAddShape(space, cpCircleShapeNew(cpSpaceGetStaticBody(space), 5, cpv(70, 70)));
  }
  pile.step(1);
  const auto scope = pile.space.enter();
  cpSpaceRemoveShape(space, removed);
  cpShapeFree(removed);  // a query that meets its cells cleans these up
  const std::uint64_t removed_hash = pile.space.hash();
  const auto ignore = [](cpShape*, void*) {};
  cpSpaceBBQuery(space, cpBBNew(60, 60, 80, 80), CP_SHAPE_FILTER_ALL, ignore, nullptr);
  EXPECT_EQ(pile.space.hash(), removed_hash);
  Recorder recorder(pile.space, {.keyframe_steps = 3});
  for (int i = 0; i < 12; ++i) {
    pile.step(1);
    const std::uint64_t hash = pile.space.hash();
    switch (i % 4) {
      case 0: cpSpaceBBQuery(space, cpBBNew(-50, -50, 50, 50), CP_SHAPE_FILTER_ALL, ignore, nullptr); break;
      case 1: cpSpaceShapeQuery(space, pile.boxes[5]->shapeList, nullptr, nullptr); break;
      case 2: cpSpacePointQueryNearest(space, cpv(5, 5), 10, CP_SHAPE_FILTER_ALL, nullptr); break;
      default: cpSpaceSegmentQueryFirst(space, cpv(-50, 9), cpv(50, 9), 1, CP_SHAPE_FILTER_ALL, nullptr);
    }
    EXPECT_EQ(pile.space.hash(), hash) << "query " << i % 4;
  }
  EXPECT_EQ(recorder.recording().keyframes().size(), 4u);
  expect_exact(recorder.recording());
}

TEST(Recorder, TheRingKeepsItsLimits) {
  Pile pile;
  Recorder by_steps(pile.space, {.steps_max = 100, .keyframe_steps = 10});
  pile.step(500);
  EXPECT_EQ(by_steps.recording().last(), 500u);
  EXPECT_GE(by_steps.recording().first(), 380u);
  EXPECT_LE(by_steps.recording().first(), 400u);
  expect_exact(by_steps.recording());

  Pile other;
  Recorder by_memory(other.space, {.memory_bytes_max = 1 << 18, .keyframe_steps = 10});
  for (int i = 0; i < 1000; ++i) {
    other.space.step(kStep);
    by_memory.log("score", i);
    ASSERT_LE(by_memory.recording().memory_bytes(), std::size_t{1} << 18);
  }
  EXPECT_GT(by_memory.recording().first(), 500u);
  EXPECT_GE(by_memory.recording().events().front().step, by_memory.recording().first());
  expect_exact(by_memory.recording());
}

TEST(Recorder, TheRingKeepsStatesThatOutgrowItsBlocks) {
  Pile pile;
  Recorder recorder(pile.space, {.memory_bytes_max = 1 << 20});  // in blocks of 32 KiB
  for (int i = 0; i < 60; ++i) {
    pile.add_box(cpv(50.0 + 12 * i, 6));
    pile.step(1);
    ASSERT_LE(recorder.recording().memory_bytes(), std::size_t{1} << 20);
  }
  EXPECT_GT(recorder.recording().keyframe(60).size_bytes(), std::size_t{1} << 15);
  EXPECT_LE(recorder.recording().first(), 55u);
  expect_exact(recorder.recording());
}

// A state of 175,000 bodies needs a block of 4 MiB.
TEST(Recorder, SegmentsOfManyBodiesEndWithTheirStepsOrBytes) {
  for (const auto& [bodies, bytes_max, second] :
       {std::tuple{15000, std::size_t{256} << 20, 120u}, std::tuple{175000, std::size_t{128} << 20, 7u}}) {
    Space space;
    {
      const auto scope = space.enter();
      for (int i = 0; i < bodies; ++i) cpSpaceAddBody(space.space(), cpBodyNew(1, 1));
    }
    Recorder recorder(space, {.memory_bytes_max = bytes_max});
    for (std::uint64_t i = 0; i < second + 2; ++i) space.step(kStep);
    EXPECT_EQ(recorder.recording().keyframes(), (std::vector<std::uint64_t>{0, second})) << bodies;
  }
}

TEST(Recorder, TheRingIsWholeAgainAfterTheWorldShrank) {
  Pile pile(4);
  Recorder recorder(pile.space, {.memory_bytes_max = 1 << 18, .keyframe_steps = 10});
  for (int i = 0; i < 300; ++i) pile.add_box(cpv(60.0 + 12 * i, 6));
  pile.step(3);
  EXPECT_GT(recorder.recording().memory_bytes(), std::size_t{1} << 18);
  {
    const auto scope = pile.space.enter();
    for (int i = 0; i < 300; ++i) {
      free_box(pile.space.space(), pile.boxes.back());
      pile.boxes.pop_back();
    }
  }
  static_cast<void>(pile.space.compact());
  pile.step(300);
  EXPECT_LE(recorder.recording().memory_bytes(), std::size_t{1} << 18);
  EXPECT_LE(recorder.recording().first(), 200u);
  expect_exact(recorder.recording());
}

TEST(Recorder, AKeyframeOfChangesIsTheState) {
  Pile pile;
  Recorder recorder(pile.space);
  std::vector<std::vector<std::byte>> states;
  std::size_t whole_bytes = 0;
  for (int i = 0; i < 60; ++i) {
    if (i < 30) {
      pile.add_box(cpv(50.0 + 12 * i, 6));
    } else {
      const auto scope = pile.space.enter();
      free_box(pile.space.space(), pile.boxes.back());
      pile.boxes.pop_back();
    }
    states.push_back(pile.space.save().to_bytes());
    whole_bytes += states.back().size();
    pile.step(1);
  }
  const std::vector<std::byte> bytes = recorder.recording().to_bytes();
  const Recording read = Recording::from_bytes(bytes);
  for (std::size_t i = 0; i < states.size(); ++i) {
    EXPECT_EQ(recorder.recording().keyframe(i).to_bytes(), states[i]) << i;
    EXPECT_EQ(read.keyframe(i).to_bytes(), states[i]) << i;
  }
  EXPECT_EQ(read.to_bytes(), bytes);
  EXPECT_LT(bytes.size(), whole_bytes / 2);
  EXPECT_EQ(read.keyframes(), recorder.recording().keyframes());
  expect_exact(read);
}

TEST(Recorder, RingsAndFilesHaveTheStatesOfAProgramThatDoesAll) {
  for (const int memory_bits : {19, 28}) {
    Pile pile(6);
    std::ostringstream streamed, later;
    Recorder recorder(pile.space, {.memory_bytes_max = std::size_t{1} << memory_bits, .keyframe_steps = 9});
    recorder.write_to(streamed);
    std::vector<std::uint64_t> hashes;
    Snapshot saved;
    std::vector<cpBody*> saved_boxes;
    std::uint32_t random = 1;
    const auto draw = [&](std::uint32_t count) {
      random = random * 1664525 + 1013904223;
      return static_cast<int>((random >> 16) % count);
    };
    for (int i = 0; i < 400; ++i) {
      const int action = draw(8);
      cpSpace* const space = pile.space.space();
      if (action <= 2) {
        pile.add_box(cpv(draw(300) - 150, 10 + draw(90)));
      } else if (action == 3 && pile.boxes.size() > 6) {
        const auto scope = pile.space.enter();
        free_box(space, pile.boxes.back());
        pile.boxes.pop_back();
      } else if (action == 4) {
        const auto scope = pile.space.enter();
        const cpVect at = cpv(draw(300) - 150, 40);
        cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), at, cpvadd(at, cpv(9, 0)), 1));
      } else if (action == 5) {
        cpBodySetVelocity(pile.boxes[static_cast<std::size_t>(draw(6))], cpv(20, 40));
      } else if (action == 6 && i % 4 == 0) {
        const Moves moves = pile.space.compact();
        for (cpBody*& box : pile.boxes) box = moves(box);
      } else if (action == 7 && i % 2 == 0) {
        if (saved.empty()) {
          saved = pile.space.save(), saved_boxes = pile.boxes;
        } else {
          ASSERT_TRUE(pile.space.restore(std::exchange(saved, {})));
          pile.boxes = saved_boxes;
        }
      }
      if (i % 50 == 30) {
        Space fork = pile.space.fork();
        Recorder of_fork(fork, {.keyframe_steps = 3});
        for (int k = 0; k < 8; ++k) fork.step(kStep);
        EXPECT_EQ(of_fork.recording().at(8).hash(), fork.hash());
        expect_exact(of_fork.recording());
      }
      hashes.push_back(pile.space.hash());
      pile.step(1);
      ASSERT_LE(recorder.recording().memory_bytes(), std::size_t{1} << memory_bits) << i;
    }
    recorder.close();
    recorder.write_to(later);
    recorder.close();
    EXPECT_EQ(recorder.recording().first() > 0, memory_bits < 28) << memory_bits;
    const Recording of_ring = Recording::from_bytes(recorder.recording().to_bytes());
    std::istringstream file(streamed.str()), later_file(later.str());
    const Recording of_file = Recording::read(file), of_later = Recording::read(later_file);
    EXPECT_EQ(of_file.first(), 0u);
    EXPECT_EQ(of_ring.first(), recorder.recording().first());
    EXPECT_EQ(of_later.first(), recorder.recording().first());
    for (const Recording* each : {&recorder.recording(), &of_ring, &of_file, &of_later}) {
      EXPECT_EQ(each->last(), hashes.size());
      for (std::uint64_t state = each->first(); state < hashes.size(); state += 7) {
        ASSERT_EQ(each->at(state).hash(), hashes[state]) << memory_bits << ": " << state;
      }
      expect_exact(*each);
    }
  }
}

std::vector<std::byte>::iterator find_keyframe(std::vector<std::byte>& bytes) {
  const auto name = std::as_bytes(std::span("KEYF", 4));
  return std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
}

TEST(Recorder, ADifferenceWithoutAWholeKeyframeIsDamage) {
  Pile pile;
  Recorder recorder(pile.space);
  pile.step(5);
  std::vector<std::byte> bytes = recorder.recording().to_bytes();
  const auto tag = find_keyframe(bytes);
  std::uint32_t size = 0;
  std::memcpy(&size, &tag[4], sizeof size);
  tag[32] |= std::byte{2};
  const std::uint64_t sum = checksum_of(std::span(&tag[16], size));
  std::memcpy(&tag[8], &sum, sizeof sum);
  EXPECT_THROW(static_cast<void>(Recording::from_bytes(bytes)), Error);
}

TEST(Recorder, AFileHasTheSameStates) {
  Pile pile;
  std::ostringstream all, streamed;
  {
    Recorder recorder(pile.space, {.keyframe_steps = 10});
    recorder.write_to(streamed);
    recorder.name(pile.boxes[0], "player");
    recorder.color(pile.boxes[0]->shapeList, 0x11223344);
    pile.step(15);
    recorder.mark("half");
    recorder.log("score", 2.5);
    recorder.input("keys", "left");
    cpBodySetVelocity(pile.boxes[0], cpv(5, 5));
    pile.step(20);
    pile.add_box(cpv(50, 50));
    pile.step(5);
    recorder.recording().write(all);
  }
  const std::uint64_t hash = pile.space.hash();
  for (const std::string& bytes : {all.str(), streamed.str()}) {
    std::istringstream in(bytes);
    const Recording read = Recording::read(in);
    EXPECT_EQ(read.last(), 40u);
    EXPECT_EQ(read.at(40).hash(), hash);
    expect_exact(read);
    ASSERT_EQ(read.events().size(), 3u);
    EXPECT_EQ(read.events()[0].step, 15u);
    EXPECT_EQ(read.events()[1].number, 2.5);
    EXPECT_EQ(read.events()[2].text, "left");
    EXPECT_EQ(read.names().at(Recording::id_of(pile.boxes[0])), "player");
    EXPECT_EQ(read.colors().at(Recording::id_of(pile.boxes[0]->shapeList)), 0x11223344u);
    EXPECT_FALSE(read.step(16).edits.empty());
    EXPECT_EQ(read.interventions().at(0).step, 35u);
  }
}

TEST(Recorder, AnOldFileHasTheSameStates) {
  std::ifstream file(FORKMUNK_TEST_DATA "/recordings/without_differences.fmrec", std::ios::binary);
  const Recording read = Recording::read(file);
  if (sizeof(cpFloat) != sizeof(double)) {
    EXPECT_THROW(static_cast<void>(read.at(0)), Error);
    return;
  }
  EXPECT_EQ(read.keyframes(), (std::vector<std::uint64_t>{0, 8, 13, 21}));
  EXPECT_EQ(read.interventions().at(0).step, 13u);
  EXPECT_EQ(read.events().at(0).name, "kick");
  EXPECT_EQ(read.at(0).hash(), 0x96d3f4eb5abc79dau);
  EXPECT_EQ(read.at(6).hash(), 0xf774a59127522431u);
  EXPECT_EQ(read.at(16).hash(), 0x5d70524fce51192au);
  EXPECT_EQ(read.at(24).hash(), 0x6288fcb675f90b2au);
  expect_exact(read);
  EXPECT_EQ(Recording::from_bytes(read.to_bytes()).at(24).hash(), read.at(24).hash());
}

TEST(Recorder, DamagedFilesAreRefused) {
  Pile pile;
  Recorder recorder(pile.space, {.keyframe_steps = 10});
  pile.step(25);
  std::ostringstream out;
  recorder.recording().write(out);
  const std::string good = out.str();
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    std::istringstream in(bad), cut(good.substr(0, at));
    EXPECT_THROW(static_cast<void>(Recording::read(in)), Error) << at;
    EXPECT_THROW(static_cast<void>(Recording::read(cut)), Error) << at;
  }
}

TEST(Recorder, AKeyframeWithoutStatesIsDamage) {
  Pile pile;
  Recorder recorder(pile.space);
  pile.step(5);
  std::vector<std::byte> bytes = recorder.recording().to_bytes();
  const auto tag = find_keyframe(bytes);
  std::vector<std::byte> second(tag, tag + 16);
  std::uint32_t size = 0;
  std::memcpy(&size, &second[4], sizeof size);
  const auto end = tag + 16 + size;
  second.insert(second.end(), tag + 16, end);
  std::fill_n(&second[16], 8, std::byte{255});
  const std::uint64_t sum = checksum_of(std::span(second).subspan(16));
  std::memcpy(&second[8], &sum, sizeof sum);
  bytes.insert(end, second.begin(), second.end());
  EXPECT_THROW(static_cast<void>(Recording::from_bytes(bytes)), Error);
}

// In chunks: tag, number of bytes, checksum, bytes.
std::size_t replace(std::vector<std::byte>& bytes, std::span<const std::byte> from, std::span<const std::byte> to) {
  std::size_t changed = 0;
  for (std::size_t at = 8; at < bytes.size();) {
    std::uint32_t size = 0;
    std::memcpy(&size, &bytes[at + 4], sizeof size);
    for (std::size_t i = at + 16; i + from.size() <= at + 16 + size; i += 4) {
      if (std::memcmp(&bytes[i], from.data(), from.size()) != 0) continue;
      std::memcpy(&bytes[i], to.data(), to.size());
      ++changed;
    }
    const std::uint64_t sum = checksum_of(std::span(bytes).subspan(at + 16, size));
    std::memcpy(&bytes[at + 8], &sum, sizeof sum);
    at += 16 + size;
  }
  return changed;
}

void expect_damage_at_10(std::span<const std::byte> bytes) {
  const Recording damaged = Recording::from_bytes(bytes);
  EXPECT_THROW(static_cast<void>(damaged.at(10)), Error);
  EXPECT_EQ(kinds_of(damaged.verify()), std::vector{Verdict::Kind::differs});
}

// Chipmunk aborts where a static body is among the moving ones.
TEST(Recorder, AnEditThatMakesABodyStaticIsDamage) {
  Pile pile;
  Recorder recorder(pile.space);
  pile.step(5);
  const double seconds = 0.34375, forever = INFINITY;
  pile.boxes[0]->sleeping.idleTime = static_cast<cpFloat>(seconds);
  pile.step(5);
  std::vector<std::byte> bytes = recorder.recording().to_bytes();
  EXPECT_EQ(Recording::from_bytes(bytes).at(10).hash(), pile.space.hash());
  const std::size_t changed =
      replace(bytes, std::as_bytes(std::span(&seconds, 1)), std::as_bytes(std::span(&forever, 1)));
  EXPECT_EQ(changed, 1u);
  expect_damage_at_10(bytes);
}

TEST(Recorder, AnEditOfAMotorThatChangesABodyIsDamage) {
  Pile pile;
  Recorder recorder(pile.space);
  cpSimpleMotorSetRate(pile.motor, 0.25);
  pile.step(5);
  cpBodySetAngularVelocity(pile.boxes[0], 0.34375);
  cpSimpleMotorSetRate(pile.motor, 0);
  pile.step(5);
  std::vector<std::byte> bytes = recorder.recording().to_bytes();
  const std::uint32_t velocity[] = {16, 0, 0, 0x3fd60000, 256, 0}, both[] = {256 | 64, 0, 0, 0x3fd60000, 256, 0};
  ASSERT_EQ(replace(bytes, std::as_bytes(std::span(velocity)), std::as_bytes(std::span(both))), 1u);
  expect_damage_at_10(bytes);
}

TEST(Recorder, ASceneThatComesTwiceIsDamage) {
  Pile pile;
  Recorder recorder(pile.space);
  pile.step(5);
  std::vector<std::byte> bytes = recorder.recording().to_bytes();
  const auto tag = find_keyframe(bytes);
  const std::vector<std::byte> scene(bytes.begin() + 8, tag);
  bytes.insert(tag, scene.begin(), scene.end());
  EXPECT_THROW(static_cast<void>(Recording::from_bytes(bytes)), Error);
}

void throw_at_30(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  cpBodyUpdateVelocity(body, gravity, damping, dt);
  if (cpSpaceGetCurrentTimeStep(cpBodyGetSpace(body)) > 1) throw std::runtime_error("thrown");
}

TEST(Recorder, PutsBackAStepThatThrew) {
  Pile pile;
  cpBodySetVelocityUpdateFunc(pile.boxes[3], &throw_at_30);
  Recorder recorder(pile.space);
  pile.step(20);
  EXPECT_EQ(recorder.recover(pile.space), std::nullopt);
  cpBodySetVelocity(pile.boxes[2], cpv(1, 2));
  const std::uint64_t before = pile.space.hash();
  EXPECT_THROW(pile.space.step(1.5), std::runtime_error);
  ASSERT_TRUE(recorder.has_failed());
  Space other;
  EXPECT_THROW(recorder.recover(other), Error);
  const auto failure = recorder.recover(pile.space);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->step, 20u);
  EXPECT_EQ(failure->culprit, "the step throws");
  EXPECT_EQ(failure->dt_that_passes, 0.75);
  EXPECT_FALSE(recorder.has_failed());
  EXPECT_EQ(pile.space.hash(), before);
  pile.step(5);
  EXPECT_EQ(recorder.recording().last(), 25u);
}

TEST(Recorder, NamesTheBodyThatLeftTheFiniteNumbers) {
  Pile pile;
  Recorder recorder(pile.space);
  recorder.name(pile.boxes[5], "rocket");
  pile.step(20);
  cpBodySetForce(pile.boxes[5], cpv(1e308, 1e308));
  const std::uint64_t before = pile.space.hash();
  pile.space.step(60);
  ASSERT_TRUE(recorder.has_failed());
  const auto failure = recorder.recover(pile.space);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->step, 20u);
  EXPECT_NE(failure->culprit.find("(rocket) has numbers that are not finite"), std::string::npos) << failure->culprit;
  EXPECT_EQ(pile.space.hash(), before);
}

TEST(Recorder, DoesNotBlameABodyThatTheFailedStepFreed) {
  Pile pile;
  cpSpaceSetUserData(pile.space.space(), pile.boxes[11]);
  Recorder recorder(pile.space);
  recorder.name(pile.boxes[11], "freed");
  pile.step(5);
  cpConstraintSetPostSolveFunc(pile.motor, [](cpConstraint*, cpSpace* in) {
    const auto replace = [](cpSpace* from, void* box, void*) {
      free_box(from, static_cast<cpBody*>(box));
      cpSpaceAddBody(from, cpBodyNew(1, 1))->v.x = NAN;  // in its memory
    };
    if (cpSpaceGetUserData(in) != nullptr) cpSpaceAddPostStepCallback(in, replace, cpSpaceGetUserData(in), nullptr);
    cpSpaceSetUserData(in, nullptr);
  });
  pile.step(1);
  ASSERT_TRUE(recorder.has_failed());
  const std::string culprit = recorder.describe_failure().culprit;
  EXPECT_EQ(culprit.find("freed"), std::string::npos) << culprit;
}

TEST(Recorder, IsRefusedWhereItCannotRecord) {
  Pile pile;
  {
    Recorder recorder(pile.space);
    EXPECT_THROW(Recorder second(pile.space), Error);
    EXPECT_THROW(static_cast<void>(recorder.recording().first()), Error);
    pile.step(1);
    EXPECT_THROW(static_cast<void>(recorder.recording().at(2)), Error);
  }
  Recorder again(pile.space);
  pile.step(2);
  EXPECT_EQ(again.recording().last(), 2u);
  auto space = std::make_unique<Space>(std::move(pile.space));
  space->step(kStep);
  EXPECT_EQ(again.recording().last(), 3u);
  space.reset();
  EXPECT_EQ(again.recording().at(2).spaces().size(), 1u);
}

TEST(Differences, AllOfThemAreNamed) {
  Pile one, other;
  one.step(10), other.step(10);
  EXPECT_TRUE(differences(one.space, other.space).empty());
  other.boxes[3]->v.y = std::nextafter(other.boxes[3]->v.y, cpFloat(1e9));
  cpShapeSetFriction(other.boxes[5]->shapeList, 0.25);
  cpSpaceSetDamping(other.space.space(), 0.5);
  const std::vector<Difference> found = differences(one.space, other.space);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].object, "body 3");
  EXPECT_EQ(found[0].id, Recording::id_of(one.boxes[3]));
  EXPECT_EQ(found[1].one, FORKMUNK_BY_PRECISION("0.69999999999999996", "0.69999998807907104"));
  EXPECT_EQ(found[1].other, "0.25");
  EXPECT_EQ(found[2].field, "damping");
}

TEST(Differences, CornersBelongToTheirPolygons) {
  Pile pile;
  for (const double radius : {2, 3}) {
    const auto scope = pile.space.enter();
    cpVect corners[8];
    for (int i = 0; i < 8; ++i) corners[i] = cpvmult(cpvforangle(i * 0.78), radius);
    cpSpaceAddShape(pile.space.space(), cpPolyShapeNew(pile.boxes[5], 8, corners, cpTransformIdentity, 0));
  }
  Space read = Space::from_bytes(pile.space.to_bytes());
  EXPECT_EQ(read.hash(), pile.space.hash());
  EXPECT_TRUE(differences(pile.space, read).empty());
  cpSpaceSetDamping(read.space(), 0.5);
  EXPECT_EQ(first_difference(pile.space, read), "space 0: damping differs: 1, 0.5");
}

TEST(Differences, AContactIsNamedByItsShapes) {
  Pile one, other;
  one.step(60), other.step(60);
  cpSpace* const space = other.space.space();
  ASSERT_GT(space->arbiters->num, 0);
  const auto* const found_arbiter =
      std::find_if(space->arbiters->arr, space->arbiters->arr + space->arbiters->num,
                   [&](const void* each) { return static_cast<const cpArbiter*>(each)->a == other.ground; });
  auto& arbiter = *static_cast<cpArbiter*>(*found_arbiter);
  arbiter.contacts[1].jnAcc += 1;
  const std::vector<Difference> found = differences(one.space, other.space);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].object.substr(0, 33), "contact of segment 0 and polygon ");
  EXPECT_EQ(found[0].id, Recording::id_of(arbiter.a));
  EXPECT_EQ(found[0].other_id, Recording::id_of(arbiter.b));
  EXPECT_EQ(found[0].field, "point 1: jnAcc");
  EXPECT_EQ(std::stod(found[0].other), std::stod(found[0].one) + 1);
}

TEST(Differences, AContactOfOneSpaceOnlyIsNamed) {
  Pile one;
  Space other = one.space.fork();
  one.step(60);
  ASSERT_TRUE(other.restore(one.space.save()));
  cpBodySetPosition(other.twin_of(one.space, one.boxes[11]), cpv(300, 300));
  one.space.step(0), other.step(0);
  std::vector<std::string> gone;
  for (const Difference& each : differences(one.space, other)) {
    if (each.field == "exists") gone.push_back(each.one + each.other);
  }
  EXPECT_TRUE(gone.empty());  // Chipmunk keeps contacts for some steps
  for (int i = 0; i < 5; ++i) one.space.step(1e-9), other.step(1e-9);
  for (const Difference& each : differences(one.space, other)) {
    if (each.field != "exists") continue;
    EXPECT_TRUE(each.id == Recording::id_of(one.boxes[11]->shapeList) ||
                each.other_id == Recording::id_of(one.boxes[11]->shapeList));
    gone.push_back(each.one + each.other);
  }
  EXPECT_EQ(gone, std::vector<std::string>{"10"});
}

TEST(Differences, TheFirstStepOfTwoRecordingsIsFound) {
  const auto record = [](const std::function<void(Pile&, int)>& change) {
    Pile pile;
    Recorder recorder(pile.space, {.keyframe_steps = 16});
    for (int i = 0; i < 100; ++i) {
      change(pile, i);
      pile.space.step(kStep);
    }
    return Recording::from_bytes(recorder.recording().to_bytes());
  };
  const Recording plain = record([](Pile&, int) {});
  EXPECT_FALSE(differences(plain, record([](Pile&, int) {})).step);

  const RecordingDifference bit = differences(plain, record([](Pile& pile, int i) {
                                                if (i == 50)
                                                  pile.boxes[3]->v.y = std::nextafter(pile.boxes[3]->v.y, cpFloat(1e9));
                                              }));
  EXPECT_EQ(bit.step, 50u);
  ASSERT_EQ(bit.found.size(), 1u);
  EXPECT_EQ(bit.found[0].field, "v");

  // The step overwrites the force, so no later state shows the change.
  const RecordingDifference rounded = differences(plain, record([](Pile& pile, int i) {
                                                    if (i == 50)
                                                      pile.boxes[3]->f.x =
                                                          static_cast<cpFloat>(FORKMUNK_BY_PRECISION(1e-300, 1e-40));
                                                  }));
  EXPECT_EQ(rounded.step, 50u);
  ASSERT_EQ(rounded.found.size(), 1u);
  EXPECT_EQ(rounded.found[0].field, "f");

  // A changed shape makes a keyframe, at which shapes are compared.
  const RecordingDifference shape = differences(plain, record([](Pile& pile, int i) {
                                                  if (i == 50) cpShapeSetCollisionType(pile.boxes[3]->shapeList, 7);
                                                }));
  EXPECT_EQ(shape.step, 50u);
  ASSERT_EQ(shape.found.size(), 1u);
  EXPECT_EQ(shape.found[0].field, "type");
}

// A function without a name keeps states out of the file.
TEST(Differences, RecordingsWithoutStatesAreComparedByTheirSteps) {
  const auto record = [](double push) {
    Pile pile;
    pile.boxes[3]->velocity_func = [](cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
      cpBodyUpdateVelocity(body, gravity, damping, dt);
    };
    Recorder recorder(pile.space, {.keyframe_steps = 16});
    for (int i = 0; i < 60; ++i) {
      if (i == 30) pile.boxes[3]->v.x += static_cast<cpFloat>(push);
      pile.space.step(kStep);
    }
    return Recording::from_bytes(recorder.recording().to_bytes());
  };
  const RecordingDifference same = differences(record(0), record(0));
  EXPECT_FALSE(same.step);
  EXPECT_EQ(same.reason, "");
  const RecordingDifference pushed = differences(record(0), record(1));
  EXPECT_EQ(pushed.step, 31u);
  EXPECT_NE(pushed.reason, "");
}

TEST(Preview, ShowsWhatComes) {
  Pile pile;
  cpBody* const ball = pile.add_box(cpv(18, 80));
  const std::uint64_t before = pile.space.hash();
  const cpBody* bodies[] = {pile.boxes[0], ball};
  std::size_t calls = 0;
  for (const std::size_t steps : {SIZE_MAX, SIZE_MAX / 3, SIZE_MAX / 24}) {
    EXPECT_THROW(static_cast<void>(preview(pile.space, bodies, steps, kStep)), Error);
  }
  const Preview seen = preview(pile.space, bodies, 90, kStep, [&](Space& twin, std::size_t step) {
    EXPECT_EQ(step, calls++);
    if (step == 10) cpBodySetVelocity(twin.twin_of(pile.space, ball), cpv(0, -100));
  });
  EXPECT_EQ(pile.space.hash(), before);
  EXPECT_EQ(calls, 90u);
  ASSERT_EQ(seen.paths.size(), 2u * 91 * 3);
  std::vector<Preview::Contact> touched;
  for (std::size_t step = 0; step < 90; ++step) {
    if (step == 10) cpBodySetVelocity(ball, cpv(0, -100));
    pile.space.step(kStep);
    const double* const pose = &seen.paths[3 * (91 + step + 1)];
    EXPECT_EQ(cpv(pose[0], pose[1]).x, ball->p.x);
    EXPECT_EQ(pose[1], ball->p.y);
    EXPECT_EQ(pose[2], ball->a);
    bool touches = false;
    cpBodyEachArbiter(
        ball, [](cpBody*, cpArbiter*, void* found) { *static_cast<bool*>(found) = true; }, &touches);
    if (touches && touched.empty()) touched.push_back({step + 1, 1, Recording::id_of(ball->shapeList), 0});
  }
  ASSERT_EQ(touched.size(), 1u);
  const auto first =
      std::find_if(seen.contacts.begin(), seen.contacts.end(), [](const auto& each) { return each.body == 1; });
  ASSERT_NE(first, seen.contacts.end());
  EXPECT_EQ(first->step, touched[0].step);
  EXPECT_EQ(first->shape, touched[0].shape);
  EXPECT_NE(first->other, 0u);
}

TEST(Preview, KeepsABodyThatIsFreedWhereItWas) {
  Pile pile;
  const cpBody* bodies[] = {pile.boxes[5], pile.boxes[11]};
  const Preview seen = preview(pile.space, bodies, 3, kStep, [&](Space& twin, std::size_t step) {
    if (step != 2) return;
    const auto scope = twin.enter();
    free_box(twin.space(), twin.twin_of(pile.space, pile.boxes[11]));
    cpBodySetPosition(cpSpaceAddBody(twin.space(), cpBodyNew(1, 1)), cpv(7, 7));  // in its memory
  });
  const double* const path = &seen.paths[3 * 4];
  EXPECT_NE(path[7], path[4]);
  EXPECT_EQ(path[9], path[6]);
  EXPECT_EQ(path[10], path[7]);
  EXPECT_EQ(path[11], path[8]);
}

TEST(Preview, RefusesBodiesThatAreNoneOfTheSpace) {
  Pile pile;
  const cpBody* bodies[] = {pile.boxes[0], nullptr};
  EXPECT_THROW(static_cast<void>(preview(pile.space, bodies, 1, kStep)), Error);
  Pile other;
  bodies[1] = other.boxes[0];
  EXPECT_THROW(static_cast<void>(preview(pile.space, bodies, 1, kStep)), Error);
}

}  // namespace
}  // namespace forkmunk::space
