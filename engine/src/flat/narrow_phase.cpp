// SPDX-License-Identifier: MIT
#include "flat/narrow_phase.h"

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

Box to_world(const Polygon& polygon, Vec rotation, Vec origin, WorldPolygon& result) noexcept {
  result.count = static_cast<std::uint32_t>(polygon.count);
  result.rotation = rotation;
  result.model = &polygon;
  // min and max may return either of two equal coordinates.
  using L = WideLanes;
  const VecOf<L> turn{all_lanes<L>(rotation.x), all_lanes<L>(rotation.y)};
  const VecOf<L> shift{all_lanes<L>(origin.x), all_lanes<L>(origin.y)};
  const L infinity = all_lanes<L>(std::numeric_limits<double>::infinity());
  VecOf<L> low{infinity, infinity}, high{-infinity, -infinity};
  for (std::size_t begin = 0; begin < polygon.count; begin += kPolygonPadding) {
    for (std::size_t i = begin; i < begin + kPolygonPadding; i += kLanesOf<L>) {
      const VecOf<L> v = rotated(VecOf<L>{load<L>(&polygon.x[i]), load<L>(&polygon.y[i])}, turn) + shift;
      flat::store(&result.x[i], v.x);
      flat::store(&result.y[i], v.y);
      low = {min_of(low.x, v.x), min_of(low.y, v.y)};
      high = {max_of(high.x, v.x), max_of(high.y, v.y)};
    }
  }
  const auto of_all = [](const VecOf<L>& lanes, auto&& one_of) {
    Lanes x, y;
    each_pair(lanes.x, [&](std::size_t i, Lanes pair) { x = i == 0 ? pair : one_of(x, pair); });
    each_pair(lanes.y, [&](std::size_t i, Lanes pair) { y = i == 0 ? pair : one_of(y, pair); });
    return one_of(Lanes{x[0], y[0]}, Lanes{x[1], y[1]});
  };
  return {of_all(low, [](Lanes a, Lanes b) { return min_of(a, b); }),
          of_all(high, [](Lanes a, Lanes b) { return max_of(a, b); })};
}

WorldShapes::WorldShapes(const MatchModel& model, const LiveState& state) noexcept {
  boxes[kDeadlineShape] =
      to_world(model.polygons[kDeadlineShape], {1, 0}, {0, state.deadline_y}, polygons[kDeadlineShape]);
  for (std::size_t shape = 1; shape < kMovingShapeCount; ++shape) {
    const Body& body = state.bodies[body_of(shape)];
    const Polygon& polygon = model.polygons[shape];
    if (polygon.count != 0) {
      boxes[shape] = to_world(polygon, body.rotation, body.origin, polygons[shape]);
      continue;
    }
    circles[shape] = {body.origin, model.wheel_radius[part_of(shape) == Part::rear ? 0 : 1]};
    boxes[shape] = box_around(body.origin, circles[shape].radius);
  }
}

namespace {

constexpr std::uint32_t kHashFactor = 3344921057u;  // Chipmunk's factor for pairs

constexpr std::uint32_t hash_pair(std::uint32_t a, std::uint32_t b) noexcept {
  return a * kHashFactor ^ b * kHashFactor;
}

// A side that faces the other shape.
struct Edge {
  Vec a;
  std::uint32_t a_hash;
  Vec b;
  std::uint32_t b_hash;
  double radius;
};

// Returns the side at the farthest vertex whose normal is nearer to n.
Edge facing_edge(const PolygonShape& shape, Vec n) noexcept {
  const WorldPolygon& polygon = shape.polygon;
  const std::size_t count = polygon.count;
  const std::size_t i1 = polygon.farthest_index(Lanes{n.x, n.y});
  const std::size_t i0 = i1 == 0 ? count - 1 : i1 - 1;
  const std::size_t i2 = i1 + 1 == count ? 0 : i1 + 1;
  const bool before = dot(n, polygon.normal(i1)) > dot(n, polygon.normal(i2));
  const std::size_t a = before ? i0 : i1, b = before ? i1 : i2;
  const auto name_of = [&](std::size_t i) { return hash_pair(shape.shape_id, static_cast<std::uint32_t>(i)); };
  return {polygon.vertex(a), name_of(a), polygon.vertex(b), name_of(b), 0.0};
}

Edge facing_edge(const SegmentShape& shape, Vec n) noexcept {
  const StaticSegment& s = shape.segment;
  const std::uint32_t hash_0 = hash_pair(shape.shape_id, 0), hash_1 = hash_pair(shape.shape_id, 1);
  return dot(s.normal, n) > 0.0 ? Edge{s.a, hash_0, s.b, hash_1, s.radius} : Edge{s.b, hash_1, s.a, hash_0, s.radius};
}

// Clips each edge to the other along the tangent (distances are cross(point, n)). Keeps the pairs of opposite points
// where the surfaces, a radius away from the edges, touch.
void clip(const Edge& e1, const Edge& e2, Vec n, Manifold& manifold) noexcept {
  manifold.normal = n;
  const double d1_a = cross(e1.a, n), d1_b = cross(e1.b, n);
  const double d2_a = cross(e2.a, n), d2_b = cross(e2.b, n);
  const double scale_1 = 1.0 / (d1_b - d1_a + DBL_MIN);
  const double scale_2 = 1.0 / (d2_b - d2_a + DBL_MIN);
  const Vec offset_1 = n * e1.radius, offset_2 = n * -e2.radius;
  {
    const Vec p1 = offset_1 + lerp(e1.a, e1.b, clamp_01((d2_b - d1_a) * scale_1));
    const Vec p2 = offset_2 + lerp(e2.a, e2.b, clamp_01((d1_a - d2_a) * scale_2));
    if (dot(p2 - p1, n) <= 0) manifold.add(p1, p2, hash_pair(e1.a_hash, e2.b_hash));
  }
  {
    const Vec p1 = offset_1 + lerp(e1.a, e1.b, clamp_01((d2_a - d1_a) * scale_1));
    const Vec p2 = offset_2 + lerp(e2.a, e2.b, clamp_01((d1_b - d2_a) * scale_2));
    if (dot(p2 - p1, n) <= 0) manifold.add(p1, p2, hash_pair(e1.b_hash, e2.a_hash));
  }
}

Vec closest_on_segment(Vec p, Vec a, Vec b) noexcept {
  const Vec delta = a - b;
  const double t = clamp_01(dot(delta, p - b) / length_squared(delta));
  return b + delta * t;
}

}  // namespace

