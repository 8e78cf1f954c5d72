// SPDX-License-Identifier: MIT
#include "engine/flat/chipmunk_kernels.h"
#include "flat/model.h"
#include "flat/narrow_phase.h"

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

struct WorldShape {
  WorldShape(const std::vector<Vec>& vertices, Vec rotation, Vec origin)
      : model(std::make_unique<Polygon>(make_polygon(vertices))), box(to_world(*model, rotation, origin, polygon)) {}
  [[nodiscard]] Vec vertex(std::size_t i) const { return polygon.vertex(i % polygon.count); }

  std::unique_ptr<Polygon> model;
  WorldPolygon polygon;
  Box box;
};

double distance_to_segment(Vec p, Vec a, Vec b) {
  const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
  return length(p - (a + (b - a) * t));
}

// Returns a lower bound of the distance, or the negated depth of overlapping shapes.
double largest_gap(const WorldShape& a, const WorldShape& b) {
  double result = -std::numeric_limits<double>::infinity();
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    for (std::size_t i = 0; i < one->polygon.count; ++i) {
      double gap = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < other->polygon.count; ++j) {
        gap = std::min(gap, dot(one->polygon.normal(i), other->vertex(j) - one->vertex(i)));
      }
      result = std::max(result, gap);
    }
  }
  return result;
}

double brute_force_distance(const WorldShape& a, const WorldShape& b) {
  if (const double gap = largest_gap(a, b); gap <= 0) return gap;
  double result = std::numeric_limits<double>::infinity();
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    for (std::size_t i = 0; i < one->polygon.count; ++i) {
      for (std::size_t j = 0; j < other->polygon.count; ++j) {
        result = std::min(result, distance_to_segment(one->vertex(i), other->vertex(j), other->vertex(j + 1)));
      }
    }
  }
  return result;
}

WorldShape random_shape(Random& random, double reach) {
  const std::vector<Vec> polygon = random_polygon(random);
  const Vec rotation = random.below(3) == 0 ? Vec{1, 0} : random_rotation(random);  // some sides are parallel
  return {polygon, rotation, random_vec(random, reach)};
}

TEST(Distance, EqualsBruteForceOverSidesAndVertices) {
  Random random(6);
  int apart = 0, overlapping = 0;
  for (int round = 0; round < 20000; ++round) {
    const double reach = std::array{5.0, 60.0, 300.0}[random.below(3)];
    const WorldShape a = random_shape(random, reach), b = random_shape(random, reach);
    const Closest closest = closest_points(a.polygon, b.polygon, 0, a.box, b.box);
    const double expected = brute_force_distance(a, b);
    ASSERT_NEAR(closest.distance, expected, 1e-9 * (1 + reach)) << "round " << round;
    ASSERT_NEAR(length(closest.normal), 1, 1e-12);
    (expected > 0 ? apart : overlapping) += 1;
    const auto [on_a, on_b] = nearest_points(a.polygon, b.polygon, closest);
    ASSERT_NEAR(dot(on_b - on_a, closest.normal), expected, 1e-9 * (1 + reach));
    ASSERT_NEAR(length(on_b - on_a), std::abs(expected), 1e-9 * (1 + reach));
  }
  EXPECT_GT(apart, 5000);
  EXPECT_GT(overlapping, 5000);
}

// The shapes may have moved far since the last search.
TEST(Distance, DoesNotDependOnTheLastSearch) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Vec> first = random_polygon(random), second = random_polygon(random);
    std::uint32_t id = 0;
    for (int pose = 0; pose < 10; ++pose) {
      const WorldShape a(first, random_rotation(random), random_vec(random, 80));
      const WorldShape b(second, random_rotation(random), random_vec(random, 80));
      const Closest closest = closest_points(a.polygon, b.polygon, id, a.box, b.box);
      ASSERT_NEAR(closest.distance, brute_force_distance(a, b), 1e-7) << "round " << round << ", pose " << pose;
      id = closest.id;
    }
  }
}

TEST(Distance, OfPointsAndSegmentsIsTheTextbooks) {
  const PointSupport point{{3, 4}};
  const WorldShape square({{1, -1}, {1, 1}, {-1, 1}, {-1, -1}}, {1, 0}, {0, 0});
  const Box point_box = box_around(point.centre, 0);
  const Closest to_corner = closest_points(point, square.polygon, 0, point_box, square.box);
  EXPECT_DOUBLE_EQ(to_corner.distance, std::sqrt(4.0 + 9.0));
  EXPECT_DOUBLE_EQ(to_corner.normal.x, -2 / std::sqrt(13.0));
  const SegmentSupport segment{{Lanes{-5, 2}, Lanes{5, 2}}};
  const Closest to_side = closest_points(segment, square.polygon, 0, {Lanes{-5, 2}, Lanes{5, 2}}, square.box);
  EXPECT_DOUBLE_EQ(to_side.distance, 1);
  EXPECT_DOUBLE_EQ(to_side.normal.y, -1);
}

// More vertices than kPolygonPadding take another path.
TEST(Distance, TheFarthestVertexIsTheFirstOfThem) {
  Random random(8);
  for (int round = 0; round < 5000; ++round) {
    const WorldShape shape = random_shape(random, 100);
    const Vec n = round % 2 == 0 ? random_vec(random, 1) : std::array{Vec{1, 0}, Vec{0, -1}}[random.below(2)];
    std::size_t expected = 0;
    for (std::size_t i = 1; i < shape.polygon.count; ++i) {
      if (dot(shape.vertex(i), n) > dot(shape.vertex(expected), n)) expected = i;
    }
    ASSERT_EQ(shape.polygon.farthest_index(Lanes{n.x, n.y}), expected) << "round " << round;
  }
}

}  // namespace
}  // namespace forkmunk::engine::flat
