// SPDX-License-Identifier: MIT
/* Chipmunk's own cpCollision.c, unchanged, and collision tests without its defects (forkmunk/chipmunk/defects.h). */
#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/chipmunk/precision.h>

#include <chipmunk/chipmunk_private.h>
#include <math.h>

#undef cpCollide
#define cpCollide cpCollideStock
static struct cpCollisionInfo cpCollideStock(const cpShape* a, const cpShape* b, cpCollisionID id,
                                             struct cpContact* contacts);
/* In pymunk an edge of length 0 has the parameter 0. In Chipmunk its quotient is NaN, which clamps to -1. */
static _Thread_local cpBool has_pymunk_rounding;
#define cpfclamp(quotient, low, high) \
  (isfinite(quotient) || !has_pymunk_rounding ? cpfclamp(quotient, low, high) : 0.0)
/* A shape may have no body. */
#define cpBodyGetRotation(body) ((body) ? cpBodyGetRotation(body) : cpv(1, 0))
#include <cpCollision.c>
#undef cpBodyGetRotation
#undef cpCollide
#undef cpfclamp

/* Works like CircleToPoly(), with the polygon's radius towards the circle. A radius of 0 keeps the sign of a zero. */
static void collide_circle_with_polygon(const cpCircleShape* circle, const cpPolyShape* polygon,
                                        struct ClosestPoints points, struct cpCollisionInfo* info) {
  if (!(points.d <= circle->r + polygon->r)) return;
  const cpVect n = info->n = points.n;
  const cpFloat radius = polygon->r == 0 ? polygon->r : -polygon->r;
  cpCollisionInfoPushContact(info, cpvadd(points.a, cpvmult(n, circle->r)), cpvadd(points.b, cpvmult(n, radius)), 0);
}

static struct cpCollisionInfo collide_as_pymunk(const cpShape* a, const cpShape* b, cpCollisionID id,
                                                struct cpContact* contacts) {
  if (a->klass->type + b->klass->type != CP_CIRCLE_SHAPE + CP_POLY_SHAPE || a->klass->type == b->klass->type) {
    return cpCollideStock(a, b, id, contacts);
  }
  const cpBool swapped = a->klass->type > b->klass->type;
  struct cpCollisionInfo info = {swapped ? b : a, swapped ? a : b, id, cpvzero, 0, contacts};
  const struct SupportContext context = {info.a, info.b, (SupportPointFunc)CircleSupportPoint,
                                         (SupportPointFunc)PolySupportPoint};
  const struct ClosestPoints points = GJK(&context, &info.id);
  collide_circle_with_polygon((const cpCircleShape*)info.a, (const cpPolyShape*)info.b, points, &info);
  return info;
}

static SupportPointFunc support_of(const cpShape* shape) {
  switch (shape->klass->type) {
    case CP_CIRCLE_SHAPE: return (SupportPointFunc)CircleSupportPoint;
    case CP_SEGMENT_SHAPE: return (SupportPointFunc)SegmentSupportPoint;
    default: return (SupportPointFunc)PolySupportPoint;
  }
}

static cpFloat radius_of(const cpShape* shape) {
  return shape->klass->type == CP_SEGMENT_SHAPE ? ((const cpSegmentShape*)shape)->r : ((const cpPolyShape*)shape)->r;
}

static struct Edge edge_of(const cpShape* shape, cpVect n) {
  return shape->klass->type == CP_SEGMENT_SHAPE ? SupportEdgeForSegment((const cpSegmentShape*)shape, n)
                                                : SupportEdgeForPoly((const cpPolyShape*)shape, n);
}

/* Closest points have the rounding error eps * size, so the square of their distance d has the relative error
 * 4 eps size / d. It is below DIFFERENCE_MAX where d exceeds the root of NEAR_SQUARED times the size. */
#define DIFFERENCE_MAX FORKMUNK_BY_PRECISION(1e-6, 1e-2)
#define NEAR_SQUARED FORKMUNK_BY_PRECISION(1e-18, 1e-8)

/* Returns the closest points by GJK(). If the search ends with an edge of length nearly 0, whose normal is meaningless,
 * the normal is taken from the vector between the points. Without rounding both are parallel, and |b - a| = |d|. */
static struct ClosestPoints find_closest_points(const struct cpCollisionInfo* info, cpCollisionID* id) {
  const struct SupportContext context = {info->a, info->b, support_of(info->a), support_of(info->b)};
  struct ClosestPoints points = GJK(&context, id);
  const cpVect delta = cpvsub(points.b, points.a);
  const cpFloat square = cpvlengthsq(delta), size = fabs(points.a.x) + fabs(points.a.y);
  const cpBool is_point = points.n.x == 0 && points.n.y == 0;
  if (is_point || (square - points.d * points.d > DIFFERENCE_MAX * square && square > NEAR_SQUARED * size * size)) {
    points.d = cpfsqrt(square);
    points.n = points.d > 0 ? cpvmult(delta, 1.0 / points.d) : cpv(1, 0);
  }
  return points;
}

