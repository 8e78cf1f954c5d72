// SPDX-License-Identifier: MIT

#include <forkmunk/base/error.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <chipmunk/chipmunk_unsafe.h>
#include <gtest/gtest.h>

/// The rows of docs/reference/defects.md: each input is right by default, and wrong in stock's mode.
namespace forkmunk::space {
namespace {

constexpr double kStep = 1.0 / 60;

class World {
 public:
  explicit World(Defects defects) : scope_(space_.enter()) { space_.set_defects(defects); }

  cpSpace* get() { return space_.space(); }
  Space& space() { return space_; }
  cpBody* ground() { return cpSpaceGetStaticBody(get()); }
  cpBody* body(cpVect position, double mass = 1, double moment = 1) {
    cpBody* const added = cpSpaceAddBody(get(), cpBodyNew(mass, moment));
    cpBodySetPosition(added, position);
    return added;
  }
  void expect_to_be_read() {
    Space read = Space::from_bytes(space_.to_bytes());
    Space twin = space_.fork();
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(read.hash(), twin.hash()) << i << first_difference(read, twin).value_or("");
      read.step(kStep);
      twin.step(kStep);
    }
  }
  cpShape* circle(cpBody* body, double radius, cpVect offset = cpvzero) {
    return cpSpaceAddShape(get(), cpCircleShapeNew(body, radius, offset));
  }
  cpShape* segment(cpBody* body, cpVect a, cpVect b, double radius = 0) {
    return cpSpaceAddShape(get(), cpSegmentShapeNew(body, a, b, radius));
  }
  cpShape* box(cpBody* body, cpBB sides, double radius = 0) {
    return cpSpaceAddShape(get(), cpBoxShapeNew2(body, sides, radius));
  }
  cpConstraint* joint(cpConstraint* joint) { return cpSpaceAddConstraint(get(), joint); }
  void steps(int count, double dt = kStep) {
    for (int i = 0; i < count; ++i) space_.step(dt);
  }

 private:
  Space space_;
  Scope scope_;
};

double deepest(const cpContactPointSet& set) {
  double least = INFINITY;
  for (int i = 0; i < set.count; ++i) least = std::min(least, set.points[i].distance);
  return least;
}

/// The right values depend on the kernel.
class DefectsOfContacts : public testing::TestWithParam<SimdTarget> {
 protected:
  void SetUp() override { ASSERT_TRUE(set_simd_target(GetParam())); }
  void TearDown() override { set_simd_target(available_simd_targets().back()); }
};

// Row 1; 24 pairs fill the lanes of each kernel.
TEST_P(DefectsOfContacts, CirclesLeaveRoundedPolygons) {
  const auto height = [](Defects defects) {
    World world(defects);
    std::vector<cpBody*> circles;
    for (int i = 0; i < 24; ++i) {
      world.box(world.ground(), cpBBNew(100.0 * i - 10, -10, 100.0 * i + 10, 10), 5);
      circles.push_back(world.body({100.0 * i, 20}));
      world.circle(circles.back(), 10);
    }
    world.steps(300);
    for (cpBody* const circle : circles) EXPECT_EQ(cpBodyGetPosition(circle).y, cpBodyGetPosition(circles[0]).y);
    return cpBodyGetPosition(circles[0]).y;
  };
  EXPECT_NEAR(height(Defects::none), 24.9, 0.01);
  EXPECT_EQ(height(Defects::pymunk), height(Defects::none));
  EXPECT_EQ(height(Defects::stock), 20);
}

INSTANTIATE_TEST_SUITE_P(, DefectsOfContacts, testing::ValuesIn(available_simd_targets()),
                         [](const auto& of) { return std::string(to_string(of.param)); });

// Rows 1 and 1b.
TEST(Defects, PointsOfRoundedPolygonsAreOnTheirSurfaces) {
  for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
    World world(defects);
    cpShape* const box = world.box(world.ground(), cpBBNew(-10, -10, 10, 10), 5);
    cpShape* const circle = world.circle(world.body({0, 20}), 10);
    const cpContactPointSet one = cpShapesCollide(circle, box), other = cpShapesCollide(box, circle);
    const bool is_stock = defects == Defects::stock;
    EXPECT_EQ(one.points[0].distance, is_stock ? 5 : -5);
    EXPECT_EQ(other.points[0].distance, defects == Defects::pymunk ? 5 : -5);
    EXPECT_EQ(one.points[0].pointA.y, 10);
    EXPECT_EQ(one.points[0].pointB.y, is_stock ? 5 : 15);
    EXPECT_EQ(other.points[0].pointA.y, is_stock ? 5 : 15);
    EXPECT_EQ(other.points[0].pointB.y, 10);
  }
}

// Row 2.
TEST(Defects, SpringsObeyTheirLimit) {
  const auto velocity = [](Defects defects, double limit, double damping) {
    World world(defects);
    cpBody* const body = world.body({10, 0});
    cpConstraint* const spring =
        world.joint(cpDampedSpringNew(world.ground(), body, cpvzero, cpvzero, 0, 100, damping));
    cpConstraintSetMaxForce(spring, limit);
    world.steps(1, 0.1);
    EXPECT_NEAR(cpConstraintGetImpulse(spring), cpBodyGetVelocity(body).x, 1e-12);
    return cpBodyGetVelocity(body).x;
  };
  EXPECT_NEAR(velocity(Defects::none, 10, 0), -1, 1e-12);
  EXPECT_NEAR(velocity(Defects::pymunk, 10, 0), -1, 1e-12);
  EXPECT_EQ(velocity(Defects::stock, 10, 0), -100);
  EXPECT_EQ(velocity(Defects::none, INFINITY, 3), velocity(Defects::stock, INFINITY, 3));
  EXPECT_NEAR(velocity(Defects::pymunk, INFINITY, 3), velocity(Defects::stock, INFINITY, 3), 1e-12);
}

// Rows 2 and 3.
TEST(Defects, ImpulsesOfRotarySpringsAreChangesOfMomentum) {
  const auto impulse = [](Defects defects, double limit) {
    World world(defects);
    cpBody* const body = world.body(cpvzero);
    cpBodySetAngle(body, 1);
    cpBodySetAngularVelocity(body, 5);
    cpConstraint* const spring = world.joint(cpDampedRotarySpringNew(world.ground(), body, 0, 10, 2));
    cpConstraintSetMaxForce(spring, limit);
    world.steps(1, 0.1);
    return std::pair(cpConstraintGetImpulse(spring), cpBodyGetAngularVelocity(body) - 5);
  };
  for (const Defects defects : {Defects::none, Defects::pymunk}) {
    const auto [found, change] = impulse(defects, INFINITY);
    EXPECT_NEAR(found, change, 1e-12);
    EXPECT_NEAR(std::abs(found), 2.134, 0.3);
    const auto [limited, limited_change] = impulse(defects, 3);
    EXPECT_NEAR(limited, limited_change, 1e-12);
    EXPECT_NEAR(std::abs(limited), 0.3, 1e-12);
  }
  const auto [found, change] = impulse(Defects::stock, INFINITY);
  EXPECT_GT(std::abs(found - change), 1);
  EXPECT_EQ(change, impulse(Defects::none, INFINITY).second);
}

struct Hit {
  cpShape* shape;
  cpVect point, normal;
  double alpha;
};

