// SPDX-License-Identifier: MIT

#include <forkmunk/base/random.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <chipmunk/chipmunk_unsafe.h>
#include <gtest/gtest.h>

/// Compares cpShapesCollide() with exact geometry of FORKMUNK_ORACLE_PAIRS random pairs.
namespace forkmunk::space {
namespace {

using Real = long double;
struct Point {
  Real x, y;
};
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Real dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
Real cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
Real length(Point a) { return std::sqrt(dot(a, a)); }

struct Core {
  std::vector<Point> points;  ///< The corners of a polygon are counterclockwise.
  Real radius;
};

Point point_of(cpVect v) { return {v.x, v.y}; }

Core core_of(const cpShape* shape) {
  if (shape->klass->type == CP_CIRCLE_SHAPE) {
    const auto& circle = *reinterpret_cast<const cpCircleShape*>(shape);
    return {{point_of(circle.tc)}, circle.r};
  }
  if (shape->klass->type == CP_SEGMENT_SHAPE) {
    const auto& segment = *reinterpret_cast<const cpSegmentShape*>(shape);
    return {{point_of(segment.ta), point_of(segment.tb)}, segment.r};
  }
  const auto& polygon = *reinterpret_cast<const cpPolyShape*>(shape);
  Core core{{}, polygon.r};
  for (int i = 0; i < polygon.count; ++i) core.points.push_back(point_of(polygon.planes[i].v0));
  return core;
}

Real distance_to_segment(Point p, Point a, Point b) {
  const Point d = b - a;
  const Real square = dot(d, d);
  const Real t = square > 0 ? std::clamp<Real>(dot(p - a, d) / square, 0, 1) : 0;
  return length({a.x + t * d.x - p.x, a.y + t * d.y - p.y});
}

/// Returns the gap, or minus the shortest translation that parts the cores, as a distance of the origin from the hull
/// of the differences b - a.
Real signed_distance(const Core& a, const Core& b) {
  std::vector<Point> differences;
  for (const Point p : a.points) {
    for (const Point q : b.points) differences.push_back(q - p);
  }
  std::sort(differences.begin(), differences.end(),
            [](Point p, Point q) { return p.x < q.x || (p.x == q.x && p.y < q.y); });
  std::vector<Point> hull;  // Andrew's monotone chain
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = hull.size();
    for (const Point p : differences) {
      while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(differences.begin(), differences.end());
  }
  if (hull.empty()) hull.push_back(differences.front());
  Real nearest = INFINITY;
  bool is_inside = hull.size() > 2;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Point p = hull[i], q = hull[(i + 1) % hull.size()];
    nearest = std::min(nearest, distance_to_segment({0, 0}, p, q));
    if (cross(q - p, Point{0, 0} - p) < 0) is_inside = false;
  }
  return is_inside ? -nearest : nearest;
}

class Pairs {
 public:
  explicit Pairs(std::uint64_t seed) : random_(seed) {}

  cpShape* shape(cpBody* body) {
    const double radius = below(3) == 0 ? 0 : between(0, 20);
    switch (below(4)) {
      case 0: return cpCircleShapeNew(body, between(0, 20), {coordinate() / 4, 0});
      case 1: return cpSegmentShapeNew(body, {-length(), 0}, {length(), 0}, radius);
      case 2: return cpBoxShapeNew(body, length(), length(), radius);
      default: {
        cpVect corners[8];
        const int count = 3 + static_cast<int>(below(6));
        const double size = length();
        for (int i = 0; i < count; ++i) corners[i] = cpvmult(cpvforangle(6.283185307179586 * i / count), size);
        return cpPolyShapeNewRaw(body, count, corners, radius);
      }
    }
  }
  void place(cpBody* body, cpShape* shape) {
    const double turn = 3.14159265358979323846 / 4 * static_cast<double>(below(8));
    const unsigned kind = below(4);  // parallel, nearly parallel, any
    cpBodySetAngle(body, kind == 0 ? turn : kind == 1 ? turn + between(-1e-7, 1e-7) : between(-4, 4));
    cpBodySetPosition(body, below(8) == 0 ? cpvzero : cpv(coordinate(), below(4) == 0 ? 0 : coordinate()));
    cpShapeCacheBB(shape);
  }

 private:
  unsigned below(unsigned count) { return random_.below(count); }
  double between(double low, double high) { return random_.between(low, high); }
  double length() { return below(2) == 0 ? 4.0 + below(4) * 4 : between(1, 20); }
  double coordinate() { return below(2) == 0 ? static_cast<double>(below(9)) * 4 - 16 : between(-40, 40); }

  Random random_;
};

struct Wrong {
  int count = 0;
  std::string first;
};

Wrong count_wrong(Defects defects, int pairs) {
  constexpr double kTolerance = 1e-6;
  Space world;
  world.set_defects(defects);
  const auto scope = world.enter();
  Pairs random(7);
  Wrong wrong;
  for (int i = 0; i < pairs; ++i) {
    cpBody *one = cpBodyNew(1, 1), *other = cpBodyNew(1, 1);
    cpShape* a = cpSpaceAddShape(world.space(), random.shape(one));
    cpShape* b = cpSpaceAddShape(world.space(), random.shape(other));
    random.place(one, a);
    random.place(other, b);
    const cpContactPointSet set = cpShapesCollide(a, b);
    const Core core_a = core_of(a), core_b = core_of(b);
    const auto exact = static_cast<double>(signed_distance(core_a, core_b) - core_a.radius - core_b.radius);
    double deepest = INFINITY;
    for (int k = 0; k < set.count; ++k) deepest = std::min(deepest, set.points[k].distance);
    // Shapes that only touch may have a contact.
    const bool is_right = set.count == 0 ? exact > -kTolerance : std::abs(deepest - exact) < kTolerance;
    if (!is_right) {
      if (wrong.count++ == 0) {
        wrong.first = "pair " + std::to_string(i) + " of types " + std::to_string(a->klass->type) + " and " +
                      std::to_string(b->klass->type) + ": " + std::to_string(deepest) + ", exactly " +
                      std::to_string(exact);
      }
    }
    for (cpShape* const shape : {a, b}) {
      cpSpaceRemoveShape(world.space(), shape);
      cpShapeFree(shape);
    }
    cpBodyFree(one);
    cpBodyFree(other);
  }
  return wrong;
}

int pair_count() {
  const char* const wanted = std::getenv("FORKMUNK_ORACLE_PAIRS");
  return wanted != nullptr ? std::atoi(wanted) : 100'000;
}

TEST(CollisionOracle, ContactsAreAsDeepAsExactGeometry) {
  const Wrong wrong = count_wrong(Defects::none, pair_count());
  EXPECT_EQ(wrong.count, 0) << wrong.first;
}

TEST(CollisionOracle, FindsStocksDefects) { EXPECT_GT(count_wrong(Defects::stock, 10'000).count, 100); }

}  // namespace
}  // namespace forkmunk::space