/* Returns whether the segment, rather than a neighbour, collides. \param sign  1 if n leads away from the segment, -1
 * if n leads to it. */
static cpBool collides_at(const cpShape* shape, cpVect closest, cpVect n, cpFloat sign) {
  if (shape->klass->type != CP_SEGMENT_SHAPE) return cpTrue;
  const cpSegmentShape* segment = (const cpSegmentShape*)shape;
  const cpVect rotation = shape->body ? cpBodyGetRotation(shape->body) : cpv(1, 0);
  return (!cpveql(closest, segment->ta) || sign * cpvdot(n, cpvrotate(segment->a_tangent, rotation)) <= 0) &&
         (!cpveql(closest, segment->tb) || sign * cpvdot(n, cpvrotate(segment->b_tangent, rotation)) <= 0);
}

/* Returns whether the deepest contact is as deep as the closest points are apart. On an edge nearly parallel to the
 * normal, such as the side of a capsule that touches with an end, clipping chooses arbitrary points. */
static cpBool is_on_surface(const struct cpCollisionInfo* info, const struct ClosestPoints* points, cpFloat radius_a,
                            cpFloat radius_b) {
  const cpFloat expected = points->d - radius_a - radius_b;
  const cpVect p = info->count > 0 ? info->arr[0].r1 : points->a;
  const cpFloat tolerance =
      FORKMUNK_SURFACE_TOLERANCE * (fabs(p.x) + fabs(p.y) + fabs(points->d) + radius_a + radius_b);
  if (info->count == 0) return expected >= -tolerance;
  cpFloat deepest = INFINITY;
  for (int i = 0; i < info->count; ++i) {
    deepest = cpfmin(deepest, cpvdot(cpvsub(info->arr[i].r2, info->arr[i].r1), points->n));
  }
  return !(fabs(deepest - expected) > tolerance);
}

static void collide_edges(struct cpCollisionInfo* info) {
  const struct ClosestPoints points = find_closest_points(info, &info->id);
  const cpFloat radius_a = radius_of(info->a), radius_b = radius_of(info->b);
  /* Two segments are compared with the sum, as in Chipmunk: rounding may make the tests differ. */
  const cpBool both_segments = info->b->klass->type == CP_SEGMENT_SHAPE;
  if (!(both_segments ? points.d <= radius_a + radius_b : points.d - radius_a - radius_b <= 0)) return;
  if (!collides_at(info->a, points.a, points.n, 1) || !collides_at(info->b, points.b, points.n, -1)) return;
  ContactPoints(edge_of(info->a, points.n), edge_of(info->b, cpvneg(points.n)), points, info);
  if (info->a->klass->type == CP_POLY_SHAPE || is_on_surface(info, &points, radius_a, radius_b)) return;
  info->n = points.n;
  info->count = 0;
  cpCollisionInfoPushContact(info, cpvadd(points.a, cpvmult(points.n, radius_a)),
                             cpvadd(points.b, cpvmult(points.n, -radius_b)), 0);
}

struct cpCollisionInfo cpCollide(const cpShape* a, const cpShape* b, cpCollisionID id, struct cpContact* contacts) {
  const unsigned defects = forkmunk_defects_of_pair(a, b);
  if (defects & FORKMUNK_DEFECT_PYMUNK_ROUNDING) {
    has_pymunk_rounding = cpTrue;
    const struct cpCollisionInfo info = collide_as_pymunk(a, b, id, contacts);
    has_pymunk_rounding = cpFalse;
    return info;
  }
  if (defects & FORKMUNK_DEFECT_CONTACT_POINTS) return cpCollideStock(a, b, id, contacts);
  const cpBool swapped = a->klass->type > b->klass->type;
  struct cpCollisionInfo info = {swapped ? b : a, swapped ? a : b, id, cpvzero, 0, contacts};
  if (info.b->klass->type == CP_CIRCLE_SHAPE ||
      (info.a->klass->type == CP_CIRCLE_SHAPE && info.b->klass->type == CP_SEGMENT_SHAPE)) {
    return cpCollideStock(a, b, id, contacts);
  }
  if (info.a->klass->type == CP_CIRCLE_SHAPE) {
    const struct ClosestPoints points = find_closest_points(&info, &info.id);
    collide_circle_with_polygon((const cpCircleShape*)info.a, (const cpPolyShape*)info.b, points, &info);
  } else {
    collide_edges(&info);
  }
  return info;
}
