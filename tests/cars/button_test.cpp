// SPDX-License-Identifier: MIT
#include <forkmunk/cars/button.h>

#include <numbers>

#include <gtest/gtest.h>

namespace forkmunk::cars {
namespace {

TEST(CarsButton, UprightIsAPlainRectangle) {
  const std::vector<engine::Vec2> expected{{3, 4}, {3, 6}, {8, 6}, {8, 4}};
  EXPECT_EQ(polygon_of({.corner = {3, 4}, .angle_rad = 0, .width = 5, .height = 2}), expected);
}

TEST(CarsButton, TurnsCounterClockwiseAroundItsCorner) {
  const auto corners = polygon_of({.corner = {3, 4}, .angle_rad = std::numbers::pi / 2, .width = 5, .height = 2});
  const std::vector<engine::Vec2> expected{{3, 4}, {1, 4}, {1, 9}, {3, 9}};
  ASSERT_EQ(corners.size(), expected.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_NEAR(corners[i].x, expected[i].x, 1e-12) << i;
    EXPECT_NEAR(corners[i].y, expected[i].y, 1e-12) << i;
  }
}

}  // namespace
}  // namespace forkmunk::cars