std::vector<Hit> query_segment(World& world, cpVect a, cpVect b, double radius) {
  std::vector<Hit> hits;
  cpSpaceSegmentQuery(
      world.get(), a, b, radius, CP_SHAPE_FILTER_ALL,
      [](cpShape* shape, cpVect point, cpVect normal, cpFloat alpha, void* data) {
        static_cast<std::vector<Hit>*>(data)->push_back({shape, point, normal, alpha});
      },
      &hits);
  return hits;
}

// Row 4, with the tree and with the hash.
TEST(Defects, SegmentQueriesFindWhatTheirRadiusReaches) {
  for (const bool uses_hash : {false, true}) {
    for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
      World world(defects);
      if (uses_hash) cpSpaceUseSpatialHash(world.get(), 3, 100);
      cpShape* const near = world.circle(world.ground(), 1, {0, 5});
      world.circle(world.ground(), 1, {100, 100});
      const std::vector<Hit> hits = query_segment(world, {-10, 0}, {10, 0}, 4.5);
      cpSegmentQueryInfo first;
      cpShape* const found = cpSpaceSegmentQueryFirst(world.get(), {-10, 0}, {10, 0}, 4.5, CP_SHAPE_FILTER_ALL, &first);
      if (defects != Defects::none) {
        EXPECT_TRUE(hits.empty());
        EXPECT_EQ(found, nullptr);
        EXPECT_TRUE(cpveql(first.normal, cpvzero));
        continue;
      }
      ASSERT_EQ(hits.size(), 1u);
      EXPECT_EQ(hits[0].shape, near);
      EXPECT_NEAR(hits[0].alpha, (10 - std::sqrt(5.5 * 5.5 - 25)) / 20, 1e-12);
      EXPECT_EQ(found, near);
      EXPECT_EQ(first.alpha, hits[0].alpha);
    }
  }
}

TEST(Defects, SegmentQueriesFindWhatTheirEndTouches) {
  for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
    World world(defects);
    cpShape* const near = world.box(world.ground(), cpBBNew(10, -5, 20, 5));
    world.box(world.ground(), cpBBNew(100, -5, 110, 5));
    const std::vector<Hit> hits = query_segment(world, {0, 0}, {10, 0}, 0);
    cpShape* const first = cpSpaceSegmentQueryFirst(world.get(), {0, 0}, {10, 0}, 0, CP_SHAPE_FILTER_ALL, nullptr);
    if (defects != Defects::none) {
      EXPECT_TRUE(hits.empty());
      EXPECT_EQ(first, nullptr);
      continue;
    }
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_EQ(hits[0].shape, near);
    EXPECT_EQ(hits[0].alpha, 1);
    EXPECT_EQ(first, near);
  }
}

// On a grid, segments run along sides of boxes, through corners, and parallel to the axes.
TEST(Defects, SegmentQueriesFindWhatEachShapeFinds) {
  World world(Defects::none);
  std::vector<cpShape*> shapes;
  for (int i = 0; i < 40; ++i) {
    const cpVect at = cpv(i * 7 % 17 - 8, i * 11 % 17 - 8);
    shapes.push_back(i % 3 == 0 ? world.circle(world.ground(), 1, at)
                                : world.box(world.ground(), cpBBNew(at.x, at.y, at.x + 1 + i % 3, at.y + 1 + i % 2)));
  }
  int found = 0;
  for (int i = 0; i < 17 * 17 * 17; ++i) {
    const cpVect a = cpv(i % 17 - 8, i * 5 % 17 - 8), b = cpv(i / 17 % 17 - 8, i / 289 - 8);
    const double radius = i % 2 * 0.5;
    std::set<const cpShape*> expected, met;
    double nearest = 1;
    for (const cpShape* const shape : shapes) {
      cpSegmentQueryInfo info;
      if (!cpShapeSegmentQuery(shape, a, b, radius, &info)) continue;
      expected.insert(shape);
      nearest = std::min(nearest, info.alpha);
    }
    for (const Hit& hit : query_segment(world, a, b, radius)) met.insert(hit.shape);
    ASSERT_EQ(met, expected) << i;
    cpSegmentQueryInfo first;
    const cpShape* const shape = cpSpaceSegmentQueryFirst(world.get(), a, b, radius, CP_SHAPE_FILTER_ALL, &first);
    ASSERT_EQ(shape != nullptr, !expected.empty()) << i;
    ASSERT_EQ(first.alpha, nearest) << i;
    found += static_cast<int>(expected.size());
  }
  EXPECT_GT(found, 17 * 17 * 17);
}

// Polygons answer NaN with a hit at the start.
TEST(Defects, SegmentQueriesMissWhatIsNotANumber) {
  World world(Defects::none);
  cpShape* const near = world.box(world.ground(), cpBBNew(10, -5, 20, 5));
  world.box(world.ground(), cpBBNew(100, -5, 110, 5));
  for (const cpVect odd : {cpv(NAN, 0), cpv(0, NAN), cpv(NAN, NAN)}) {
    EXPECT_TRUE(query_segment(world, odd, {30, 0}, 0).empty());
    EXPECT_TRUE(query_segment(world, {0, 0}, odd, 0).empty());
  }
  for (const cpVect at : {cpv(NAN, NAN), cpv(NAN, 0), cpv(0, NAN), cpv(-50, 0)}) {
    world.box(world.body(at), cpBBNew(-1, -1, 1, 1));
  }
  const std::vector<Hit> hits = query_segment(world, {0, 0}, {30, 0}, 0);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].shape, near);
  EXPECT_EQ(cpSpaceSegmentQueryFirst(world.get(), {0, 0}, {30, 0}, 0, CP_SHAPE_FILTER_ALL, nullptr), near);
}

// Row 5.
TEST(Defects, SegmentQueriesFromInsideStartThere) {
  for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
    World world(defects);
    cpShape* const circle = world.circle(world.ground(), 1);
    for (const cpVect start : {cpv(0, 0), cpv(0.5, 0)}) {
      cpSegmentQueryInfo info;
      EXPECT_EQ(cpSpaceSegmentQueryFirst(world.get(), start, {5, 5}, 0, CP_SHAPE_FILTER_ALL, &info), circle);
      EXPECT_EQ(info.alpha, 0);
      const bool is_right = defects == Defects::none;
      const cpVect point = is_right ? start : cpv(5, 5);
      EXPECT_EQ(info.point.x, point.x);
      EXPECT_EQ(info.point.y, point.y);
      EXPECT_EQ(info.normal.x, is_right || start.x == 0 ? 0 : -1);
      EXPECT_EQ(info.normal.y, 0);
    }
  }
}

// Row 6.
TEST(Defects, CapsulesThatMeetWithAnEndAreAsDeepAsTheyAre) {
  const auto distance = [](Defects defects, double y) {
    World world(defects);
    cpBody* const one = world.body({300, 100});
    cpShape* const upright = world.segment(one, {-8, 0}, {8, 0}, 8);
    cpBodySetAngle(one, 3.14159265358979323846 / 2);
    cpShapeCacheBB(upright);
    return deepest(cpShapesCollide(upright, world.segment(world.body({320, y}), {-8, 0}, {8, 0}, 8)));
  };
  for (const double y : {92.0, 91.999999, 92.5}) EXPECT_NEAR(distance(Defects::none, y), -4, 1e-5) << y;
  EXPECT_NEAR(distance(Defects::stock, 92), -16, 1e-9);
  EXPECT_NEAR(distance(Defects::pymunk, 92), -16, 1e-9);
}

