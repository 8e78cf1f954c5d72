#include "fast/collision_kernel.h"

#include "fast/collision_contacts.h"
#include "fast/collision_lanes.h"
#include "fast/collision_search.h"
#include "fast/collision_shapes.h"

FORKMUNK_FAST_BEGIN
namespace {

// Products of four such numbers are finite: no infinity and no NaN comes up in a lane whose coordinates sum up to less.
constexpr double kExtentMax = 1e70;

FORKMUNK_INLINE void add_polygon(const cpShape* shape, Group::Side& side, double& radius) noexcept {
  const auto& polygon = *reinterpret_cast<const cpPolyShape*>(shape);
  side = {&polygon.planes->v0.x, sizeof(cpSplittingPlane) / sizeof(double), polygon.count, 0};
  radius = polygon.r;
}

// Where the shapes of a test have their points.
FORKMUNK_INLINE void add_test(const PairTest& test, int lane, Group& group) noexcept {
  group.a[lane] = test.a;
  group.b[lane] = test.b;
  group.a_type[lane] = test.a_type;
  group.id[lane] = test.id;
  if (test.a_type == CP_POLY_SHAPE) {
    add_polygon(test.a, group.a_side[lane], group.a_radius[lane]);
  } else if (test.a_type == CP_SEGMENT_SHAPE) {
    const auto& segment = *reinterpret_cast<const cpSegmentShape*>(test.a);
    group.a_side[lane] = {&segment.tb.x, &segment.ta.x - &segment.tb.x, 2, 1};
    group.a_radius[lane] = segment.r;
  } else {
    const auto& circle = *reinterpret_cast<const cpCircleShape*>(test.a);
    group.a_side[lane] = {&circle.tc.x, 0, 1, 0};
    group.a_radius[lane] = circle.r;
  }
  add_polygon(test.b, group.b_side[lane], group.b_radius[lane]);
}

template <int kCount>
FORKMUNK_INLINE void load_vertices(const Group::Side* sides, Vertices<kCount>& vertices, Lanes& extent) noexcept {
  for (int i = 0; i < kCount; ++i) {
    Rows points;
    for (int lane = 0; lane < kLaneCount; ++lane) points.of[lane] = sides[lane].point(i < sides[lane].count ? i : 0);
    vertices.at[i] = load_points(points);
    extent = extent + size_of(vertices.at[i].x) + size_of(vertices.at[i].y);
  }
}

// The difference's point that an earlier test ended with: `shift` is 16 for v0, 0 for v1.
FORKMUNK_INLINE Point earlier_point(const Group& group, int shift) noexcept {
  Rows a, b;
  alignas(64) double id[kLaneCount];
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpCollisionID indices = group.id[lane] >> shift;
    const int i = group.b_side[lane].index_of(indices & 0xFF), j = group.a_side[lane].index_of(indices >> 8 & 0xFF);
    b.of[lane] = group.b_side[lane].point(i);
    a.of[lane] = group.a_side[lane].point(j);
    id[lane] = j * 256 + i;
  }
  return {load_points(b) - load_points(a), load(id)};
}

// What the search starts with: the last test's edge, or, of a new pair, the vertices across the line between the boxes.
template <typename AnyShapes>
FORKMUNK_INLINE Edge start(const Group& group, const AnyShapes& shapes, Lanes& extent) noexcept {
  Edge edge{earlier_point(group, 16), earlier_point(group, 0)};
  alignas(64) double is_new[kLaneCount], x[kLaneCount], y[kLaneCount];
  bool any_new = false;
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    is_new[lane] = group.id[lane] == 0 ? 1.0 : 0.0;
    any_new = any_new || group.id[lane] == 0;
  }
  if (!any_new) return edge;
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpVect a_centre = cpBBCenter(group.a[lane]->bb), b_centre = cpBBCenter(group.b[lane]->bb);
    x[lane] = -(a_centre.y - b_centre.y);
    y[lane] = a_centre.x - b_centre.x;
  }
  const Vecs axis{load(x), load(y)};
  const Mask where = less(all_lanes(0.0), load(is_new));
  // A box may be larger than its shape, and may be wrong.
  extent = extent + select(where, size_of(axis.x) + size_of(axis.y), all_lanes(0.0));
  edge.v0 = select(where, support(shapes, axis), edge.v0);
  edge.v1 = select(where, support(shapes, -axis), edge.v1);
  return edge;
}

template <int kCount>
FORKMUNK_INLINE void test_group(const Group& group, Collision* const* collisions, int count) noexcept {
  Shapes<kCount, kCount> shapes;
  Lanes extent = all_lanes(0.0);
  load_vertices(group.b_side, shapes.b, extent);
  load_vertices(group.a_side, shapes.a, extent);
  const Edge first = start(group, shapes, extent);
  Edge edge;
  Mask known = search(shapes, first.v0, first.v1, edge);
  const Radii radii{load(group.a_radius), load(group.b_radius)};
  extent = extent + size_of(radii.a) + size_of(radii.b);
  known = both(known, less(extent, all_lanes(kExtentMax)));
  find_contacts(group, shapes, edge, radii, known, collisions, count);
}

template <int kCount>
void test_pairs(const PairTest* tests, std::size_t count) {
  for (std::size_t first = 0; first < count; first += kLanes) {
    Group group;
    Collision* collisions[kLaneCount];
    FORKMUNK_ROLLED
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const PairTest& test = tests[first + lane < count ? first + lane : count - 1];
      add_test(test, static_cast<int>(lane), group);
      collisions[lane] = test.collision;
    }
    const std::size_t left = count - first;
    test_group<kCount>(group, collisions, static_cast<int>(left < kLanes ? left : kLanes));
  }
}

}  // namespace

extern const CollisionKernels kCollisionKernels;
const CollisionKernels kCollisionKernels{{&test_pairs<4>, &test_pairs<8>}, kLaneCount, &update_shapes};

FORKMUNK_FAST_END
