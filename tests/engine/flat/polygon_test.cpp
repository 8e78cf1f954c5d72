// SPDX-License-Identifier: MIT
#include "engine/flat/chipmunk_kernels.h"
#include "flat/model.h"

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

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
