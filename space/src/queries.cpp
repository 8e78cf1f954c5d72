// SPDX-License-Identifier: MIT

#include "space_arena.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cmath>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

/// Queries without Chipmunk's defects (forkmunk/chipmunk/defects.h). The plain build renames the originals.
extern "C" {  // from chipmunk_private.h and fast/stock_step.h
void cpSpaceLock(cpSpace* space);
void cpSpaceUnlock(cpSpace* space, cpBool run_post_step);
void cpShapeCountChange(void);
cpBool cpBBTreeSegmentQueryWithRadius(cpSpatialIndex* index, void* object, cpVect a, cpVect b, cpFloat radius,
                                      cpFloat exit, cpSpatialIndexSegmentQueryFunc function, void* data);
void cpSpaceHashBeginQuery(cpSpatialIndex* index);
cpBool cpSpaceHashVisitAllBins(cpSpatialIndex* index, cpBool all);

cpBB forkmunk_plain_cpShapeCacheBB(cpShape* shape);
cpContactPointSet forkmunk_plain_cpShapesCollide(const cpShape* a, const cpShape* b);
cpBool forkmunk_plain_cpShapeSegmentQuery(const cpShape* shape, cpVect a, cpVect b, cpFloat radius,
                                          cpSegmentQueryInfo* info);
void forkmunk_plain_cpSpacePointQuery(cpSpace* space, cpVect point, cpFloat distance, cpShapeFilter filter,
                                      cpSpacePointQueryFunc func, void* data);
cpShape* forkmunk_plain_cpSpacePointQueryNearest(cpSpace* space, cpVect point, cpFloat distance, cpShapeFilter filter,
                                                 cpPointQueryInfo* out);
void forkmunk_plain_cpSpaceBBQuery(cpSpace* space, cpBB bb, cpShapeFilter filter, cpSpaceBBQueryFunc func, void* data);
cpBool forkmunk_plain_cpSpaceShapeQuery(cpSpace* space, cpShape* shape, cpSpaceShapeQueryFunc func, void* data);
}

