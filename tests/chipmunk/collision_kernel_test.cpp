// SPDX-License-Identifier: MIT
#include "fast/collision_kernel.h"

#include <forkmunk/base/random.h>
#include <forkmunk/chipmunk/defects.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <chipmunk/chipmunk.h>
#include <gtest/gtest.h>

extern "C" cpCollisionInfo cpCollide(const cpShape* a, const cpShape* b, cpCollisionID id, cpContact* contacts);

/// The kernels against stock Chipmunk's cpCollide; FORKMUNK_COLLISION_PAIRS sets the number of pairs.
namespace forkmunk::FORKMUNK_CHIPMUNK::fast {
namespace {

constexpr std::size_t kPairsMax = 19;

std::uint64_t pair_count() {
  const char* const wanted = std::getenv("FORKMUNK_COLLISION_PAIRS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 200'000;
}

class RandomPairs {
 public:
  explicit RandomPairs(std::uint64_t seed) : random_(seed) {}

  /// The shapes touch, overlap or are near; some faces are parallel.
  void make(PairTest& test, Collision& collision) {
    scale_ = FORKMUNK_BY_PRECISION(pick({1.0, 1.0, 1.0, 1e-3, 1e6, 1e-160, 1e60}),
                                   pick({1.0, 1.0, 1.0, 1e-3, 1e3, 1e-18, 1e6, 1e10}));
    on_grid_ = below(3) == 0;
    if (below(20) == 0) {
      make_gap(test, collision);
      return;
    }
    const unsigned a_type = below(3);
    cpShape* const a = a_type == 0 ? polygon() : a_type == 1 ? segment() : circle();
    cpShape* const b = polygon();
    move_about(a);
    move_about(b);
    if (below(200) == 0) spoil(a);
    if (below(200) == 0) spoil(b);
    test = {a, b, a->klass->type, earlier_id(a, b), &collision};
  }

  void clear() {
    shapes_.clear();
    bodies_.clear();
  }

 private:
  struct FreeShape {
    void operator()(cpShape* shape) const {
      shape->space = nullptr;
      cpShapeFree(shape);
    }
  };
  struct FreeBody {
    void operator()(cpBody* body) const { cpBodyFree(body); }
  };

  unsigned below(unsigned count) { return random_.below(count); }
  double pick(std::initializer_list<double> of) { return of.begin()[below(static_cast<unsigned>(of.size()))]; }
  double between(double low, double high) { return random_.between(low, high); }
  double length() { return scale_ * (on_grid_ ? pick({1, 2, 4}) : between(0.5, 5)); }
  double coordinate() { return scale_ * (on_grid_ ? pick({0, -0.0, 1, -1, 2, -2, 3}) : between(-4, 4)); }
  double radius() { return below(2) == 0 ? 0.0 : 0.2 * length(); }

  cpShape* keep(cpShape* shape, cpBody* body) {
    bodies_.emplace_back(body);
    shapes_.emplace_back(shape);
    shape->hashid = static_cast<cpHashValue>(random_.next());
    shape->space = &space_;
    return shape;
  }
  cpShape* box(double left, double right, double radius) {
    cpBody* const body = cpBodyNew(1, 1);
    const std::array<cpVect, 4> vertices{{{left, -1}, {right, -1}, {right, 1}, {left, 1}}};
    return keep(cpPolyShapeNewRaw(body, 4, vertices.data(), radius), body);
  }
  // Faces are as far apart as the radii, so rounding decides.
  void make_gap(PairTest& test, Collision& collision) {
    const double a_radius = between(0.1, 1), b_radius = between(0.1, 1);
    cpShape* a = box(-1, 0, a_radius);
    if (below(2) == 0) {
      cpBody* const body = cpBodyNew(1, 1);
      a = keep(cpSegmentShapeNew(body, {0, -1}, {0, 1}, a_radius), body);
    }
    cpShape* const b = box(a_radius + b_radius, 3, b_radius);
    for (cpShape* shape : {a, b}) cpShapeUpdate(shape, cpTransformIdentity);
    test = {a, b, a->klass->type, 0, &collision};
  }
  cpShape* polygon() {
    cpBody* const body = cpBodyNew(1, 1);
    if (below(2) == 0) return keep(cpBoxShapeNew(body, length(), length(), radius()), body);
    std::array<cpVect, 10> vertices;
    const unsigned count = below(8) == 0 ? 1 + below(10) : 3 + below(6);
    const double size = length();
    for (unsigned i = 0; i < count; ++i) vertices[i] = cpvmult(cpvforangle(2 * M_PI * i / count), size);
    return keep(cpPolyShapeNewRaw(body, static_cast<int>(count), vertices.data(), radius()), body);
  }
  cpShape* segment() {
    cpBody* const body = cpBodyNew(1, 1);
    const cpVect a{coordinate(), coordinate()}, b{coordinate(), coordinate()};
    cpShape* const shape = keep(cpSegmentShapeNew(body, a, b, radius()), body);
    if (below(2) == 0) cpSegmentShapeSetNeighbors(shape, {coordinate(), coordinate()}, {coordinate(), coordinate()});
    return shape;
  }
  cpShape* circle() {
    cpBody* const body = cpBodyNew(1, 1);
    return keep(cpCircleShapeNew(body, length(), {coordinate(), coordinate()}), body);
  }

  void move_about(cpShape* shape) {
    const double angle = on_grid_ ? pick({0, M_PI / 2, M_PI, -M_PI / 2}) : between(-4, 4);
    const bool exact = on_grid_ && below(2) == 0;
    const cpVect turn = exact ? cpVect{1, 0} : cpvforangle(angle);
    shape->body->transform = {turn.x, turn.y, -turn.y, turn.x, coordinate(), coordinate()};
    cpShapeUpdate(shape, shape->body->transform);
  }
  // Numbers of an exploded scene.
  void spoil(cpShape* shape) {
    const double bad = FORKMUNK_BY_PRECISION(pick({NAN, INFINITY, -INFINITY, 1e155, 1e300, -0.0, 5e-324}),
                                             pick({NAN, INFINITY, -INFINITY, 1e17, 1e30, -0.0, 1e-45}));
    cpFloat* const fields[]{&shape->body->transform.tx, &shape->body->transform.ty, &shape->body->transform.a};
    *fields[below(3)] = bad;
    cpShapeUpdate(shape, shape->body->transform);
  }

  // Returns no id, or one from before the pair moved or its polygon changed.
  cpCollisionID earlier_id(cpShape* a, cpShape* b) {
    const unsigned kind = below(8);
    if (kind < 2) return 0;
    if (kind == 2) return static_cast<cpCollisionID>(random_.next());
    if (kind == 3) return static_cast<cpCollisionID>(random_.next()) & 0x01010101u;
    std::array<cpContact, 2> contacts;
    const cpTransform now = a->body->transform;
    a->body->transform.tx += scale_ * between(-0.1, 0.1);
    a->body->transform.ty += scale_ * (kind < 6 ? 0.0 : between(-1, 1));
    cpShapeUpdate(a, a->body->transform);
    const cpCollisionID id = cpCollide(a, b, 0, contacts.data()).id;
    a->body->transform = now;
    cpShapeUpdate(a, now);
    return id;
  }

  static cpSpace stock_space() {
    cpSpace space{};
    forkmunk_set_defects(&space, FORKMUNK_DEFECTS_STOCK);
    return space;
  }

  Random random_;
  cpSpace space_ = stock_space();
  double scale_ = 1;
  bool on_grid_ = false;
  std::vector<std::unique_ptr<cpBody, FreeBody>> bodies_;
  std::vector<std::unique_ptr<cpShape, FreeShape>> shapes_;
};

std::string bits_of(cpVect v) {
  char text[64];
  std::snprintf(text, sizeof text, "(%.17g, %.17g)", v.x, v.y);
  return text;
}
bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(cpVect a, cpVect b) { return same_bits(a.x, b.x) && same_bits(a.y, b.y); }

void expect_stock(const PairTest& test, const Collision& found) {
  std::array<cpContact, 2> contacts;
  const cpCollisionInfo stock = cpCollide(test.a, test.b, test.id, contacts.data());
  EXPECT_EQ(found.id, stock.id);
  ASSERT_EQ(found.count, stock.count);
  if (stock.count == 0) return;
  EXPECT_TRUE(same(found.normal, stock.n)) << bits_of(found.normal) << " " << bits_of(stock.n);
  for (int i = 0; i < stock.count; ++i) {
    EXPECT_EQ(found.hashes[i], contacts[i].hash);
    EXPECT_TRUE(same(found.points[2 * i], contacts[i].r1)) << bits_of(found.points[2 * i]) << bits_of(contacts[i].r1);
    EXPECT_TRUE(same(found.points[2 * i + 1], contacts[i].r2));
  }
}

struct Counts {
  std::uint64_t tested = 0, known = 0, touching = 0;
};

void test_batch(const CollisionKernels& kernels, PairKind kind, const std::vector<PairTest>& batch, Counts& counts) {
  std::vector<PairTest> tests;
  for (const PairTest& test : batch) {
    if (kind_of(*test.a, *test.b, test.a->klass->type, test.b->klass->type, test.id) == kind) tests.push_back(test);
  }
  if (tests.empty()) return;
  kernels.test[static_cast<std::size_t>(kind)](tests.data(), tests.size());
  for (const PairTest& test : tests) {
    ++counts.tested;
    if (!test.collision->is_known) continue;
    ++counts.known;
    if (test.collision->count > 0) ++counts.touching;
    expect_stock(test, *test.collision);
  }
}

class CollisionKernel : public testing::TestWithParam<SimdTarget> {};

TEST_P(CollisionKernel, EqualsStock) {
  const CollisionKernels* const kernels = collision_kernels(GetParam());
  if (kernels == nullptr) GTEST_SKIP() << "no kernels on this machine";
  std::array<Counts, kPairKindCount> counts;
  const std::uint64_t wanted = pair_count();
  RandomPairs pairs(static_cast<std::uint64_t>(GetParam()) + 1);
  std::uint64_t made = 0;
  for (std::size_t size = 1; made < wanted && !HasFailure(); size = size % kPairsMax + 1) {
    std::array<Collision, kPairsMax> collisions;
    std::vector<PairTest> batch(size);
    made += size;
    for (std::size_t i = 0; i < batch.size(); ++i) pairs.make(batch[i], collisions[i]);
    for (std::size_t kind = 0; kind < kPairKindCount; ++kind) {
      test_batch(*kernels, static_cast<PairKind>(kind), batch, counts[kind]);
    }
    pairs.clear();
  }
  for (std::size_t kind = 0; kind < kPairKindCount; ++kind) {
    const Counts& c = counts[kind];
    std::printf("kind %zu: %llu pairs, %.2f %% known, %.1f %% touch\n", kind, static_cast<unsigned long long>(c.tested),
                100.0 * static_cast<double>(c.known) / static_cast<double>(c.tested),
                100.0 * static_cast<double>(c.touching) / static_cast<double>(c.known));
    EXPECT_GT(c.touching, 0u);
    EXPECT_GT(c.known * 2, c.tested) << "kind " << kind << " gives up often";
  }
}

std::vector<double> moved_numbers(const cpShape& shape) {
  std::vector<double> numbers{shape.bb.l, shape.bb.b, shape.bb.r, shape.bb.t};
  if (shape.klass->type != CP_POLY_SHAPE) return numbers;
  const auto& polygon = reinterpret_cast<const cpPolyShape&>(shape);
  for (int i = 0; i < polygon.count; ++i) {
    const cpSplittingPlane& plane = polygon.planes[i];
    numbers.insert(numbers.end(), {plane.v0.x, plane.v0.y, plane.n.x, plane.n.y});
  }
  return numbers;
}

bool same_number(double a, double b) { return same_bits(a, b) || (std::isnan(a) && std::isnan(b)); }

TEST_P(CollisionKernel, MovesShapesAsStock) {
  const CollisionKernels* const kernels = collision_kernels(GetParam());
  if (kernels == nullptr) GTEST_SKIP() << "no kernels on this machine";
  RandomPairs pairs(static_cast<std::uint64_t>(GetParam()) + 100);
  const std::uint64_t wanted = pair_count() / 10;
  for (std::uint64_t made = 0; made < wanted && !HasFailure(); ++made) {
    PairTest test;
    Collision collision;
    pairs.make(test, collision);
    for (const cpShape* of_pair : {test.a, test.b}) {
      auto* shape = const_cast<cpShape*>(of_pair);
      const std::vector<double> expected = moved_numbers(*shape);
      const cpTransform now = shape->body->transform;
      cpShapeUpdate(shape, {1, 0, 0, 1, 1000, 1000});
      shape->body->transform = now;
      kernels->update_shapes(&shape, 1);
      const std::vector<double> found = moved_numbers(*shape);
      EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same_number)) << made;
    }
    pairs.clear();
  }
}

std::string name_of(const testing::TestParamInfo<SimdTarget>& target) { return std::string(to_string(target.param)); }
INSTANTIATE_TEST_SUITE_P(All, CollisionKernel, testing::ValuesIn(available_simd_targets()), name_of);

}  // namespace
}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