TEST(Defects, SegmentsOfLengthZeroAreWhereTheyAre) {
  const auto set = [](Defects defects, double x) {
    World world(defects);
    cpShape* const one = world.segment(world.body(cpvzero), cpvzero, cpvzero, 1);
    return cpShapesCollide(one, world.segment(world.body({x, 0}), cpvzero, cpvzero, 1));
  };
  EXPECT_EQ(set(Defects::none, 100).count, 0);
  EXPECT_GT(set(Defects::stock, 100).count, 0);
  EXPECT_NEAR(deepest(set(Defects::none, 1.5)), -0.5, 1e-12);
  EXPECT_EQ(set(Defects::none, 1.5).normal.x, 1);
}

// Row 7.
TEST(Defects, ShapeQueriesSeeSolidShapes) {
  const auto is_solid = [](Defects defects, bool sensor_first) {
    World world(defects);
    const auto add_sensor = [&] { cpShapeSetSensor(world.circle(world.ground(), 5), cpTrue); };
    if (sensor_first) add_sensor();
    world.circle(sensor_first ? world.ground() : world.body(cpvzero), 5);
    if (!sensor_first) add_sensor();
    cpShape* const query = cpCircleShapeNew(world.ground(), 3, cpvzero);
    return cpSpaceShapeQuery(world.get(), query, nullptr, nullptr) != 0;
  };
  for (const bool first : {false, true}) {
    EXPECT_TRUE(is_solid(Defects::none, first));
    EXPECT_TRUE(is_solid(Defects::pymunk, first));
  }
  EXPECT_FALSE(is_solid(Defects::stock, false));
}

TEST(Defects, ShapesWithoutABodyAreWhereTheyWereMade) {
  for (const Defects defects : {Defects::none, Defects::pymunk}) {
    World world(defects);
    cpShape* const box = world.box(world.ground(), cpBBNew(3, -1, 6, 1));
    cpShape* const query = cpSegmentShapeNew(nullptr, {0, 0}, {5, 0}, 1);
    cpShapeUpdate(query, cpTransformIdentity);
    std::vector<cpShape*> met;
    EXPECT_TRUE(cpSpaceShapeQuery(
        world.get(), query,
        [](cpShape* shape, cpContactPointSet*, void* data) {
          static_cast<std::vector<cpShape*>*>(data)->push_back(shape);
        },
        &met));
    EXPECT_EQ(met, std::vector{box});
  }
}

// Row 9.
TEST(Defects, RestIsNotDisturbedByAShortStep) {
  const auto jump = [](Defects defects, double dt) {
    World world(defects);
    cpSpaceSetGravity(world.get(), {0, -100});
    world.segment(world.ground(), {-100, 0}, {100, 0});
    cpBody* const ball = world.body({0, 5}, 1, cpMomentForCircle(1, 0, 5, cpvzero));
    world.circle(ball, 5);
    world.steps(300);
    const double start = cpBodyGetPosition(ball).y;
    world.steps(1, dt);
    double most = 0;
    for (int i = 0; i < 60; ++i) {
      world.steps(1);
      most = std::max(most, std::abs(cpBodyGetPosition(ball).y - start));
    }
    return most;
  };
  for (const double dt : {1e-3, 1e-6, 0.03, 0.2}) EXPECT_LT(jump(Defects::none, dt), 0.02) << dt;
  EXPECT_NEAR(jump(Defects::stock, 1e-3), 3.19, 0.01);
  EXPECT_NEAR(jump(Defects::pymunk, 1e-6), 27264, 1);
}

TEST(Defects, JointsAreNotDisturbedByAShortStep) {
  const auto energy = [](Defects defects) {
    World world(defects);
    cpSpaceSetGravity(world.get(), {0, -100});
    std::vector<cpBody*> bodies;
    for (int i = 0; i < 5; ++i) {
      cpBody* const body = world.body({50.0 * i, -10}, 1, 10);
      bodies.push_back(body);
      const cpVect anchor{50.0 * i, 0};
      if (i == 0) world.joint(cpPinJointNew(world.ground(), body, anchor, cpvzero));
      if (i == 1) world.joint(cpSlideJointNew(world.ground(), body, anchor, cpvzero, 0, 10));
      if (i == 2) world.joint(cpPivotJointNew(world.ground(), body, cpBodyGetPosition(body)));
      if (i == 3) world.joint(cpGrooveJointNew(world.ground(), body, anchor, {anchor.x, -10}, cpvzero));
      if (i == 4) {
        world.joint(cpPivotJointNew(world.ground(), body, cpv(anchor.x - 5, -10)));
        world.joint(cpGearJointNew(world.ground(), body, 0, 1));
      }
    }
    world.steps(200);
    for (const double dt : {1e-5, kStep, 1e-5, kStep, kStep}) world.steps(1, dt);
    double sum = 0;
    for (const cpBody* const body : bodies) sum += cpBodyKineticEnergy(body);
    return sum;
  };
  EXPECT_LT(energy(Defects::none), 0.1);
  EXPECT_GT(energy(Defects::stock), 1);
}

class Sleeper {
 public:
  explicit Sleeper(Defects defects) : world(defects) {
    cpSpaceSetGravity(world.get(), {0, -100});
    cpSpaceSetSleepTimeThreshold(world.get(), 0.5);
    ground = world.segment(world.ground(), {-100, 0}, {100, 0}, 1);
    cpShapeSetFriction(ground, 1);
    sleeper = world.body({0, 11}, 1, cpMomentForBox(1, 20, 20));
    box = world.box(sleeper, cpBBNew(-10, -10, 10, 10));
    cpShapeSetFriction(box, 1);
    world.steps(120);
    EXPECT_TRUE(cpBodyIsSleeping(sleeper));
  }
  bool sleeps_after(int steps) {
    world.steps(steps);
    return cpBodyIsSleeping(sleeper) != 0;
  }

  World world;
  cpShape* ground;
  cpBody* sleeper;
  cpShape* box;
};

using Change = void (*)(Sleeper&);
struct NamedChange {
  const char* name;
  Change change;
};

constexpr NamedChange kChanges[] = {
    {"sensor", [](Sleeper& s) { cpShapeSetSensor(s.ground, cpTrue); }},
    {"filter", [](Sleeper& s) { cpShapeSetFilter(s.ground, CP_SHAPE_FILTER_NONE); }},
    {"move",
     [](Sleeper& s) {
       cpBodySetPosition(s.world.ground(), {0, -50});
       cpSpaceReindexShapesForBody(s.world.get(), s.world.ground());
     }},
    {"move, all static shapes reindexed",
     [](Sleeper& s) {
       cpBodySetPosition(s.world.ground(), {0, -50});
       cpSpaceReindexStatic(s.world.get());
     }},
    {"move, the shape reindexed",
     [](Sleeper& s) {
       cpBodySetPosition(s.world.ground(), {0, -50});
       cpSpaceReindexShape(s.world.get(), s.ground);
     }},
    {"surface velocity",
     [](Sleeper& s) {
       cpShapeSetSurfaceVelocity(s.ground, {30, 0});
     }},
    {"friction and a slope's worth of it", [](Sleeper& s) { cpShapeSetFriction(s.ground, 0); }},
    {"end points",
     [](Sleeper& s) {
       cpSegmentShapeSetEndpoints(s.ground, {50, 0}, {100, 0});
     }},
    {"radius", [](Sleeper& s) { cpSegmentShapeSetRadius(s.ground, 0.1); }},
    {"the sleeper's vertices",
     [](Sleeper& s) {
       cpVect smaller[] = {{-5, -5}, {5, -5}, {5, 5}, {-5, 5}};
       cpPolyShapeSetVerts(s.box, 4, smaller, cpTransformIdentity);
     }},
    {"a static shape in it",
     [](Sleeper& s) {
       s.world.circle(s.world.ground(), 5, {8, 11});
     }},
    {"a static sensor in it",
     [](Sleeper& s) {
       cpShape* const sensor = cpCircleShapeNew(s.world.ground(), 5, {0, 11});
       cpShapeSetSensor(sensor, cpTrue);
       cpSpaceAddShape(s.world.get(), sensor);
     }},
};

