// SPDX-License-Identifier: MIT
#include "engine/flat/chipmunk_kernels.h"
#include "flat/model.h"
#include "flat/narrow_phase.h"
#include "flat/step.h"
#include "support/scenes.h"

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

std::vector<Vec> vertices_of(const Polygon& polygon) {
  std::vector<Vec> result;
  for (std::size_t i = 0; i < polygon.count; ++i) result.push_back({polygon.x[i], polygon.y[i]});
  return result;
}

void expect_world_polygon(const Polygon& polygon, const WorldPolygon& polygon_in_world, const Box& box,
                          const cpTransform& transform) {
  const Owned<cpBody> body(stock.cpBodyNew(1, 1));
  const Owned<cpShape> shape(
      stock.cpPolyShapeNewRaw(body.get(), static_cast<int>(polygon.count), cp(vertices_of(polygon)).data(), 0));
  ASSERT_TRUE(same(box, stock.cpShapeUpdate(shape.get(), transform)));
  const cpSplittingPlane* planes = reinterpret_cast<const cpPolyShape*>(shape.get())->planes;
  ASSERT_EQ(polygon_in_world.count, polygon.count);
  for (std::size_t i = 0; i < polygon.count; ++i) {
    ASSERT_TRUE(same(polygon_in_world.vertex(i), planes[i].v0));
    ASSERT_TRUE(same(polygon_in_world.normal(i), planes[i].n));
  }
}

TEST(WorldShapes, PolygonsEqualChipmunks) {
  Random random(4);
  for (int round = 0; round < 3000; ++round) {
    const Polygon polygon = make_polygon(random_polygon(random));
    const Vec rotation = random_rotation(random), origin = random_vec(random, 1000);
    WorldPolygon polygon_in_world;
    const Box box = to_world(polygon, rotation, origin, polygon_in_world);
    ASSERT_NO_FATAL_FAILURE(expect_world_polygon(polygon, polygon_in_world, box, transform_of(rotation, origin)))
        << round;
  }
}

TEST(WorldShapes, EveryShapeFollowsItsOwnBody) {
  Random random(5);
  for (const tests::Scene& scene : tests::all_scenes()) {
    const MatchModel model(scene.setup);
    LiveState state;
    state.deadline_y = random.between(0, 500);
    for (Body& body : state.bodies) {
      body.rotation = random_rotation(random);
      body.origin = random_vec(random, 1000);
    }
    const WorldShapes shapes(model, state);
    ASSERT_NO_FATAL_FAILURE(expect_world_polygon(model.polygons[kDeadlineShape], shapes.polygons[kDeadlineShape],
                                                 shapes.boxes[kDeadlineShape],
                                                 transform_of({1, 0}, {0, state.deadline_y})));
    for (std::size_t player = 0; player < 2; ++player) {
      // Shapes of the car's first body, then the wheels.
      const std::array<std::pair<Part, std::size_t>, 4> parts{
          std::pair{Part::button, 0u}, {Part::body, 0u}, {Part::rear, 1u}, {Part::front, 2u}};
      for (const auto& [part, role] : parts) {
        const std::size_t shape = shape_of(player, part);
        const Body& body = state.bodies[3 * player + role];
        if (!model.is_circle[shape]) {
          ASSERT_NO_FATAL_FAILURE(expect_world_polygon(model.polygons[shape], shapes.polygons[shape],
                                                       shapes.boxes[shape], transform_of(body.rotation, body.origin)));
          continue;
        }
        const auto& wheel = role == 1 ? scene.setup.car.rear_wheel : scene.setup.car.front_wheel;
        const Owned<cpBody> stock_body(stock.cpBodyNew(1, 1));
        const Owned<cpShape> circle(stock.cpCircleShapeNew(stock_body.get(), wheel.radius, cpvzero));
        const cpBB box = stock.cpShapeUpdate(circle.get(), transform_of(body.rotation, body.origin));
        ASSERT_TRUE(same(shapes.boxes[shape], box));
        ASSERT_TRUE(same(shapes.circles[shape].centre, cp(body.origin)));
        ASSERT_EQ(shapes.circles[shape].radius, wheel.radius);
      }
    }
  }
}

}  // namespace
}  // namespace forkmunk::engine::flat
