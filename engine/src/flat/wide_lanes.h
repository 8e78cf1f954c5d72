#pragma once

#include "flat/lanes.h"

#ifdef FORKMUNK_AVX2_REGION
#define FORKMUNK_AVX2_LANES 1
#include <immintrin.h>
#endif

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// Doubles in SIMD lanes for the cars of several worlds: world w's car p in lane 2 w + p. Each lane gets exactly the
/// written operations, in their order, so worlds are independent.
FORKMUNK_KERNEL_BEGIN

template <typename L>
inline constexpr std::size_t kLaneCount = sizeof(L) / sizeof(double);
/// Worlds whose cars fill an L.
template <typename L>
inline constexpr std::size_t kWorldsIn = kLaneCount<L> / 2;

/// The result of a comparison, lane by lane.
template <typename L>
struct MaskFor {
  using Type = Mask;
};

inline bool any_at_most(Lanes a, Lanes b) noexcept { return any(at_most(a, b)); }

#ifdef FORKMUNK_AVX2_LANES

/// Like those of lanes.h, four at a time.
using Lanes4 = double __attribute__((vector_size(32)));
using Mask4 = __m256d;
inline Mask4 less(Lanes4 a, Lanes4 b) noexcept { return _mm256_cmp_pd(a, b, _CMP_LT_OS); }
inline Mask4 at_most(Lanes4 a, Lanes4 b) noexcept { return _mm256_cmp_pd(a, b, _CMP_LE_OS); }
inline Mask4 equal(Lanes4 a, Lanes4 b) noexcept { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
inline std::uint32_t bits_of(Mask4 mask) noexcept { return static_cast<std::uint32_t>(_mm256_movemask_pd(mask)); }
inline bool any_at_most(Lanes4 a, Lanes4 b) noexcept { return bits_of(at_most(a, b)) != 0; }
inline Lanes4 select(Mask4 mask, Lanes4 a, Lanes4 b) noexcept { return _mm256_blendv_pd(b, a, mask); }
inline Lanes4 max_of(Lanes4 a, Lanes4 b) noexcept { return _mm256_max_pd(a, b); }
inline Lanes4 min_of(Lanes4 a, Lanes4 b) noexcept { return _mm256_min_pd(a, b); }
inline Lanes4 square_root(Lanes4 a) noexcept { return _mm256_sqrt_pd(a); }
template <>
struct MaskFor<Lanes4> {
  using Type = Mask4;
};

/// As many as a register holds.
using WideLanes = Lanes4;

#else
using WideLanes = Lanes;
#endif

template <typename L>
using MaskOf = typename MaskFor<L>::Type;

/// A world's two lanes.
template <std::size_t kWorld, typename L>
FORKMUNK_INLINE Lanes pair_of(L a) noexcept {
  return __builtin_shufflevector(a, a, 2 * kWorld, 2 * kWorld + 1);
}

namespace detail {
template <typename L, std::size_t... kLanes>
FORKMUNK_INLINE L all_lanes(double x, std::index_sequence<kLanes...>) noexcept {
  return L{((void)kLanes, x)...};
}
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
  return __builtin_shufflevector(a, b, (kLanes % 2 == 0 ? kLanes + kFromA : kLaneCount<L> + kLanes - 1 + kFromB)...);
}
}  // namespace detail

/// As many doubles as fill an L. \pre aligned to its size.
template <typename L>
FORKMUNK_INLINE L load_lanes(const double* first) noexcept {
  return *reinterpret_cast<const L*>(first);
}
template <typename L>
FORKMUNK_INLINE void store_lanes(double* first, L value) noexcept {
  *reinterpret_cast<L*>(first) = value;
}
template <typename L>
FORKMUNK_INLINE L all_lanes(double x) noexcept {
  return detail::all_lanes<L>(x, std::make_index_sequence<kLaneCount<L>>());
}
/// of(world): the world's two lanes.
template <typename L, typename Of>
FORKMUNK_INLINE L joined(Of&& of) noexcept {
  if constexpr (kWorldsIn<L> == 1) {
    return of(0);
  } else {
    static_assert(kWorldsIn<L> == 2);
    return detail::joined<L>(of, std::make_index_sequence<4>());
  }
}
/// visit(world, the world's two lanes).
template <typename L, typename Visit>
FORKMUNK_INLINE void each_pair(L a, Visit&& visit) noexcept {
  detail::each_pair(a, visit, std::make_index_sequence<kWorldsIn<L>>());
}
/// of(lane) in each lane.
template <typename L, typename Of>
FORKMUNK_INLINE L each_lane(Of&& of) noexcept {
  return joined<L>([&](std::size_t world) { return Lanes{of(2 * world), of(2 * world + 1)}; });
}
/// For each world one lane of a and one of b: its first or its second (0 or 1) of either.
template <std::size_t kFromA, std::size_t kFromB, typename L>
FORKMUNK_INLINE L pairs_of(L a, L b) noexcept {
  return detail::pairs_of<kFromA, kFromB>(a, b, std::make_index_sequence<kLaneCount<L>>());
}

template <typename L>
FORKMUNK_INLINE VecOf<L> select_vec(MaskOf<L> mask, VecOf<L> a, VecOf<L> b) noexcept {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y)};
}

FORKMUNK_KERNEL_END