// Row 10.
TEST(Defects, SleepersWakeWhenTheirSupportChanges) {
  for (const NamedChange& each : kChanges) {
    for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
      Sleeper scene(defects);
      each.change(scene);
      EXPECT_EQ(scene.sleeps_after(1), defects != Defects::none) << each.name << ", " << static_cast<int>(defects);
    }
  }
}

TEST(Defects, ChangesWakeOnlyTheSleepersThatTheyReach) {
  Sleeper scene(Defects::none);
  cpBody* const awake = scene.world.body({60, 11}, 1, cpMomentForBox(1, 20, 20));
  scene.world.box(awake, cpBBNew(-10, -10, 10, 10));
  scene.world.steps(20);
  const double idle_time = awake->sleeping.idleTime;
  EXPECT_GT(idle_time, 0);
  cpShapeSetFriction(scene.ground, 0.5);
  EXPECT_FALSE(cpBodyIsSleeping(scene.sleeper));
  EXPECT_EQ(awake->sleeping.idleTime, idle_time);
  scene.world.steps(120);
  cpShape* const far = scene.world.segment(scene.world.ground(), {300, 0}, {400, 0}, 1);
  EXPECT_TRUE(cpBodyIsSleeping(scene.sleeper)) << "it touches another shape of the body";
  cpSegmentShapeSetEndpoints(far, {5, 0}, {400, 0});
  EXPECT_TRUE(cpBodyIsSleeping(scene.sleeper)) << "the index still has the old box";
  cpSpaceReindexStatic(scene.world.get());
  EXPECT_FALSE(cpBodyIsSleeping(scene.sleeper));
}

TEST(Defects, SleepersThatLoseTheirSupportFall) {
  Sleeper scene(Defects::none);
  kChanges[0].change(scene);
  scene.world.steps(60);
  EXPECT_LT(cpBodyGetPosition(scene.sleeper).y, -20);
}

TEST(Defects, SleepersOnAJointWakeWhenItsStaticBodyMoves) {
  for (const Defects defects : {Defects::none, Defects::stock}) {
    World world(defects);
    cpSpaceSetSleepTimeThreshold(world.get(), 0.5);
    cpBody* const body = world.body({10, 0});
    world.joint(cpPinJointNew(world.ground(), body, cpvzero, cpvzero));
    world.steps(60);
    ASSERT_TRUE(cpBodyIsSleeping(body));
    cpBodySetPosition(world.ground(), {0, 20});
    world.steps(1);
    EXPECT_EQ(cpBodyIsSleeping(body) != 0, defects == Defects::stock);
  }
}

// Stock Chipmunk aborts, hangs or uses freed memory here. With the defects of stock, a Space does so in tests of
// NoBrokenLists only.
class WholeLists : public testing::TestWithParam<Defects> {};
class NoBrokenLists : public testing::TestWithParam<Defects> {};

TEST_P(NoBrokenLists, ABodyThatTouchesAnAwakeOneSleeps) {
  World world(GetParam());
  cpSpaceSetGravity(world.get(), {0, -100});
  cpSpaceSetSleepTimeThreshold(world.get(), 5);
  world.segment(world.ground(), {-100, 0}, {100, 0});
  std::vector<cpBody*> stack;
  for (int i = 0; i < 4; ++i) {
    stack.push_back(world.body({0, 10.0 + 20 * i}, 1, cpMomentForBox(1, 20, 20)));
    world.box(stack.back(), cpBBNew(-10, -10, 10, 10));
  }
  world.steps(30);
  for (const std::size_t i : {1u, 2u, 0u, 3u}) {
    cpBodySleep(stack[i]);
    EXPECT_TRUE(cpBodyIsSleeping(stack[i]));
    world.expect_to_be_read();
    world.steps(30);
    EXPECT_FALSE(cpBodyIsSleeping(stack[i])) << "an awake body touches it";
  }
  cpBodySleep(stack[0]);
  for (const std::size_t i : {1u, 2u, 3u}) cpBodySleepWithGroup(stack[i], stack[0]);
  world.steps(30);
  for (cpBody* const body : stack) EXPECT_TRUE(cpBodyIsSleeping(body));
  cpBodyActivate(stack[2]);
  world.steps(60);
  for (std::size_t i = 0; i < stack.size(); ++i) {
    EXPECT_FALSE(cpBodyIsSleeping(stack[i]));
    EXPECT_NEAR(cpBodyGetPosition(stack[i]).y, 10.0 + 20 * static_cast<double>(i), 1.0);
  }
  std::stringstream file;
  world.space().save().write(file);  // checks all lists
}

TEST_P(NoBrokenLists, AContactBeginsOnceThoughABodySleepsAfterItsFirstStep) {
  for (const bool is_first : {false, true}) {
    World world(GetParam());
    cpSpaceSetSleepTimeThreshold(world.get(), 5);
    cpBody* const one = world.body({0, 0}, 1, 100);
    cpBody* const other = world.body({0, 8}, 1, 100);
    world.circle(one, 5);
    world.circle(other, 5);
    int begun = 0;
    cpCollisionHandler* const handler = cpSpaceAddDefaultCollisionHandler(world.get());
    handler->userData = &begun;
    handler->beginFunc = [](cpArbiter*, cpSpace*, cpDataPointer count) -> cpBool {
      ++*static_cast<int*>(count);
      return cpTrue;
    };
    world.steps(1);
    cpBodySleep(is_first ? one : other);
    world.steps(3);
    EXPECT_EQ(begun, 1);
  }
}

TEST_P(WholeLists, ASleepingBodyMaySleepAgain) {
  World world(GetParam());
  cpSpaceSetSleepTimeThreshold(world.get(), 1);
  cpBody* const body = world.body(cpvzero);
  cpBodySleep(body);
  const std::uint64_t hash = world.space().hash();
  cpBodySleep(body);
  EXPECT_EQ(world.space().hash(), hash);
}

