// SPDX-License-Identifier: MIT
#include <forkmunk/maps/blueprint.h>

#include <numbers>

#include <gtest/gtest.h>

namespace forkmunk::maps {
namespace {

TEST(MapsBlueprint, PutsLinesBeforeArcsAndTheBaseBeforeWhatIsAdded) {
  const Blueprint base{
      .external_id = 1, .lines = {{{0, 0}, {1, 0}}}, .arcs = {{.centre = {10, 0}, .radius = 1, .segment_count = 1}}};
  const Blueprint more =
      extended(base, 7, {{{0, 5}, {1, 5}}}, {{.centre = {20, 0}, .radius = 1, .to_rad = 1, .segment_count = 2}});
  const engine::MapSetup map = expand(more);

  EXPECT_EQ(map.external_id, 7);
  ASSERT_EQ(map.segments.size(), 5u);
  EXPECT_EQ(map.segments[0], (engine::Segment{{0, 0}, {1, 0}, kWallRadius}));
  EXPECT_EQ(map.segments[1], (engine::Segment{{0, 5}, {1, 5}, kWallRadius}));
  EXPECT_EQ(map.segments[2].a, (engine::Vec2{11, 0}));
  EXPECT_EQ(map.segments[3].a, (engine::Vec2{21, 0}));
  EXPECT_EQ(map.segments[4].a, map.segments[3].b);
}

TEST(MapsBlueprint, AnArcMayGoClockwise) {
  const engine::MapSetup map = expand(
      {.external_id = 0,
       .lines = {},
       .arcs = {{.centre = {0, 0}, .radius = 2, .from_rad = std::numbers::pi / 2, .to_rad = 0, .segment_count = 3}}});
  ASSERT_EQ(map.segments.size(), 3u);
  EXPECT_NEAR(map.segments[0].a.y, 2, 1e-12);
  EXPECT_NEAR(map.segments[1].a.x, 1, 1e-12);
  EXPECT_NEAR(map.segments[2].b.x, 2, 1e-12);
}

TEST(MapsBlueprint, WithoutWallsIsAnEmptyMap) { EXPECT_TRUE(expand({}).segments.empty()); }

}  // namespace
}  // namespace forkmunk::maps
