// SPDX-License-Identifier: MIT
#include "flat/narrow_phase.h"

#include "engine/flat/chipmunk_kernels.h"
#include "flat/model.h"
#include "support/scenes.h"

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

struct Twin {
  Owned<cpBody> body{stock.cpBodyNew(1, 1)};
  Owned<cpShape> shape;
  std::uint32_t id = 0;
  Polygon model;
  WorldPolygon polygon;
  Circle circle{};
  StaticSegment segment;
  Box box{};

  void move(Vec rotation, Vec origin) {
    stock.cpShapeUpdate(shape.get(), transform_of(rotation, origin));
    if (model.count != 0) {
      box = to_world(model, rotation, origin, polygon);
    } else {
      circle.centre = origin;
      box = box_around(origin, circle.radius);
    }
  }
  [[nodiscard]] PolygonShape polygon_shape() const { return {polygon, box, id}; }
  void set(cpShape* made, Random& random) {
    shape.reset(made);
    id = static_cast<std::uint32_t>(random.next());
    made->hashid = id;
  }
};

std::unique_ptr<Twin> polygon_twin(const std::vector<Vec>& vertices, Random& random) {
  auto twin = std::make_unique<Twin>();
  twin->model = make_polygon(vertices);
  twin->set(stock.cpPolyShapeNewRaw(twin->body.get(), static_cast<int>(vertices.size()), cp(vertices).data(), 0),
            random);
  return twin;
}
std::unique_ptr<Twin> circle_twin(Random& random) {
  auto twin = std::make_unique<Twin>();
  twin->circle.radius = random.between(1, 40);
  twin->set(stock.cpCircleShapeNew(twin->body.get(), twin->circle.radius, cpvzero), random);
  return twin;
}
std::unique_ptr<Twin> segment_twin(const Segment& segment, Random& random) {
  auto twin = std::make_unique<Twin>();
  MatchSetup setup = tests::scene_of("PillMap", "Buggy").setup;
  setup.map.segments = {segment};
  twin->segment = MatchModel(setup).segments.back();
  twin->set(
      stock.cpSegmentShapeNew(twin->body.get(), cp(flat::vec(segment.a)), cp(flat::vec(segment.b)), segment.radius),
      random);
  stock.cpShapeUpdate(twin->shape.get(), cpTransformIdentity);
  return twin;
}

/// Tests start at the last result.
template <typename Collide>
class Pairwise {
 public:
  Pairwise(const Twin& a, const Twin& b, Collide collide) : a_(a), b_(b), collide_(collide) {}

  void expect_equal() {
    std::array<cpContact, CP_MAX_CONTACTS_PER_ARBITER> contacts{};
    const cpCollisionInfo expected = stock.cpCollide(a_.shape.get(), b_.shape.get(), id_, contacts.data());
    Manifold manifold;
    const bool touching = collide_(id_, manifold);
    ASSERT_EQ(touching, expected.count > 0);
    ASSERT_EQ(id_, expected.id);
    if (!touching) return;
    ++touching_count;
    ASSERT_EQ(manifold.count, expected.count);
    ASSERT_TRUE(is_same(manifold.normal, expected.n));
    for (std::size_t i = 0; i < static_cast<std::size_t>(manifold.count); ++i) {
      ASSERT_TRUE(is_same(manifold.points[i].a, contacts[i].r1));
      ASSERT_TRUE(is_same(manifold.points[i].b, contacts[i].r2));
      ASSERT_EQ(manifold.points[i].hash, contacts[i].hash);
    }
  }
  int touching_count = 0;

 private:
  const Twin &a_, &b_;
  Collide collide_;
  std::uint32_t id_ = 0;
};

struct Pose {
  Vec rotation, origin;
};
// Shapes are near each other, and some are parallel or at one position.
Pose random_pose(Random& random) {
  if (random.below(8) == 0) return {{1, 0}, {0, 0}};
  const Vec rotation = random.below(2) == 0 ? Vec{1, 0} : random_rotation(random);
  const Vec origin = random_vec(random, std::array{20.0, 90.0}[random.below(2)]);
  if (random.below(3) == 0) return {rotation, {std::round(origin.x), std::round(origin.y)}};
  return {rotation, origin};
}