TEST_P(WholeLists, ASleepingBodyIsWokenInBegin) {
  World world(GetParam());
  cpSpaceSetSleepTimeThreshold(world.get(), 0.1);
  cpBody* const one = world.body({0, 0}, 1, 100);
  cpBody* const other = world.body({0, 9.9}, 1, 100);
  cpShape* const shape = world.circle(one, 5);
  world.circle(other, 5);
  world.steps(120);
  ASSERT_TRUE(cpBodyIsSleeping(one));
  ASSERT_TRUE(cpBodyIsSleeping(other));
  cpShapeSetCollisionType(world.circle(world.body({30, 0}), 5), 1);
  ASSERT_TRUE(cpBodyIsSleeping(one));
  cpBodySetVelocity(cpShapeGetBody(shape), cpvzero);
  world.steps(30);
  cpCollisionHandler* const handler = cpSpaceAddWildcardHandler(world.get(), 1);
  handler->userData = one;
  handler->beginFunc = [](cpArbiter*, cpSpace*, cpDataPointer data) -> cpBool {
    cpBodyActivate(static_cast<cpBody*>(data));
    return cpTrue;
  };
  world.steps(30);
  cpBody* const bullet = world.body({-30, 0}, 1, 100);
  cpShapeSetCollisionType(world.circle(bullet, 5), 1);
  cpBodySetVelocity(bullet, {100, 0});
  world.steps(60);
  EXPECT_GT(cpBodyGetPosition(one).x, 1);
  name_code("defects_test: wake in begin", handler->beginFunc);
  std::stringstream file;
  world.space().save().write(file);
}

TEST_P(NoBrokenLists, ABodyChangesItsTypeWhereBodiesSleep) {
  for (const cpBodyType type : {CP_BODY_TYPE_STATIC, CP_BODY_TYPE_KINEMATIC}) {
    Sleeper scene(GetParam());
    cpBodySetType(scene.sleeper, type);
    scene.world.steps(30);
    EXPECT_FALSE(cpBodyIsSleeping(scene.sleeper));
    std::stringstream file;
    scene.world.space().save().write(file);
  }
  World world(GetParam());
  cpSpaceSetGravity(world.get(), {0, -100});
  cpSpaceSetSleepTimeThreshold(world.get(), 0.5);
  cpBody* const table = cpSpaceAddBody(world.get(), cpBodyNewStatic());
  cpShape* const top = world.segment(table, {-100, 0}, {100, 0}, 1);
  cpShapeSetMass(top, 1);
  cpBody* const body = world.body({0, 6});
  world.circle(body, 5);
  world.steps(240);
  ASSERT_TRUE(cpBodyIsSleeping(body));
  cpBodySetType(table, CP_BODY_TYPE_DYNAMIC);
  cpBodySetVelocity(table, {0, -1e4});
  world.steps(60);
  EXPECT_LT(cpBodyGetPosition(body).y, -10);
}

TEST_P(NoBrokenLists, KinematicBodiesDoNotFallAsleep) {
  World world(GetParam());
  cpSpaceSetSleepTimeThreshold(world.get(), 0);
  cpBody* const kinematic = cpSpaceAddBody(world.get(), cpBodyNewKinematic());
  world.circle(kinematic, 5);
  cpBody* const alone = world.body({100, 0});
  cpBody* const moving = world.body({200, 0});
  cpBodySetVelocity(moving, {10, 0});
  std::vector<cpBody*> touching;
  for (const cpVect position : {cpv(0, 9.9), cpv(0, 19.8), cpv(9.9, 0)}) {
    touching.push_back(world.body(position));
    world.circle(touching.back(), 5);
  }
  world.steps(200);
  EXPECT_FALSE(cpBodyIsSleeping(kinematic));
  EXPECT_TRUE(cpBodyIsSleeping(alone));
  EXPECT_FALSE(cpBodyIsSleeping(moving));
  for (const cpBody* body : touching) EXPECT_FALSE(cpBodyIsSleeping(body));
}

TEST_P(NoBrokenLists, ContactsWorkWithoutPersistence) {
  World world(GetParam());
  cpSpaceSetGravity(world.get(), {0, -100});
  cpSpaceSetCollisionPersistence(world.get(), 0);
  cpShape* const ground = world.segment(world.ground(), {-100, 0}, {100, 0});
  cpBody* const ball = world.body({0, 5});
  cpShape* const circle = world.circle(ball, 5);
  world.steps(120);
  EXPECT_NEAR(cpBodyGetPosition(ball).y, 4.9, 0.2);
  cpSpaceRemoveShape(world.get(), ground);
  cpShapeFree(ground);
  world.steps(60);
  EXPECT_LT(cpBodyGetPosition(ball).y, -20);
  cpSpaceRemoveShape(world.get(), circle);
  world.expect_to_be_read();
}

TEST_P(NoBrokenLists, ARemovedBodyWhoseShapesStayIsTouched) {
  World world(GetParam());
  cpSpaceSetGravity(world.get(), {0, -100});
  cpSpaceSetSleepTimeThreshold(world.get(), 0.5);
  world.segment(world.ground(), {-100, 0}, {100, 0});
  cpBody* const removed = world.body({0, 5}, 1, 100);
  world.circle(removed, 5);
  cpBody* const ball = world.body({0, 15}, 1, 100);
  world.circle(ball, 5);
  world.steps(120);
  cpSpaceRemoveBody(world.get(), removed);
  world.steps(120);
  EXPECT_FALSE(cpBodyIsSleeping(ball)) << "it touches a body that cannot rest";
  EXPECT_EQ(removed->sleeping.root, nullptr);
  EXPECT_EQ(removed->sleeping.next, nullptr);
  world.expect_to_be_read();
}

TEST_P(NoBrokenLists, BodiesSleepWithoutPersistence) {
  World world(GetParam());
  cpSpaceSetGravity(world.get(), {0, -100});
  cpSpaceSetCollisionPersistence(world.get(), 0);
  cpSpaceSetSleepTimeThreshold(world.get(), 0.2);
  cpSpaceSetIdleSpeedThreshold(world.get(), 30);
  world.segment(world.ground(), {-100, 0}, {100, 0});
  for (int i = 0; i < 4; ++i) world.circle(world.body({i * 12.0, 5}), 5);
  world.steps(60);
  cpBody* const ball = world.body({6, 40});
  world.circle(ball, 5);
  for (int i = 0; i < 12; ++i) {
    world.expect_to_be_read();
    world.steps(10);
  }
  EXPECT_GT(cpBodyGetPosition(ball).y, 0);
}

