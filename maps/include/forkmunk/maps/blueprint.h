// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/vec2.h>

#include <cstdint>
#include <vector>

/// Maps as the rules describe them, before arcs are split into segments.
namespace forkmunk::maps {

/// Half the thickness of every wall, in map units.
inline constexpr double kWallRadius = 10;

struct Line {
  engine::Vec2 from;
  engine::Vec2 to;
};

/// A wall along a circle, clockwise if to_rad is below from_rad.
struct Arc {
  engine::Vec2 centre;
  double radius = 0;
  double from_rad = 0;
  double to_rad = 0;
  int segment_count = 30;  ///< The segments have equal angles.
};

struct Blueprint {
  std::int64_t external_id = 0;
  std::vector<Line> lines;
  std::vector<Arc> arcs;
};

/// The walls of `base` come first.
[[nodiscard]] Blueprint extended(Blueprint base, std::int64_t external_id, const std::vector<Line>& lines,
                                 const std::vector<Arc>& arcs);

/// Appends the arcs' segments to the lines, in the order and with the bits of the referee.
[[nodiscard]] engine::MapSetup expand(const Blueprint& blueprint);

}  // namespace forkmunk::maps