namespace {

using forkmunk::arena_alloc::Arena;
namespace layout = forkmunk::chipmunk::layout;

bool has(const cpSpace* space, unsigned defect) noexcept { return (forkmunk_defects(space) & defect) != 0; }

// Returns whether a box or line has over a million cells of a spatial hash, or cells beyond a thousand million, which
// are one cell.
bool has_too_many_cells(const cpSpatialIndex* index, cpBB box, bool is_line) {
  if (forkmunk_arena_bytes(index, FORKMUNK_KIND_SPACE_HASH) == 0) return false;
  const double cell = reinterpret_cast<const layout::SpaceHash*>(index)->cell_size;
  const double columns = (box.r - box.l) / cell + 1, rows = (box.t - box.b) / cell + 1;
  const double furthest = std::max({std::fabs(box.l), std::fabs(box.b), std::fabs(box.r), std::fabs(box.t)});
  return !((is_line ? columns + rows : columns * rows) <= 1 << 20 && furthest / cell <= 1e9);
}

// Lets spatial hashes visit all bins during a query with too many cells, and shapes that the step around a callback has
// visited.
class Query {
 public:
  Query(const cpSpace* space, cpBB box, bool is_line = false)
      : indices_{space->dynamicShapes, space->staticShapes}, is_large_(has_too_many_cells(indices_[0], box, is_line)) {
    for (cpSpatialIndex* const index : indices_) {
      if (is_large_) was_large_ = cpSpaceHashVisitAllBins(index, cpTrue);
      if (space->locked != 0 && !has(space, FORKMUNK_DEFECT_HASH_CELLS)) cpSpaceHashBeginQuery(index);
    }
  }
  ~Query() {
    for (cpSpatialIndex* const index : indices_) {
      if (is_large_) cpSpaceHashVisitAllBins(index, was_large_);
    }
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  [[nodiscard]] bool is_large() const noexcept { return is_large_; }

 private:
  cpSpatialIndex* indices_[2];
  bool is_large_;
  cpBool was_large_ = cpFalse;
};

// If Chipmunk tests the shapes in the opposite order, it computes the distance from the second shape's point to the
// first.
void correct_distances(cpContactPointSet& set) {
  for (int i = 0; i < set.count; ++i) {
    auto& point = set.points[i];
    point.distance = cpvdot(cpvsub(point.pointB, point.pointA), set.normal);
  }
}

// Works like cpShapeFilterReject().
bool rejects(cpShapeFilter a, cpShapeFilter b) noexcept {
  return (a.group != 0 && a.group == b.group) || (a.categories & b.mask) == 0 || (b.categories & a.mask) == 0;
}

// Finds the first point of the segment on a circle: |a + t d - c| = grown.
void query_circle(const cpShape* shape, cpVect center, cpFloat radius, cpVect a, cpVect b, cpFloat reach,
                  cpSegmentQueryInfo* info) {
  const cpVect da = cpvsub(a, center), db = cpvsub(b, center);
  const cpFloat sum = radius + reach;
  const auto qa = static_cast<cpFloat>(cpvdot(da, da) - 2.0 * cpvdot(da, db) + cpvdot(db, db));
  const cpFloat qb = cpvdot(da, db) - cpvdot(da, da);
  const cpFloat det = qb * qb - qa * (cpvdot(da, da) - sum * sum);
  if (!(det >= 0)) return;
  const cpFloat t = (-qb - std::sqrt(det)) / qa;
  if (!(0 <= t && t <= 1)) return;
  const cpVect n = cpvnormalize(cpvlerp(da, db, t));
  *info = {shape, cpvsub(cpvlerp(a, b, t), cpvmult(n, reach)), n, t};
}

// As in pymunk, nearly parallel planes are left out.
void query_polygon_of_pymunk(const cpPolyShape& polygon, cpVect a, cpVect b, cpFloat reach, cpSegmentQueryInfo* info) {
  constexpr auto kParallel = static_cast<cpFloat>(10e-6);
  const cpFloat sum = polygon.r + reach;
  const cpSplittingPlane* const planes = polygon.planes;
  for (int i = 0; i < polygon.count; ++i) {
    const cpVect n = planes[i].n;
    const cpFloat at_a = cpvdot(a, n), at_b = cpvdot(b, n), distance = at_a - cpvdot(planes[i].v0, n) - sum;
    if (distance < 0 || std::fabs(at_a - at_b) < kParallel) continue;
    const cpFloat t = distance / (at_a - at_b);
    if (t < 0 || 1 < t) continue;
    const cpFloat along = cpvcross(n, cpvlerp(a, b, t));
    const cpFloat first = cpvcross(n, planes[(i == 0 ? polygon.count : i) - 1].v0), last = cpvcross(n, planes[i].v0);
    if (first <= along && along <= last) *info = {&polygon.shape, cpvsub(cpvlerp(a, b, t), cpvmult(n, reach)), n, t};
  }
  if (!(sum > 0)) return;
  for (int i = 0; i < polygon.count; ++i) {
    cpSegmentQueryInfo corner{nullptr, b, {0, 0}, 1};
    query_circle(&polygon.shape, planes[i].v0, polygon.r, a, b, reach, &corner);
    if (corner.alpha < info->alpha) *info = corner;
  }
}

struct SegmentQuery {
  cpVect start, end;
  cpFloat radius;
  cpShapeFilter filter;
  cpSpaceSegmentQueryFunc func = nullptr;
  bool is_of_pymunk_7 = false;  // finds sensors, too

  [[nodiscard]] bool meets(const cpShape* shape, cpSegmentQueryInfo* info) const {
    return !rejects(shape->filter, filter) && cpShapeSegmentQuery(shape, start, end, radius, info) != 0;
  }

  [[nodiscard]] cpBB box_within(cpFloat reach) const {
    return {std::min(start.x, end.x) - reach, std::min(start.y, end.y) - reach, std::max(start.x, end.x) + reach,
            std::max(start.y, end.y) + reach};
  }

  // Visits the shapes up to `exit`, which the results of visit() shorten.
  void search(const Query& cells, cpSpace* space, cpSpatialIndex* index, cpFloat exit,
              cpSpatialIndexSegmentQueryFunc visit, void* data) {
    if (has(space, FORKMUNK_DEFECT_SEGMENT_QUERIES)) {
      const bool is_tree = forkmunk_arena_bytes(index, FORKMUNK_KIND_SPACE_HASH) == 0;
      if (is_of_pymunk_7 && is_tree) {
        if (const layout::Node* root = layout::tree_of(index).root) walk_as_pymunk_7(*root, exit, visit, data);
        return;
      }
      if (!cells.is_large()) return cpSpatialIndexSegmentQuery(index, this, start, end, exit, visit, data);
    } else if (cpBBTreeSegmentQueryWithRadius(index, this, start, end, radius, exit, visit, data) != 0) {
      return;
    }
    struct Visit {
      cpSpatialIndexSegmentQueryFunc visit;
      void* data;
    } each{visit, data};
    const auto visit_each = [](void* query, void* shape, cpCollisionID id, void* of) {
      const auto& to = *static_cast<const Visit*>(of);
      to.visit(query, shape, to.data);
      return id;
    };
    cpSpatialIndexQuery(index, this, box_within(std::max<cpFloat>(radius, 0.0)), visit_each, &each);
  }