TEST(Defects, MoreIterationsThanReadersAcceptAreNotWritten) {
  World world(Defects::none);
  cpSpaceSetIterations(world.get(), 10'000);
  world.expect_to_be_read();
  cpSpaceSetIterations(world.get(), 10'001);
  EXPECT_THROW(static_cast<void>(world.space().to_bytes()), Error);
}

TEST_P(NoBrokenLists, SpatialHashesHaveCellsForAllNumbers) {
  World world(GetParam());
  cpSpaceUseSpatialHash(world.get(), 10, 100);
  cpBody* const far = world.body({1e30, 0});
  world.circle(far, 5);
  cpBody* const near = world.body({0, 0});
  cpShape* const shape = world.circle(near, 5);
  world.steps(3);
  EXPECT_EQ(cpSpacePointQueryNearest(world.get(), {1, 1}, 1, CP_SHAPE_FILTER_ALL, nullptr), shape);
  cpBodySetPosition(far, {NAN, 0});
  world.steps(3);
  EXPECT_EQ(cpSpacePointQueryNearest(world.get(), {1, 1}, 1, CP_SHAPE_FILTER_ALL, nullptr), shape);
}

// Stock Chipmunk's loop over the cells does not end at INT_MAX.
TEST(Defects, SpatialHashesOfStockHoldShapesBeyondInt) {
  World world(Defects::stock);
  cpSpaceUseSpatialHash(world.get(), 10, 100);
  for (const double x : {1e30, -1e30, 21474836473.0, -21474836485.0}) world.circle(world.body({x, 0}), 1);
  cpShape* const shape = world.circle(world.body({0, 0}), 5);
  world.steps(3);
  EXPECT_EQ(cpSpacePointQueryNearest(world.get(), {1, 1}, 1, CP_SHAPE_FILTER_ALL, nullptr), shape);
}

// A reader would refuse the shape.
TEST(Defects, HugeShapesInSpatialHashesOfStockCannotBeWritten) {
  World world(Defects::stock);
  cpSpaceUseSpatialHash(world.get(), 1, 50);
  world.segment(world.ground(), {-100, 0}, {100, 0});
  EXPECT_EQ(Space::from_bytes(world.space().to_bytes()).hash(), world.space().hash());
  world.segment(world.ground(), {-1000, 0}, {1000, 0});
  EXPECT_THROW(static_cast<void>(world.space().to_bytes()), Error);
}

// The shape covers 4e14 cells.
TEST_P(NoBrokenLists, SpatialHashesHoldHugeShapes) {
  World world(GetParam());
  cpSpaceUseSpatialHash(world.get(), 1, 50);
  cpShape* const ground = world.box(world.ground(), cpBBNew(-1e7, -1e7, 1e7, 0));
  std::vector<cpBody*> balls;
  for (int i = 0; i < 9; ++i) {
    balls.push_back(world.body({1e6 * i - 4e6, 0.75}));
    world.circle(balls.back(), 1);
  }
  cpBody* const planet = world.body({0, 3e9});
  world.circle(planet, 1e9);
  world.steps(1);
  for (cpBody* const ball : balls) {
    int contacts = 0;
    cpBodyEachArbiter(
        ball, [](cpBody*, cpArbiter*, void* data) { ++*static_cast<int*>(data); }, &contacts);
    EXPECT_EQ(contacts, 1);
  }
  EXPECT_EQ(cpSpacePointQueryNearest(world.get(), {123456, -77}, 0, CP_SHAPE_FILTER_ALL, nullptr), ground);
  int found = 0;
  cpSpaceBBQuery(
      world.get(), cpBBNew(-1e8, -1e8, 1e8, 1e8), CP_SHAPE_FILTER_ALL,
      [](cpShape*, void* data) { ++*static_cast<int*>(data); }, &found);
  EXPECT_EQ(found, 10);
  if (GetParam() == Defects::none) {
    EXPECT_EQ(cpSpaceSegmentQueryFirst(world.get(), {3e6, 1e8}, {3e6, -1e8}, 0, CP_SHAPE_FILTER_ALL, nullptr)->body,
              balls[7]);
  }
  Space twin = world.space().fork();
  world.steps(5);
  for (int i = 0; i < 5; ++i) twin.step(kStep);
  EXPECT_EQ(twin.hash(), world.space().hash());
  world.expect_to_be_read();
}

// Chipmunk visits cells one by one, and converts their numbers to int.
TEST(Defects, QueriesOfTooManyCellsFindAllShapes) {
  for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
    World world(defects);
    cpSpaceUseSpatialHash(world.get(), 1, 1000);
    cpShape* const first = world.circle(world.body({0, 0}), 1);
    const std::set<const cpShape*> near{first, world.circle(world.body({5, 5}), 1),
                                        world.circle(world.ground(), 1, {900, 900})};
    std::set<const cpShape*> all = near, found;
    for (const double x : {4e9, 1e12}) all.insert(world.circle(world.body({x, 0}), 1));
    const auto keep = [](cpShape* shape, void* data) { static_cast<std::set<const cpShape*>*>(data)->insert(shape); };
    const auto found_in = [&](cpBB box) {
      found.clear();
      cpSpaceBBQuery(world.get(), box, CP_SHAPE_FILTER_ALL, keep, &found);
      return found;
    };
    const auto found_near = [&](cpVect point, double distance) {
      found.clear();
      cpSpacePointQuery(
          world.get(), point, distance, CP_SHAPE_FILTER_ALL,
          [](cpShape* shape, cpVect, cpFloat, cpVect, void* data) {
            static_cast<std::set<const cpShape*>*>(data)->insert(shape);
          },
          &found);
      return found;
    };
    const auto found_along = [&](cpVect start, cpVect end) {
      found.clear();
      cpSpaceSegmentQuery(
          world.get(), start, end, 0, CP_SHAPE_FILTER_ALL,
          [](cpShape* shape, cpVect, cpVect, cpFloat, void* data) {
            static_cast<std::set<const cpShape*>*>(data)->insert(shape);
          },
          &found);
      return found;
    };
    for (const double size : {2e3, 1e6, 1e9}) {
      EXPECT_EQ(found_in({-size, -size, size, size}), near) << size;
      EXPECT_EQ(found_near({0, 0}, size), near) << size;
    }
    for (const double size : {1e13, double{INFINITY}}) {
      EXPECT_EQ(found_in({-size, -size, size, size}), all) << size;
      EXPECT_EQ(found_near({0, 0}, size), all) << size;
    }
    EXPECT_EQ(found_in({-INFINITY, 2, INFINITY, 2}), std::set<const cpShape*>{}) << "the upper ones begin at 4";
    EXPECT_EQ(cpSpacePointQueryNearest(world.get(), {-1e12, 0}, INFINITY, CP_SHAPE_FILTER_ALL, nullptr), first);
    EXPECT_EQ(found_along({-1e6, -1e6}, {1e6, 1e6}), near);
    EXPECT_TRUE(found_along({-1e12, 0}, {1e12, 0}).contains(first));
    EXPECT_EQ(cpSpaceSegmentQueryFirst(world.get(), {-1e7, 0}, {1e7, 0}, 0, CP_SHAPE_FILTER_ALL, nullptr), first);
    for (const double x : {4e9, 1e12}) {
      EXPECT_EQ(found_in({x - 1, -1, x + 1, 1}).size(), 1) << x;
      EXPECT_EQ(found_along({x - 9, -9}, {x + 9, 9}).size(), 1) << x;
    }
    cpShape* const huge = cpCircleShapeNew(world.body({0, 0}), 1e6, cpvzero);
    found.clear();
    cpSpaceShapeQuery(
        world.get(), huge,
        [](cpShape* shape, cpContactPointSet*, void* data) {
          static_cast<std::set<const cpShape*>*>(data)->insert(shape);
        },
        &found);
    EXPECT_EQ(found, near);
    struct Nested {
      cpSpace* space;
      std::set<const cpShape*> found;
    } nested{world.get(), {}};
    cpSpaceBBQuery(
        world.get(), {-1e6, -1e6, 1e6, 1e6}, CP_SHAPE_FILTER_ALL,
        [](cpShape* shape, void* data) {
          auto& outer = *static_cast<Nested*>(data);
          outer.found.insert(shape);
          cpSpacePointQueryNearest(outer.space, {0, 0}, 1e7, CP_SHAPE_FILTER_ALL, nullptr);
        },
        &nested);
    EXPECT_EQ(nested.found, near);
    world.expect_to_be_read();
  }
}

std::string name_of_set(const testing::TestParamInfo<Defects>& of) {
  return of.param == Defects::none ? "none" : of.param == Defects::pymunk ? "pymunk" : "stock";
}
INSTANTIATE_TEST_SUITE_P(, WholeLists, testing::Values(Defects::none, Defects::pymunk, Defects::stock), name_of_set);
INSTANTIATE_TEST_SUITE_P(, NoBrokenLists, testing::Values(Defects::none, Defects::pymunk), name_of_set);

// Row 8: Stock Chipmunk's tree degenerates to a list, whose walk overflows the stack for the circles.
TEST(Defects, ManyShapesInOnePlaceHaveATree) {
#ifdef FORKMUNK_SANITIZED
  constexpr int kCount = 6'000;
#else
  constexpr int kCount = 60'000;
#endif
  World world(Defects::none);
  for (int i = 0; i < kCount; ++i) world.circle(world.ground(), 5);
  cpBody* const ball = world.body({0, 9});
  world.steps(1);
  int found = 0;
  cpSpacePointQuery(
      world.get(), cpvzero, 0, CP_SHAPE_FILTER_ALL,
      [](cpShape*, cpVect, cpFloat, cpVect, void* data) { ++*static_cast<int*>(data); }, &found);
  EXPECT_EQ(found, kCount);
  found = 0;
  cpSpaceSegmentQuery(
      world.get(), {-10, 0}, {10, 0}, 0, CP_SHAPE_FILTER_ALL,
      [](cpShape*, cpVect, cpVect, cpFloat, void* data) { ++*static_cast<int*>(data); }, &found);
  EXPECT_EQ(found, kCount);
  const Space twin = world.space().fork();
  EXPECT_EQ(twin.hash(), world.space().hash());
  std::stringstream file;
  world.space().save().write(file);
  Space reader;
  ASSERT_TRUE(reader.restore(Snapshot::read(file)));
  EXPECT_EQ(reader.hash(), twin.hash());
  static_cast<void>(ball);
}

TEST(Defects, LevelsFromLeftToRightHaveATree) {
  World world(Defects::none);
  cpSpaceSetGravity(world.get(), {0, -100});
  for (int i = 0; i < 10'000; ++i) world.segment(world.ground(), {10.0 * i, 0}, {10.0 * i + 10, 0});
  cpBody* const ball = world.body({50'000, 6});
  world.circle(ball, 5);
  world.steps(120);
  EXPECT_NEAR(cpBodyGetPosition(ball).y, 5, 0.2);
  EXPECT_EQ(query_segment(world, {70'003, 5}, {70'003, -5}, 0).size(), 1u);
}

TEST(Defects, ShapesThatMoveToOnePlaceHaveATree) {
  World world(Defects::none);
  std::vector<cpBody*> bodies;
  for (int i = 0; i < 1200; ++i) {
    bodies.push_back(world.body({100.0 * i, 0}));
    cpShapeSetFilter(world.circle(bodies.back(), 5), cpShapeFilterNew(1, CP_ALL_CATEGORIES, CP_ALL_CATEGORIES));
  }
  for (int step = 0; step < 3; ++step) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      cpBodySetPosition(bodies[i], step == 1 ? cpv(0, 0) : cpv(-50.0 * static_cast<double>(i), 7));
    }
    world.steps(1);
  }
  std::stringstream file;
  world.space().save().write(file);  // checks the tree
}

// Callbacks may query the hash.
TEST(Defects, QueriesInCallbacksDoNotRepeatPairs) {
  struct Counts {
    cpShape* ball;
    int begun = 0, found = 0, nearest = 0;
  };
  const auto count = [](Defects defects) {
    World world(defects);
    cpSpaceUseSpatialHash(world.get(), 3, 100);
    world.circle(world.ground(), 5);
    world.circle(world.ground(), 5, {0, 12});
    cpBody* const body = world.body({4, 6});
    Counts counts{world.circle(body, 5)};
    cpCollisionHandler* const handler = cpSpaceAddDefaultCollisionHandler(world.get());
    handler->userData = &counts;
    handler->preSolveFunc = [](cpArbiter*, cpSpace* space, cpDataPointer data) -> cpBool {
      auto& all = *static_cast<Counts*>(data);
      ++all.begun;
      for (const cpVect center : {cpv(0, 0), cpv(0, 12), cpv(4, 6)}) {
        if (cpSpacePointQueryNearest(space, center, 0, CP_SHAPE_FILTER_ALL, nullptr) != nullptr) ++all.nearest;
      }
      cpSpaceBBQuery(
          space, cpBBNew(-20, -20, 20, 20), CP_SHAPE_FILTER_ALL,
          [](cpShape*, void* of) { ++static_cast<Counts*>(of)->found; }, &all);
      return cpTrue;
    };
    world.steps(1);
    return counts;
  };
  const Counts right = count(Defects::none), stock = count(Defects::stock);
  EXPECT_EQ(right.begun, 2);
  EXPECT_EQ(right.found, 6);
  EXPECT_EQ(right.nearest, 6);
  EXPECT_GT(stock.begun, 2);
}

// Stock's mode lists the pair twice; Chipmunk makes rings of the bodies' lists.
TEST(Defects, RepeatedPairsLeaveListsWithAnEnd) {
  for (const bool is_in_begin : {false, true}) {
    for (const double threshold : {static_cast<double>(INFINITY), 0.3}) {
      World world(Defects::stock);
      cpSpaceUseSpatialHash(world.get(), 3, 100);
      cpSpaceSetGravity(world.get(), {0, -10});
      cpSpaceSetSleepTimeThreshold(world.get(), threshold);
      for (int i = 0; i < 4; ++i) world.circle(world.ground(), 5, {9.0 * i, 0});
      std::vector<cpBody*> bodies;
      for (int i = 0; i < 12; ++i) world.circle(bodies.emplace_back(world.body({4.0 * (i % 6) + 2, 7.0 + i / 6})), 3);
      const cpCollisionPreSolveFunc query = [](cpArbiter*, cpSpace* space, cpDataPointer) -> cpBool {
        cpSpaceBBQuery(
            space, cpBBNew(-50, -50, 50, 50), CP_SHAPE_FILTER_ALL, [](cpShape*, void*) {}, nullptr);
        return cpTrue;
      };
      cpCollisionHandler* const handler = cpSpaceAddDefaultCollisionHandler(world.get());
      (is_in_begin ? handler->beginFunc : handler->preSolveFunc) = query;
      name_code("query", query);
      bool has_repeated = false;
      for (int step = 0; step < 40; ++step) {
        world.steps(1);
        const cpArray* const arbiters = world.get()->arbiters;
        std::set<const void*> once(arbiters->arr, arbiters->arr + arbiters->num);
        has_repeated = has_repeated || static_cast<int>(once.size()) < arbiters->num;
        std::size_t ends = 0, moving_ends = 0;
        const auto count = [](cpBody*, cpArbiter*, void* data) { ++*static_cast<std::size_t*>(data); };
        for (cpBody* const body : bodies) cpBodyEachArbiter(body, count, &moving_ends);
        cpBodyEachArbiter(world.ground(), count, &ends);
        EXPECT_EQ(ends + moving_ends, 2 * once.size());
        const Space twin = world.space().fork();
        ASSERT_EQ(twin.hash(), world.space().hash());
        Space reader;
        std::stringstream file;
        world.space().save().write(file);
        ASSERT_TRUE(reader.restore(Snapshot::read(file)));
        EXPECT_EQ(reader.hash(), twin.hash());
      }
      EXPECT_TRUE(has_repeated);
    }
  }
}

TEST(Defects, SleepersWakeWithoutAThreshold) {
  for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
    World world(defects);
    cpSpaceSetSleepTimeThreshold(world.get(), 0.1);
    cpBody* const sleeper = world.body(cpvzero);
    world.circle(sleeper, 1);
    world.steps(20);
    ASSERT_TRUE(cpBodyIsSleeping(sleeper));
    cpSpaceSetSleepTimeThreshold(world.get(), INFINITY);
    world.circle(world.body({1.5, 0}), 1);
    world.steps(20);
    EXPECT_EQ(cpBodyIsSleeping(sleeper) != 0, defects == Defects::stock);
    int contacts = 0;
    cpBodyEachArbiter(
        sleeper, [](cpBody*, cpArbiter*, void* data) { ++*static_cast<int*>(data); }, &contacts);
    EXPECT_LE(contacts, 1);
    EXPECT_NE(world.space().hash(), 0u);
    if (defects == Defects::stock) continue;  // it would never return
    cpSpaceSetSleepTimeThreshold(world.get(), 0.1);
    std::stringstream file;
    world.space().save().write(file);  // checks the lists
    world.steps(30);
    EXPECT_TRUE(cpBodyIsSleeping(sleeper));
  }
}

TEST(Defects, StepsRefuseTimesThatAreNone) {
  for (const Defects defects : {Defects::none, Defects::pymunk, Defects::stock}) {
    World world(defects);
    for (const double dt : {static_cast<double>(NAN), static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
      EXPECT_THROW(world.steps(1, dt), Error);
    }
    if (defects == Defects::pymunk) {
      world.steps(1, -0.01);
    } else {
      EXPECT_THROW(world.steps(1, -0.01), Error);
    }
  }
}

TEST(Defects, ACheckedStepRestoresTheFiniteState) {
  World world(Defects::none);
  cpBody* const calm = world.body({1, 2});
  cpBody* const wild = world.body({30, 0});
  cpBodySetVelocity(wild, {1e308, 0});
  world.space().step_checked(1);
  cpBodySetForce(wild, {1e308, 0});
  const std::uint64_t hash = world.space().hash();
  try {
    world.space().step_checked(1);
    FAIL() << "expected an error";
  } catch (const space::NonFiniteError& error) {
    EXPECT_NE(std::string(error.what()).find("body 1: its "), std::string::npos) << error.what();
    EXPECT_EQ(error.body, wild);
    EXPECT_EQ(error.number, std::string("position"));
  }
  EXPECT_EQ(world.space().hash(), hash);
  EXPECT_EQ(cpBodyGetPosition(calm).y, 2);
  cpBodySetVelocity(wild, cpvzero);
  cpBodySetForce(wild, cpvzero);
  world.space().step_checked(1);
}

TEST(Defects, ACheckedStepNamesNoBodyThatItMade) {
  World world(Defects::none);
  cpBodySetVelocityUpdateFunc(world.body({1, 2}), [](cpBody* body, cpVect, cpFloat, cpFloat) {
    const auto make = [](cpSpace* space, void*, void*) {
      cpBodySetVelocity(cpSpaceAddBody(space, cpBodyNew(1, 1)), {INFINITY, 0});
    };
    cpSpaceAddPostStepCallback(cpBodyGetSpace(body), make, body, nullptr);
  });
  try {
    world.space().step_checked(1);
    FAIL() << "expected an error";
  } catch (const space::NonFiniteError& error) {
    EXPECT_EQ(error.body, nullptr);
    EXPECT_EQ(error.number, std::string("velocity"));
  }
}

TEST(Defects, DoNotMatterWhereTheyAreNotMet) {
  const auto final_bits = [](Defects defects) {
    World world(defects);
    cpSpaceSetGravity(world.get(), {0, -200});
    cpSpaceSetSleepTimeThreshold(world.get(), 0.5);
    world.segment(world.ground(), {-200, 0}, {200, 0}, 1);
    world.segment(world.ground(), {-200, 0}, {-200, 300}, 1);
    world.segment(world.ground(), {200, 0}, {200, 300}, 1);
    std::vector<cpBody*> bodies;
    for (int i = 0; i < 60; ++i) {
      cpBody* const body = world.body({-150.0 + 30 * (i % 10), 20.0 + 25 * (i / 10)}, 1, 60);
      cpBodySetVelocity(body, {17.0 * (i % 7) - 50, 0});
      cpBodySetAngularVelocity(body, 0.5 * (i % 5) - 1);
      cpShape* const shape = i % 3 == 0   ? world.circle(body, 9)
                             : i % 3 == 1 ? world.box(body, cpBBNew(-10, -8, 10, 8))
                                          : world.segment(body, {-6, 1}, {7, 0}, 5);
      cpShapeSetFriction(shape, 0.6);
      cpShapeSetElasticity(shape, 0.3);
      if (i % 9 == 8) world.joint(cpPivotJointNew(bodies.back(), body, cpBodyGetPosition(body)));
      if (i % 11 == 10) world.joint(cpPinJointNew(bodies.back(), body, cpvzero, cpvzero));
      bodies.push_back(body);
    }
    world.steps(400);
    std::vector<double> bits;
    for (const cpBody* const body : bodies) {
      for (const double x : {body->p.x, body->p.y, body->a, body->v.x, body->v.y, body->w}) bits.push_back(x);
    }
    return bits;
  };
  const std::vector<double> right = final_bits(Defects::none);
  EXPECT_EQ(right, final_bits(Defects::pymunk));
  EXPECT_EQ(right, final_bits(Defects::stock));
}

TEST(Defects, AreSavedForkedAndHashed) {
  Space world;
  EXPECT_EQ(world.defects(), Defects::none);
  const std::uint64_t hash = world.hash();
  const Snapshot before = world.save();
  world.set_defects(Defects::stock);
  EXPECT_EQ(world.defects(), Defects::stock);
  EXPECT_NE(world.hash(), hash);
  Space twin = world.fork();
  EXPECT_EQ(twin.defects(), Defects::stock);
  EXPECT_EQ(twin.hash(), world.hash());
  twin.set_defects(Defects::pymunk);
  EXPECT_EQ(twin.defects(), Defects::pymunk);
  const std::optional<std::string> difference = first_difference(world, twin);
  ASSERT_TRUE(difference.has_value());
  EXPECT_NE(difference->find("defects"), std::string::npos) << *difference;
  std::stringstream file;
  world.save().write(file);
  Space reader;
  ASSERT_TRUE(reader.restore(Snapshot::read(file)));
  EXPECT_EQ(reader.defects(), Defects::stock);
  EXPECT_EQ(reader.hash(), world.hash());
  world.compact();
  EXPECT_EQ(world.defects(), Defects::stock);
  {
    const auto scope = world.enter();
    EXPECT_NE(cpSpaceNew(), nullptr);
  }
  world.set_defects(Defects::none);
  EXPECT_EQ(world.defects(), Defects::none);
  ASSERT_TRUE(world.restore(before));
  EXPECT_EQ(world.hash(), hash);
}

}  // namespace
}  // namespace forkmunk::space