bool collide(const Circle& a, const Circle& b, Manifold& manifold) noexcept {
  const double reach = a.radius + b.radius;
  const Vec delta = b.centre - a.centre;
  const double distance_squared = length_squared(delta);
  if (!(distance_squared < reach * reach)) return false;
  const double distance = std::sqrt(distance_squared);
  const Vec n = distance != 0 ? delta * (1.0 / distance) : Vec{1, 0};
  manifold.normal = n;
  manifold.add(a.centre + n * a.radius, b.centre + n * -b.radius, 0);
  return true;
}

bool collide(const Circle& a, const StaticSegment& b, Manifold& manifold) noexcept {
  const Vec along = b.b - b.a;
  const double t = clamp_01(dot(along, a.centre - b.a) / length_squared(along));
  const Vec closest = b.a + along * t;
  const double reach = a.radius + b.radius;
  const Vec delta = closest - a.centre;
  const double distance_squared = length_squared(delta);
  if (!(distance_squared < reach * reach)) return false;
  const double distance = std::sqrt(distance_squared);
  const Vec n = distance != 0 ? delta * (1.0 / distance) : b.normal;
  manifold.normal = n;
  manifold.add(a.centre + n * a.radius, closest + n * -b.radius, 0);
  return true;
}

bool collide(const Circle& a, const Box& a_box, const PolygonShape& b, std::uint32_t& id, Manifold& manifold) noexcept {
  const PointSupport centre{a.centre};
  const Closest closest = closest_points(centre, b.polygon, id, a_box, b.box);
  id = closest.id;
  if (!(closest.distance <= a.radius)) return false;
  const auto [on_a, on_b] = nearest_points(centre, b.polygon, closest);
  manifold.normal = closest.normal;
  manifold.add(on_a + closest.normal * a.radius, on_b + closest.normal * 0.0, 0);
  return true;
}

bool collide(const SegmentShape& a, const PolygonShape& b, std::uint32_t& id, Manifold& manifold) noexcept {
  const StaticSegment& s = a.segment;
  const Closest closest =
      closest_points(SegmentSupport{{Lanes{s.a.x, s.a.y}, Lanes{s.b.x, s.b.y}}}, b.polygon, id, s.box, b.box);
  id = closest.id;
  if (!(closest.distance - s.radius <= 0)) return false;
  const Vec n = closest.normal;
  const Edge edge_a = facing_edge(a, n), edge_b = facing_edge(b, -n);
  if (!(closest.distance <= edge_a.radius + edge_b.radius)) return false;
  clip(edge_a, edge_b, n, manifold);
  return manifold.count > 0;
}

bool collide(const PolygonShape& a, const PolygonShape& b, std::uint32_t& id, Manifold& manifold) noexcept {
  const Closest closest = closest_points(a.polygon, b.polygon, id, a.box, b.box);
  id = closest.id;
  if (!(closest.distance <= 0)) return false;
  const Vec n = closest.normal;
  clip(facing_edge(a, n), facing_edge(b, -n), n, manifold);
  return manifold.count > 0;
}

double distance_to(const Circle& circle, Vec point) noexcept { return length(point - circle.centre) - circle.radius; }

double distance_to(const StaticSegment& segment, Vec point) noexcept {
  return length(point - closest_on_segment(point, segment.a, segment.b)) - segment.radius;
}

double distance_to(const WorldPolygon& polygon, Vec point) noexcept {
  bool outside = false;
  double least = std::numeric_limits<double>::infinity();
  Vec before = polygon.vertex(polygon.count - 1);
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Vec vertex = polygon.vertex(i);
    outside = outside || dot(polygon.normal(i), point - vertex) > 0;
    const double distance = length(point - closest_on_segment(point, before, vertex));
    if (distance < least) least = distance;
    before = vertex;
  }
  return outside ? least : -least;
}

FORKMUNK_KERNEL_END
