#pragma once

#include "flat/lanes.h"

/// Bounding boxes, two coordinates at a time.
namespace forkmunk::engine::flat {

struct Box {
  Lanes low;   ///< Left, bottom.
  Lanes high;  ///< Right, top.
};

}  // namespace forkmunk::engine::flat

FORKMUNK_KERNEL_BEGIN

inline bool intersect(const Box& a, const Box& b) noexcept {
  return all(both_of(at_most(a.low, b.high), at_most(b.low, a.high)));
}
inline bool contains(const Box& outer, const Box& inner) noexcept {
  return all(both_of(at_most(outer.low, inner.low), at_most(inner.high, outer.high)));
}
inline Box merged(const Box& a, const Box& b) noexcept { return {min_of(a.low, b.low), max_of(a.high, b.high)}; }
inline double area(const Box& a) noexcept {
  const Lanes size = a.high - a.low;
  return size[0] * size[1];
}
inline double merged_area(const Box& a, const Box& b) noexcept { return area(merged(a, b)); }
/// Twice the centres' distance, in the sum norm: |l + r - l' - r'| + |b + t - b' - t'|.
inline double proximity(const Box& a, const Box& b) noexcept {
  const Lanes d = a.low + a.high - b.low - b.high;
  return (d[0] < 0 ? -d[0] : d[0]) + (d[1] < 0 ? -d[1] : d[1]);
}
/// Chooses between a node's children `a` and `b` for a new leaf: the smaller sum of areas, on ties the nearer child, on
/// equal distances the first. \return whether that is `a`.
FORKMUNK_INLINE bool goes_to_first(const Box& a, const Box& b, const Box& leaf) noexcept {
  double cost_a = area(b) + merged_area(a, leaf);
  double cost_b = area(a) + merged_area(b, leaf);
  if (cost_a == cost_b) {
    cost_a = proximity(a, leaf);
    cost_b = proximity(b, leaf);
  }
  return !(cost_b < cost_a);
}
inline Box box_around(Vec centre, double radius) noexcept {
  const Lanes c{centre.x, centre.y};
  return {c - radius, c + radius};
}
/// lerp(low, high, 1/2).
inline Lanes centre(const Box& a) noexcept { return a.low * 0.5 + a.high * 0.5; }

FORKMUNK_KERNEL_END
