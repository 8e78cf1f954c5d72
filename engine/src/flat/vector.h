// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/simd/lanes.h>
#include <forkmunk/engine/vec2.h>

#include <cfloat>
#include <cmath>
#include <utility>

/// Functions are evaluated as written, without contraction, in Chipmunk's order, on which the bits depend. The two
/// lanes are both cars, a body's velocity and bias velocity, or x and y. In wider lanes, car p of world w is in lane 2
/// w + p. Lanes are independent.
namespace forkmunk::engine::flat {

using namespace simd;
using Vec = VecOf<double>;
using Lanes = Lanes2;
using Mask = Mask2;

struct Box {
  Lanes low;   ///< Left and bottom.
  Lanes high;  ///< Right and top.
};

}  // namespace forkmunk::engine::flat

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

inline Vec vec(Vec2 v) noexcept { return {v.x, v.y}; }
inline Vec2 vec2(Vec v) noexcept { return {v.x, v.y}; }

inline Vec reverse_perpendicular(Vec v) noexcept { return {v.y, -v.x}; }
inline double length_squared(Vec v) noexcept { return dot(v, v); }
inline double length(Vec v) noexcept { return std::sqrt(dot(v, v)); }
/// Returns 0 for 0: the smallest normal number keeps the division defined.
inline Vec normalized(Vec v) noexcept { return v * (1.0 / (length(v) + DBL_MIN)); }
inline Vec lerp(Vec a, Vec b, double t) noexcept { return a * (1.0 - t) + b * t; }

/// x and y are in the lanes.
FORKMUNK_INLINE double dot_of(Lanes a, Lanes b) noexcept {
  const Lanes product = a * b;
#if defined(__SSE2__) && !defined(FORKMUNK_PLAIN_LANES)
  return _mm_cvtsd_f64(_mm_add_sd(product, _mm_unpackhi_pd(product, product)));  // gcc would copy product[0] first
#else
  return product[0] + product[1];
#endif
}

FORKMUNK_INLINE Lanes turned_left(Lanes v) noexcept {
#if defined(__SSE2__) && !defined(FORKMUNK_PLAIN_LANES)
  return _mm_xor_pd(_mm_shuffle_pd(v, v, 1), Lanes{-0.0, 0.0});
#else
  return Lanes{-v[1], v[0]};
#endif
}

/// The worlds whose cars fill an L.
template <typename L>
inline constexpr std::size_t kWorldsIn = kLanesOf<L> / 2;

template <std::size_t kWorld, typename L>
FORKMUNK_INLINE Lanes pair_of(L a) noexcept {
  return __builtin_shufflevector(a, a, 2 * kWorld, 2 * kWorld + 1);
}

namespace detail {
template <typename L, typename Of, std::size_t... kLanes>
FORKMUNK_INLINE L joined(Of& of, std::index_sequence<kLanes...>) noexcept {
  return __builtin_shufflevector(of(0), of(1), kLanes...);
}
template <typename L, typename Visit, std::size_t... kPairs>
FORKMUNK_INLINE void each_pair(L a, Visit& visit, std::index_sequence<kPairs...>) noexcept {
  (visit(kPairs, pair_of<kPairs>(a)), ...);
}
template <std::size_t kFromA, std::size_t kFromB, typename L, std::size_t... kLanes>
FORKMUNK_INLINE L pairs_of(L a, L b, std::index_sequence<kLanes...>) noexcept {
  return __builtin_shufflevector(a, b, (kLanes % 2 == 0 ? kLanes + kFromA : kLanesOf<L> + kLanes - 1 + kFromB)...);
}
}  // namespace detail

template <typename L, typename Of>
FORKMUNK_INLINE L joined(Of&& of) noexcept {
  if constexpr (kWorldsIn<L> == 1) {
    return of(0);
  } else {
    static_assert(kWorldsIn<L> == 2);
    return detail::joined<L>(of, std::make_index_sequence<4>());
  }
}
template <typename L, typename Visit>
FORKMUNK_INLINE void each_pair(L a, Visit&& visit) noexcept {
  detail::each_pair(a, visit, std::make_index_sequence<kWorldsIn<L>>());
}
template <typename L, typename Of>
FORKMUNK_INLINE L each_lane(Of&& of) noexcept {
  return joined<L>([&](std::size_t world) { return Lanes{of(2 * world), of(2 * world + 1)}; });
}
/// Returns, for each world, a lane of a and a lane of b (0 or 1).
template <std::size_t kFromA, std::size_t kFromB, typename L>
FORKMUNK_INLINE L pairs_of(L a, L b) noexcept {
  return detail::pairs_of<kFromA, kFromB>(a, b, std::make_index_sequence<kLanesOf<L>>());
}

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
/// Returns twice the centres' distance in the sum norm: |l + r - l' - r'| + |b + t - b' - t'|.
inline double proximity(const Box& a, const Box& b) noexcept {
  const Lanes d = a.low + a.high - b.low - b.high;
  return (d[0] < 0 ? -d[0] : d[0]) + (d[1] < 0 ? -d[1] : d[1]);
}
/// Chooses between children for a new leaf: the smaller sum of areas, then the nearer, then the first.
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
inline Lanes centre(const Box& a) noexcept { return a.low * 0.5 + a.high * 0.5; }

FORKMUNK_KERNEL_END
