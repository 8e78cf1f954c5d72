#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/vec2.h>

#include <cstdint>
#include <vector>

/// A map as the rules draw it: with arcs, before these are cut into segments.
namespace forkmunk::maps {

/// Half the thickness of every wall, map units.
inline constexpr double kWallRadius = 10;

/// A straight wall.
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
  int segment_count = 30;  ///< How many segments of equal angle it becomes.
};

struct Blueprint {
  std::int64_t external_id = 0;
  std::vector<Line> lines;
  std::vector<Arc> arcs;
};

/// `base` under another id and with more walls: its lines come before the additional ones, and its arcs likewise.
[[nodiscard]] Blueprint extended(Blueprint base, std::int64_t external_id, const std::vector<Line>& lines,
                                 const std::vector<Arc>& arcs);

/// Cuts the arcs into segments and puts them after the lines: the order, and each double, is the referee's.
[[nodiscard]] engine::MapSetup expand(const Blueprint& blueprint);

}  // namespace forkmunk::maps
