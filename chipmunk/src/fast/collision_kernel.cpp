#include "fast/collision_kernel.h"

#include "fast/collision_contacts.h"
#include "fast/collision_lanes.h"
#include "fast/collision_rounded.h"
#include "fast/collision_search.h"
#include "fast/collision_shapes.h"

FORKMUNK_FAST_BEGIN
namespace {

// Products of four such numbers are finite: no infinity and no NaN comes up in a lane whose coordinates sum up to less.
constexpr double kExtentMax = 1e70;

FORKMUNK_INLINE void add_polygon(const cpShape* shape, int lane, Side& side) noexcept {
  const auto& polygon = *reinterpret_cast<const cpPolyShape*>(shape);
  side.first[lane] = &polygon.planes->v0.x;
  side.radius[lane] = polygon.r;
  side.count[lane] = polygon.count;
  side.hash[lane] = shape->hashid;
}

FORKMUNK_INLINE void add_points(int lane, const cpVect* first, std::ptrdiff_t stride, int count, double radius,
                                Side& side) noexcept {
  side.first[lane] = &first->x;
  side.stride[lane] = stride;
  side.count[lane] = count;
  side.radius[lane] = radius;
  side.flip[lane] = count == 2 ? 1 : 0;
}

FORKMUNK_INLINE void add_any(const PairTest& test, int lane, Side& side) noexcept {
  side.hash[lane] = test.a->hashid;
  if (test.a_type == CP_POLY_SHAPE) {
    add_polygon(test.a, lane, side);
    side.stride[lane] = Side::kPlane;
    side.flip[lane] = 0;
  } else if (test.a_type == CP_SEGMENT_SHAPE) {
    const auto& segment = *reinterpret_cast<const cpSegmentShape*>(test.a);
    add_points(lane, &segment.tb, &segment.ta.x - &segment.tb.x, 2, segment.r, side);
  } else {
    const auto& circle = *reinterpret_cast<const cpCircleShape*>(test.a);
    add_points(lane, &circle.tc, 0, 1, circle.r, side);
  }
}

template <int kCount, bool kPolygons>
FORKMUNK_INLINE void load_vertices(const Side& side, Vertices<kCount>& vertices, Lanes& extent) noexcept {
  for (int i = 0; i < kCount; ++i) {
    Rows points;
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const int index = (kPolygons && i < kKernelVertexCountMin) || i < side.count[lane] ? i : 0;
      points.of[lane] = side.first[lane] + index * (kPolygons ? Side::kPlane : side.stride[lane]);
    }
    vertices.at[i] = load_points(points);
    extent = extent + size_of(vertices.at[i].x) + size_of(vertices.at[i].y);
  }
}

// The difference's point that an earlier test ended with: `indices` are a's, times 256, and b's.
template <bool kPolygons, typename AnyShapes>
FORKMUNK_INLINE Point earlier_point(const Group& group, const AnyShapes& shapes, IndexBits indices) noexcept {
  auto a = (Indices)(indices >> 8 & 0xFF), b = (Indices)(indices & 0xFF);
  if constexpr (!kPolygons) a ^= (Indices)group.a.flip;
  a &= a < group.a.count;
  b &= b < group.b.count;
  return {pick(shapes.b, lanes_of(b)) - pick(shapes.a, lanes_of(a)), lanes_of(a * 256 + b)};
}

// What the search starts with: the last test's edge, or, of a new pair, the vertices across the line between the boxes.
template <bool kPolygons, typename AnyShapes>
FORKMUNK_INLINE Edge start(const Group& group, const AnyShapes& shapes, Lanes& extent) noexcept {
  Edge edge{earlier_point<kPolygons>(group, shapes, group.id >> 16), earlier_point<kPolygons>(group, shapes, group.id)};
  const Mask is_new = equal(lanes_of((Indices)group.id), all_lanes(0.0));
  if (bits_of(is_new) == 0) return edge;
  alignas(64) double x[kLaneCount], y[kLaneCount];
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpVect a_centre = cpBBCenter(group.tests[lane]->a->bb), b_centre = cpBBCenter(group.tests[lane]->b->bb);
    x[lane] = -(a_centre.y - b_centre.y);
    y[lane] = a_centre.x - b_centre.x;
  }
  const Vecs axis{load(x), load(y)};
  // A box may be larger than its shape, and may be wrong.
  extent = extent + select(is_new, size_of(axis.x) + size_of(axis.y), all_lanes(0.0));
  edge.v0 = select(is_new, support(shapes, axis), edge.v0);
  edge.v1 = select(is_new, support(shapes, -axis), edge.v1);
  return edge;
}

