#include "rounded_sine.h"

#include <forkmunk/maps/blueprint.h>

namespace forkmunk::maps {
namespace {

// The order of operations is that of the rules: it decides the rounding.
engine::Vec2 point_on(const Arc& arc, double step_rad, int index) {
  const double angle = arc.from_rad + step_rad * index;
  const auto [sine, cosine] = rounded_sine_and_cosine(angle);
  return {arc.centre.x + arc.radius * cosine, arc.centre.y + arc.radius * sine};
}

}  // namespace

Blueprint extended(Blueprint base, std::int64_t external_id, const std::vector<Line>& lines,
                   const std::vector<Arc>& arcs) {
  base.external_id = external_id;
  base.lines.insert(base.lines.end(), lines.begin(), lines.end());
  base.arcs.insert(base.arcs.end(), arcs.begin(), arcs.end());
  return base;
}

engine::MapSetup expand(const Blueprint& blueprint) {
  engine::MapSetup map{.external_id = blueprint.external_id, .segments = {}};
  for (const Line& line : blueprint.lines) map.segments.push_back({line.from, line.to, kWallRadius});
  for (const Arc& arc : blueprint.arcs) {
    const double step_rad = (arc.to_rad - arc.from_rad) / arc.segment_count;
    for (int i = 0; i < arc.segment_count; ++i) {
      map.segments.push_back({point_on(arc, step_rad, i), point_on(arc, step_rad, i + 1), kWallRadius});
    }
  }
  return map;
}

}  // namespace forkmunk::maps
