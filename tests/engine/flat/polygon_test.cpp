// SPDX-License-Identifier: MIT
#include "engine/flat/chipmunk_kernels.h"
#include "flat/model.h"

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

std::vector<Vec> random_points(Random& random) {
  std::vector<Vec> points;
  const std::size_t count = 3 + random.below(kPolygonVertexCountMax - 2);
  const bool on_a_grid = random.below(2) == 0;  // collinear and duplicate points
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back(on_a_grid ? Vec{static_cast<double>(random.below(5)), static_cast<double>(random.below(5))}
                               : random_vec(random, 100));
  }
  return points;
}

TEST(Polygon, HullsHaveChipmunksVerticesInItsOrder) {
  Random random(1);
  for (int round = 0; round < 5000; ++round) {
    const std::vector<Vec> points = round % 2 == 0 ? random_points(random) : random_polygon(random);
    std::vector<cpVect> expected(points.size() + 1);  // cpConvexHull reads past its result
    const int count =
        stock.cpConvexHull(static_cast<int>(points.size()), cp(points).data(), expected.data(), nullptr, 0);
    const std::vector<Vec> hull = convex_hull(points);
    ASSERT_EQ(hull.size(), static_cast<std::size_t>(count)) << "round " << round;
    for (std::size_t i = 0; i < hull.size(); ++i) ASSERT_TRUE(same(hull[i], expected[i])) << "round " << round;
  }
}

TEST(Polygon, CentroidsAndMomentsAreChipmunks) {
  Random random(2);
  for (int round = 0; round < 5000; ++round) {
    std::vector<Vec> polygon = random_polygon(random);
    const Vec shift = random_vec(random, 50);
    for (Vec& v : polygon) v = v + shift;
    const int count = static_cast<int>(polygon.size());
    const double mass = random.between(0.1, 1000);
    ASSERT_TRUE(same(centroid(polygon), stock.cpCentroidForPoly(count, cp(polygon).data())));
    ASSERT_TRUE(same(moment(mass, polygon), stock.cpMomentForPoly(mass, count, cp(polygon).data(), cpvzero, 0)));
  }
}

// For side 2 about (3, 0): I = m (2^2 + 2^2) / 12 + m 3^2.
TEST(Polygon, ASquaresCentroidAndMomentAreTheTextbooks) {
  const std::vector<Vec> square{{4, -1}, {4, 1}, {2, 1}, {2, -1}};
  EXPECT_DOUBLE_EQ(centroid(square).x, 3);
  EXPECT_DOUBLE_EQ(centroid(square).y, 0);
  EXPECT_DOUBLE_EQ(moment(6, square), 6 * (8.0 / 12 + 9));
}

TEST(Polygon, SidesNormalsAreChipmunksAndTheRestIsTheFirstVertex) {
  Random random(3);
  const Owned<cpBody> body(stock.cpBodyNew(1, 1));
  for (int round = 0; round < 1000; ++round) {
    const std::vector<Vec> vertices = random_polygon(random);
    const std::size_t count = vertices.size();
    const Owned<cpShape> shape(stock.cpPolyShapeNewRaw(body.get(), static_cast<int>(count), cp(vertices).data(), 0));
    const cpSplittingPlane* planes = reinterpret_cast<const cpPolyShape*>(shape.get())->planes + count;
    const Polygon polygon = make_polygon(vertices);
    ASSERT_EQ(polygon.count, count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(same({polygon.x[i], polygon.y[i]}, planes[i].v0));
      ASSERT_TRUE(same(polygon.normals[i], planes[i].n));
    }
    for (std::size_t i = count; i % kPolygonPadding != 0; ++i) {
      ASSERT_TRUE(same({polygon.x[i], polygon.y[i]}, planes[0].v0));
    }
  }
}

}  // namespace
}  // namespace forkmunk::engine::flat