// Writes the results of the first `count` lanes.
template <bool kPolygons, typename AnyShapes>
FORKMUNK_INLINE void find_contacts(const Group& group, const AnyShapes& shapes, const Edge& edge, Mask known,
                                   int count) noexcept {
  const Closest closest = closest_on(edge);
  auto id = bits_of(indices_of(edge.v0.id)) << 16 | bits_of(indices_of(edge.v1.id));
  if constexpr (!kPolygons) id ^= group.a.flip * 0x01000100u;
  const unsigned known_bits = bits_of(known);
  unsigned circles = 0, rounded = 0;
  Collision* collisions[kLaneCount];
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const PairTest& test = *group.tests[lane];
    Collision& collision = *test.collision;
    collisions[lane] = &collision;
    collision.id = id[lane];
    collision.is_known = (known_bits >> lane & 1u) != 0;
    collision.count = 0;
    if constexpr (!kPolygons) {
      circles |= (test.a_type == CP_CIRCLE_SHAPE ? 1u : 0u) << lane;
      rounded |= (test.a_type != CP_POLY_SHAPE ? 1u : 0u) << lane;
    }
  }
  const Lanes radius_a = load(group.a.radius), radius_b = load(group.b.radius);
  // Two tests guard the contacts of edges, one those of circles; rounding may part them.
  const unsigned near = bits_of(both(known, at_most(closest.distance, radius_a + radius_b))) & ((1u << count) - 1u);
  const unsigned overlap = bits_of(at_most(closest.distance - radius_a - radius_b, all_lanes(0.0)));
  unsigned touching = near & (overlap | circles);
  if ((touching & rounded) != 0) touching = handle_rounded(group, shapes, edge, closest, touching, collisions);
  if (touching == 0) return;
  const Vecs n = closest.normal;
  const Lanes index = farthest(shapes.a, n).index;
  // A circle has no room for a plane: also lanes that do not touch are read.
  const FacingEdge a = rounded != 0 ? face_rounded(group, index, n)
                                    : face_polygons(group.a.first, lanes_of(group.a.count), group.a.hash, index, n);
  const FacingEdge b =
      face_polygons(group.b.first, lanes_of(group.b.count), group.b.hash, farthest(shapes.b, -n).index, -n);
  add_edge_contacts(a, b, n, radius_a, radius_b, touching, collisions);
}

template <int kCountA, int kCountB, bool kPolygons>
FORKMUNK_INLINE void test_group(const Group& group, int count) noexcept {
  Shapes<kCountA, kCountB> shapes;
  Lanes extent = all_lanes(0.0);
  load_vertices<kCountB, true>(group.b, shapes.b, extent);
  load_vertices<kCountA, kPolygons>(group.a, shapes.a, extent);
  const Edge first = start<kPolygons>(group, shapes, extent);
  Edge edge;
  Mask known = search(shapes, first.v0, first.v1, edge);
  extent = extent + size_of(load(group.a.radius)) + size_of(load(group.b.radius));
  known = both(known, less(extent, all_lanes(kExtentMax)));
  find_contacts<kPolygons>(group, shapes, edge, known, count);
}

// Of first shapes of at most kCountA points and second ones of at most kCountB vertices.
template <int kCountA, int kCountB, bool kPolygons>
void test_pairs(const PairTest* tests, std::size_t count) {
  for (std::size_t first = 0; first < count; first += kLanes) {
    Group group;
    FORKMUNK_ROLLED
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const std::size_t i = first + static_cast<std::size_t>(lane);
      const PairTest& test = tests[i < count ? i : count - 1];
      group.tests[lane] = &test;
      group.id[lane] = test.id;
      if constexpr (kPolygons) {
        add_polygon(test.a, lane, group.a);
      } else {
        add_any(test, lane, group.a);
      }
      add_polygon(test.b, lane, group.b);
    }
    const std::size_t left = count - first;
    test_group<kCountA, kCountB, kPolygons>(group, static_cast<int>(left < kLanes ? left : kLanes));
  }
}

}  // namespace

extern const CollisionKernels kCollisionKernels;
#ifdef __wasm__
const CollisionKernels kCollisionKernels{
    {&test_pairs<4, 4, false>, nullptr, &test_pairs<4, 4, false>, nullptr}, kLaneCount, &update_shapes};
#else
const CollisionKernels kCollisionKernels{
    {&test_pairs<4, 4, true>, &test_pairs<8, 8, true>, &test_pairs<2, 4, false>, &test_pairs<2, 8, false>},
    kLaneCount,
    &update_shapes};
#endif

FORKMUNK_FAST_END