  // Unlike Chipmunk, compares the further child's box with the exit before the nearer child shortens it.
  cpFloat walk_as_pymunk_7(const layout::Node& node, cpFloat exit, cpSpatialIndexSegmentQueryFunc visit, void* data) {
    if (node.is_leaf()) return std::min(exit, visit(this, node.shape, data));
    const layout::Node &a = *node.children.a, &b = *node.children.b;
    const cpFloat t_a = cpBBSegmentQuery(a.bb, start, end), t_b = cpBBSegmentQuery(b.bb, start, end);
    const bool a_is_nearer = t_a < t_b, walks_a = t_a < exit, walks_b = t_b < exit;
    if (walks_a && a_is_nearer) exit = walk_as_pymunk_7(a, exit, visit, data);
    if (walks_b) exit = walk_as_pymunk_7(b, exit, visit, data);
    if (walks_a && !a_is_nearer) exit = walk_as_pymunk_7(a, exit, visit, data);
    return exit;
  }
};

cpFloat report(void* of, void* object, void* data) {
  const auto& query = *static_cast<const SegmentQuery*>(of);
  auto* const shape = static_cast<cpShape*>(object);
  cpSegmentQueryInfo info;
  if (query.meets(shape, &info)) query.func(shape, info.point, info.normal, info.alpha, data);
  return 1;
}

cpFloat keep_first(void* of, void* object, void* data) {
  const auto& query = *static_cast<const SegmentQuery*>(of);
  auto* const shape = static_cast<cpShape*>(object);
  auto& first = *static_cast<cpSegmentQueryInfo*>(data);
  cpSegmentQueryInfo info;
  if ((shape->sensor == 0 || query.is_of_pymunk_7) && query.meets(shape, &info)) {
    const bool at_end =
        first.shape == nullptr && info.alpha == 1 && !has(shape->space, FORKMUNK_DEFECT_SEGMENT_QUERIES);
    if (info.alpha < first.alpha || at_end) first = info;
  }
  return first.alpha > 0 ? first.alpha : -1;  // ends the search if nothing can be nearer
}

cpShape* find_first(cpSpace* space, SegmentQuery query, cpSegmentQueryInfo* out) {
  const Query cells(space, query.box_within(0), true);
  cpSegmentQueryInfo own;
  if (out == nullptr) out = &own;
  *out = {nullptr, query.end, {0, 0}, 1};
  query.search(cells, space, space->staticShapes, 1, &keep_first, out);
  query.search(cells, space, space->dynamicShapes, out->alpha, &keep_first, out);
  return const_cast<cpShape*>(out->shape);
}

}  // namespace

namespace forkmunk::FORKMUNK_SPACE {

cpShape* segment_query_first_of_pymunk_7(cpSpace* space, cpVect start, cpVect end, cpFloat radius, cpShapeFilter filter,
                                         cpSegmentQueryInfo* out) {
  return find_first(space, {start, end, radius, filter, nullptr, true}, out);
}

}  // namespace forkmunk::FORKMUNK_SPACE

extern "C" {

cpContactPointSet cpShapesCollide(const cpShape* a, const cpShape* b) {
  cpContactPointSet set = forkmunk_plain_cpShapesCollide(a, b);
  if ((forkmunk_defects_of_pair(a, b) & FORKMUNK_DEFECT_DISTANCE_SIGNS) == 0) correct_distances(set);
  return set;
}

cpBool cpShapeSegmentQuery(const cpShape* shape, cpVect a, cpVect b, cpFloat radius, cpSegmentQueryInfo* info) {
  constexpr unsigned kRounding = FORKMUNK_DEFECT_PYMUNK_ROUNDING;
  const bool from_inside = has(shape->space, FORKMUNK_DEFECT_QUERIES_FROM_INSIDE);
  if (from_inside && !has(shape->space, kRounding)) {
    return forkmunk_plain_cpShapeSegmentQuery(shape, a, b, radius, info);
  }
  cpSegmentQueryInfo own;
  if (info == nullptr) info = &own;
  *info = {nullptr, b, {0, 0}, 1};
  cpPointQueryInfo nearest{};
  shape->klass->pointQuery(shape, a, &nearest);
  if (nearest.distance <= radius) {
    *info = from_inside ? cpSegmentQueryInfo{shape, b, cpvnormalize(cpvsub(a, nearest.point)), 0}
                        : cpSegmentQueryInfo{shape, a, {0, 0}, 0};
  } else if (shape->klass->type == CP_POLY_SHAPE && has(shape->space, kRounding)) {
    query_polygon_of_pymunk(*reinterpret_cast<const cpPolyShape*>(shape), a, b, radius, info);
  } else {
    shape->klass->segmentQuery(shape, a, b, radius, info);
  }
  return static_cast<cpBool>(info->shape != nullptr);
}

void cpSpaceSegmentQuery(cpSpace* space, cpVect start, cpVect end, cpFloat radius, cpShapeFilter filter,
                         cpSpaceSegmentQueryFunc func, void* data) {
  const Arena::Call call(forkmunk::space::arena_of(space));
  SegmentQuery query{start, end, radius, filter, func};
  const Query cells(space, query.box_within(0), true);
  cpSpaceLock(space);
  query.search(cells, space, space->staticShapes, 1, &report, data);
  query.search(cells, space, space->dynamicShapes, 1, &report, data);
  cpSpaceUnlock(space, cpTrue);
}

cpShape* cpSpaceSegmentQueryFirst(cpSpace* space, cpVect start, cpVect end, cpFloat radius, cpShapeFilter filter,
                                  cpSegmentQueryInfo* out) {
  return find_first(space, {start, end, radius, filter}, out);
}

void cpSpacePointQuery(cpSpace* space, cpVect point, cpFloat distance, cpShapeFilter filter, cpSpacePointQueryFunc func,
                       void* data) {
  const Arena::Call call(forkmunk::space::arena_of(space));
  const Query cells(space, cpBBNewForCircle(point, std::max<cpFloat>(distance, 0.0)));
  forkmunk_plain_cpSpacePointQuery(space, point, distance, filter, func, data);
}

cpShape* cpSpacePointQueryNearest(cpSpace* space, cpVect point, cpFloat distance, cpShapeFilter filter,
                                  cpPointQueryInfo* out) {
  const Query cells(space, cpBBNewForCircle(point, std::max<cpFloat>(distance, 0.0)));
  return forkmunk_plain_cpSpacePointQueryNearest(space, point, distance, filter, out);
}

void cpSpaceBBQuery(cpSpace* space, cpBB bb, cpShapeFilter filter, cpSpaceBBQueryFunc func, void* data) {
  const Arena::Call call(forkmunk::space::arena_of(space));
  const Query cells(space, bb);
  forkmunk_plain_cpSpaceBBQuery(space, bb, filter, func, data);
}

// Returns whether the query's shape and any met shape are solid. Chipmunk regards only the last one.
cpBool cpSpaceShapeQuery(cpSpace* space, cpShape* shape, cpSpaceShapeQueryFunc func, void* data) {
  const Arena::Call call(forkmunk::space::arena_of(space));
  cpShapeCountChange();  // the query moves the shape
  forkmunk::space::note_shape_call(shape->space, false);
  const Query cells(space, shape->body != nullptr ? forkmunk_plain_cpShapeCacheBB(shape) : shape->bb);
  if (has(space, FORKMUNK_DEFECT_SHAPE_QUERIES)) return forkmunk_plain_cpSpaceShapeQuery(space, shape, func, data);
  struct Any {
    const cpShape* query;
    cpSpaceShapeQueryFunc func;
    void* data;
    bool is_solid;
  } any{shape, func, data, false};
  const auto note = [](cpShape* met, cpContactPointSet* points, void* of) {
    auto& all = *static_cast<Any*>(of);
    if (!has(met->space, FORKMUNK_DEFECT_DISTANCE_SIGNS)) correct_distances(*points);
    if (all.func != nullptr) all.func(met, points, all.data);
    if (met->sensor == 0 && all.query->sensor == 0) all.is_solid = true;
  };
  forkmunk_plain_cpSpaceShapeQuery(space, shape, note, &any);
  return static_cast<cpBool>(any.is_solid);
}
}