// `b` moves a little while `a` stays.
template <typename Collide>
int expect_equal_while_moving(Random& random, Twin& a, Twin& b, bool a_moves, Collide collide) {
  Pairwise pair(a, b, collide);
  if (a_moves) {
    const Pose pose = random_pose(random);
    a.move(pose.rotation, pose.origin);
  }
  for (int sequence = 0; sequence < 3; ++sequence) {
    Pose pose = random_pose(random);
    for (int i = 0; i < 8; ++i) {
      b.move(pose.rotation, pose.origin);
      pair.expect_equal();
      if (testing::Test::HasFatalFailure()) return 0;
      pose.origin = pose.origin + random_vec(random, 3);
    }
  }
  return pair.touching_count;
}

std::vector<Vec> rounded(std::vector<Vec> polygon) {
  if (polygon.size() == 4) {
    for (Vec& v : polygon) v = {std::round(v.x), std::round(v.y)};
  }
  return polygon;
}

TEST(NarrowPhase, TwoPolygonsMeetAsInChipmunk) {
  Random random(9);
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const auto a = polygon_twin(rounded(random_polygon(random)), random);
    const auto b = polygon_twin(rounded(random_polygon(random)), random);
    touching += expect_equal_while_moving(random, *a, *b, true, [&](std::uint32_t& id, Manifold& manifold) {
      return collide(a->polygon_shape(), b->polygon_shape(), id, manifold);
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(touching, 10000);
}

Segment random_segment(Random& random) {
  const Vec a = random_vec(random, 60), b = random_vec(random, 60);
  const double radius = random.below(2) == 0 ? 0 : random.between(0, 20);
  if (random.below(3) == 0)
    return {{std::round(a.x), std::round(a.y)}, {std::round(a.x) + 40, std::round(a.y)}, radius};
  return {vec2(a), vec2(b), radius};
}

TEST(NarrowPhase, ASegmentAndAPolygonMeetAsInChipmunk) {
  Random random(10);
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const auto a = segment_twin(random_segment(random), random);
    const auto b = polygon_twin(rounded(random_polygon(random)), random);
    touching += expect_equal_while_moving(random, *a, *b, false, [&](std::uint32_t& id, Manifold& manifold) {
      return collide(SegmentShape{a->segment, a->id}, b->polygon_shape(), id, manifold);
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(touching, 10000);
}

TEST(NarrowPhase, ACircleAndAPolygonMeetAsInChipmunk) {
  Random random(11);
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const auto a = circle_twin(random);
    const auto b = polygon_twin(rounded(random_polygon(random)), random);
    touching += expect_equal_while_moving(random, *a, *b, true, [&](std::uint32_t& id, Manifold& manifold) {
      return collide(a->circle, a->box, b->polygon_shape(), id, manifold);
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(touching, 10000);
}

TEST(NarrowPhase, CirclesAndSegmentsMeetAsInChipmunk) {
  Random random(12);
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const auto a = circle_twin(random), b = circle_twin(random);
    touching += expect_equal_while_moving(random, *a, *b, true, [&](std::uint32_t&, Manifold& manifold) {
      return collide(a->circle, b->circle, manifold);
    });
    if (HasFatalFailure()) return;
    const auto segment = segment_twin(random_segment(random), random);
    touching += expect_equal_while_moving(random, *segment, *b, false, [&](std::uint32_t&, Manifold& manifold) {
      return collide(b->circle, segment->segment, manifold);
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(touching, 10000);
}

TEST(NarrowPhase, PointsAreAsFarFromShapesAsInChipmunk) {
  Random random(13);
  for (int round = 0; round < 3000; ++round) {
    const auto polygon = polygon_twin(random_polygon(random), random);
    const auto circle = circle_twin(random);
    const Pose pose = random_pose(random);
    polygon->move(pose.rotation, pose.origin);
    circle->move(pose.rotation, pose.origin);
    const auto segment = segment_twin(random_segment(random), random);
    for (int i = 0; i < 5; ++i) {
      const Vec point = random_vec(random, 120);
      cpPointQueryInfo info;
      ASSERT_TRUE(
          same(distance_to(polygon->polygon, point), stock.cpShapePointQuery(polygon->shape.get(), cp(point), &info)));
      ASSERT_TRUE(
          same(distance_to(circle->circle, point), stock.cpShapePointQuery(circle->shape.get(), cp(point), &info)));
      ASSERT_TRUE(
          same(distance_to(segment->segment, point), stock.cpShapePointQuery(segment->shape.get(), cp(point), &info)));
    }
  }
}

}  // namespace
}  // namespace forkmunk::engine::flat
