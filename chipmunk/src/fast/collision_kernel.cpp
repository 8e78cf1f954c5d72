#include "fast/collision_kernel.h"

#include "fast/collision_contacts.h"
#include "fast/collision_lanes.h"
#include "fast/collision_search.h"
#include "fast/collision_shapes.h"

FORKMUNK_FAST_BEGIN
namespace {

// Products of four such numbers are finite: no infinity and no NaN comes up in a lane whose coordinates sum up to less.
constexpr double kExtentMax = 1e70;

template <int kCount>
FORKMUNK_INLINE void load_polygons(const cpShape* const* shapes, Vertices<kCount>& vertices, Lanes& extent) noexcept {
  const cpPolyShape* polygons[kLaneCount];
  for (int lane = 0; lane < kLaneCount; ++lane) polygons[lane] = reinterpret_cast<const cpPolyShape*>(shapes[lane]);
  for (int i = 0; i < kCount; ++i) {
    const cpVect* points[kLaneCount];
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const bool is_vertex = i < kKernelVertexCountMin || i < polygons[lane]->count;
      points[lane] = &polygons[lane]->planes[is_vertex ? i : 0].v0;
    }
    vertices.at[i] = load_points(points);
    extent = extent + size_of(vertices.at[i].x) + size_of(vertices.at[i].y);
  }
}

// A segment's ends change their order: of equally far ends Chipmunk takes the second, of equally far vertices the
// first.
FORKMUNK_INLINE void load_segments(const cpShape* const* shapes, Vertices<2>& vertices) noexcept {
  const cpVect* points[2][kLaneCount];
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const auto& segment = *reinterpret_cast<const cpSegmentShape*>(shapes[lane]);
    points[0][lane] = &segment.tb;
    points[1][lane] = &segment.ta;
  }
  for (int i = 0; i < 2; ++i) vertices.at[i] = load_points(points[i]);
}

FORKMUNK_INLINE void load_circles(const cpShape* const* shapes, Vertices<1>& vertices) noexcept {
  const cpVect* points[kLaneCount];
  for (int lane = 0; lane < kLaneCount; ++lane) {
    points[lane] = &reinterpret_cast<const cpCircleShape*>(shapes[lane])->tc;
  }
  vertices.at[0] = load_points(points);
}

// One test in each lane. Lanes without a pair of their own repeat the last one.
struct Group {
  const cpShape* a[kLaneCount];
  const cpShape* b[kLaneCount];
  cpCollisionID id[kLaneCount];
};

FORKMUNK_INLINE int vertex_index(const cpShape* shape, unsigned index) noexcept {
  return static_cast<int>(index) < reinterpret_cast<const cpPolyShape*>(shape)->count ? static_cast<int>(index) : 0;
}

// The difference's point that an earlier test ended with: `shift` is 16 for v0, 0 for v1. `index` is of the vertices as
// they are loaded.
template <ShapeKind kKind>
FORKMUNK_INLINE Point earlier_point(const Group& group, int shift) noexcept {
  const cpVect *a[kLaneCount], *b[kLaneCount];
  alignas(64) double id[kLaneCount];
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpCollisionID both_indices = group.id[lane] >> shift;
    const int i = vertex_index(group.b[lane], both_indices & 0xFF);
    b[lane] = &reinterpret_cast<const cpPolyShape*>(group.b[lane])->planes[i].v0;
    int j = 0;
    if constexpr (kKind == ShapeKind::polygon) {
      j = vertex_index(group.a[lane], both_indices >> 8 & 0xFF);
      a[lane] = &reinterpret_cast<const cpPolyShape*>(group.a[lane])->planes[j].v0;
    } else if constexpr (kKind == ShapeKind::segment) {
      const auto& segment = *reinterpret_cast<const cpSegmentShape*>(group.a[lane]);
      j = (both_indices >> 8 & 0xFF) == 0 ? 1 : 0;
      a[lane] = j == 1 ? &segment.ta : &segment.tb;
    } else {
      a[lane] = &reinterpret_cast<const cpCircleShape*>(group.a[lane])->tc;
    }
    id[lane] = j * 256 + i;
  }
  return {load_points(b) - load_points(a), load(id)};
}

// What the search starts with: the last test's edge, or, of a new pair, the vertices across the line between the boxes.
template <ShapeKind kKind, typename AnyShapes>
FORKMUNK_INLINE Edge start(const Group& group, const AnyShapes& shapes, Lanes& extent) noexcept {
  Edge edge{earlier_point<kKind>(group, 16), earlier_point<kKind>(group, 0)};
  alignas(64) double is_new[kLaneCount], x[kLaneCount], y[kLaneCount];
  bool any_new = false;
  for (int lane = 0; lane < kLaneCount; ++lane) {
    is_new[lane] = group.id[lane] == 0 ? 1.0 : 0.0;
    any_new = any_new || group.id[lane] == 0;
  }
  if (!any_new) return edge;
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpBB &a = group.a[lane]->bb, &b = group.b[lane]->bb;
    const cpVect a_centre = cpBBCenter(a), b_centre = cpBBCenter(b);
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

template <ShapeKind kKind, int kCount>
FORKMUNK_INLINE void test_group(const Group& group, Collision* const* collisions, int count) noexcept {
  constexpr int kCountA = kKind == ShapeKind::polygon ? kCount : kKind == ShapeKind::segment ? 2 : 1;
  Shapes<kCountA, kCount> shapes;
  Lanes extent = all_lanes(0.0);
  load_polygons(group.b, shapes.b, extent);
  if constexpr (kKind == ShapeKind::polygon) {
    load_polygons(group.a, shapes.a, extent);
  } else {
    if constexpr (kKind == ShapeKind::segment) load_segments(group.a, shapes.a);
    if constexpr (kKind == ShapeKind::circle) load_circles(group.a, shapes.a);
    for (const Vecs& v : shapes.a.at) extent = extent + size_of(v.x) + size_of(v.y);
  }
  const Edge first = start<kKind>(group, shapes, extent);
  Edge edge;
  Mask known = search(shapes, first.v0, first.v1, edge);
  const Radii radii = load_radii<kKind>(group.a, group.b);
  extent = extent + size_of(radii.a) + size_of(radii.b);
  known = both(known, less(extent, all_lanes(kExtentMax)));
  find_contacts<kKind>(group.a, group.b, shapes, edge, radii, known, collisions, count);
}

template <ShapeKind kKind, int kCount>
void test_pairs(const PairTest* tests, std::size_t count) {
  for (std::size_t first = 0; first < count; first += kLaneCount) {
    Group group;
    Collision* collisions[kLaneCount];
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const PairTest& test = tests[first + lane < count ? first + lane : count - 1];
      group.a[lane] = test.a;
      group.b[lane] = test.b;
      group.id[lane] = test.id;
      collisions[lane] = test.collision;
    }
    const std::size_t left = count - first;
    test_group<kKind, kCount>(group, collisions, static_cast<int>(left < kLaneCount ? left : kLaneCount));
  }
}

}  // namespace

extern const CollisionKernels kCollisionKernels;
const CollisionKernels kCollisionKernels{
    {&test_pairs<ShapeKind::polygon, 4>, &test_pairs<ShapeKind::segment, 4>, &test_pairs<ShapeKind::circle, 4>,
     &test_pairs<ShapeKind::polygon, 8>, &test_pairs<ShapeKind::segment, 8>, &test_pairs<ShapeKind::circle, 8>},
    kLaneCount,
    &update_shapes};

FORKMUNK_FAST_END
