// SPDX-License-Identifier: MIT
#pragma once

#include "flat/model.h"

#include <forkmunk/base/random.h>

#include <bit>
#include <memory>
#include <numbers>
#include <vector>

#include <chipmunk/chipmunk_structs.h>

/// Chipmunk's own functions in strict arithmetic, the bit-exact reference of the kernels.
extern "C" {
// chipmunk_private.h is not valid C++ if a pointer is wider than a hash.
cpCollisionInfo cpCollide(const cpShape* a, const cpShape* b, cpCollisionID id, cpContact* contacts);
void cpArbiterPreStep(cpArbiter* arbiter, cpFloat dt, cpFloat bias, cpFloat slop);
void cpArbiterApplyCachedImpulse(cpArbiter* arbiter, cpFloat dt_coef);
void cpArbiterApplyImpulse(cpArbiter* arbiter);

#define X(function) extern decltype(::function) forkmunk_stock_strict_##function;
#include "engine/flat/chipmunk_kernels.def"

#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
}

namespace forkmunk::engine::flat {

struct StockChipmunk {
#define X(function) decltype(&::function) function;
#include "engine/flat/chipmunk_kernels.def"

#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};
inline constexpr StockChipmunk stock{
#define X(function) &forkmunk_stock_strict_##function,
#include "engine/flat/chipmunk_kernels.def"

#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};

struct Free {
  void operator()(cpBody* body) const { stock.cpBodyFree(body); }
  void operator()(cpShape* shape) const { stock.cpShapeFree(shape); }
  void operator()(cpConstraint* constraint) const { stock.cpConstraintFree(constraint); }
  void operator()(cpSpatialIndex* index) const { stock.cpSpatialIndexFree(index); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

inline cpVect cp(Vec v) noexcept { return {v.x, v.y}; }
inline Vec vec(cpVect v) noexcept { return {v.x, v.y}; }
inline std::vector<cpVect> cp(const std::vector<Vec>& vertices) {
  std::vector<cpVect> result;
  for (const Vec v : vertices) result.push_back(cp(v));
  return result;
}
inline cpTransform transform_of(Vec rotation, Vec origin) noexcept {
  return {rotation.x, rotation.y, -rotation.y, rotation.x, origin.x, origin.y};
}

inline bool same(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(Vec a, cpVect b) noexcept { return same(a.x, b.x) && same(a.y, b.y); }
/// b - a instead of a - b changes the signs of zeros, which vanish in sums.
inline bool is_same(Vec a, cpVect b) noexcept { return a.x == b.x && a.y == b.y; }
inline bool same(const Box& a, const cpBB& b) noexcept {
  return same(a.low[0], b.l) && same(a.low[1], b.b) && same(a.high[0], b.r) && same(a.high[1], b.t);
}

inline Vec random_vec(Random& random, double reach) noexcept {
  const double x = random.between(-reach, reach);
  return {x, random.between(-reach, reach)};
}
inline Vec random_rotation(Random& random) noexcept {
  const double angle = random.between(-10, 10);
  return {std::cos(angle), std::sin(angle)};
}
/// Returns 3 to 32 vertices on an ellipse or of a rectangle, counter-clockwise.
inline std::vector<Vec> random_polygon(Random& random) {
  const double width = random.between(1, 60), height = random.below(3) == 0 ? width : random.between(1, 60);
  if (random.below(3) == 0) return {{width, -height}, {width, height}, {-width, height}, {-width, -height}};
  const std::size_t count = 3 + random.below(kPolygonVertexCountMax - 2);
  std::vector<Vec> result;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle =
        2 * std::numbers::pi * (static_cast<double>(i) + random.between(0, 0.8)) / static_cast<double>(count);
    result.push_back({width * std::cos(angle), height * std::sin(angle)});
  }
  return result;
}

}  // namespace forkmunk::engine::flat
