#pragma once

#include "flat/lanes.h"

#include <array>
#include <cstddef>
#include <utility>

/// More than two doubles side by side: the cars of several worlds, world w's car p in lane 2 w + p. Each lane gets
/// exactly the operations that are written, in their order, so that a world does not see what the others do.
///
/// All of this is inlined into functions that are compiled for the instructions they need (velocity_solver.cpp).
namespace forkmunk::engine::flat {

#define FORKMUNK_INLINE [[gnu::always_inline]] inline

using Lanes4 = double __attribute__((vector_size(32)));
using Lanes8 = double __attribute__((vector_size(64)));

template <typename L>
inline constexpr std::size_t kLaneCount = sizeof(L) / sizeof(double);
/// Worlds whose cars fill an L.
template <typename L>
inline constexpr std::size_t kWorldsIn = kLaneCount<L> / 2;

namespace detail {
template <typename L, typename Of, std::size_t... kLanes>
FORKMUNK_INLINE L make(Of&& of, std::index_sequence<kLanes...>) noexcept {
  return L{of(kLanes)...};
}
}  // namespace detail

/// of(lane) in each lane.
template <typename L, typename Of>
FORKMUNK_INLINE L each_lane(Of&& of) noexcept {
  return detail::make<L>(of, std::make_index_sequence<kLaneCount<L>>());
}
template <typename L>
FORKMUNK_INLINE L all_lanes(double x) noexcept {
  return each_lane<L>([x](std::size_t) { return x; });
}
// Comparisons, choices and roots as lanes.h has them, of wider lanes.
template <typename L>
struct MaskFor {
  using Type = decltype(std::declval<L>() < std::declval<L>());
};
template <>
struct MaskFor<Lanes> {
  using Type = Mask;
};
template <typename L>
using MaskOf = typename MaskFor<L>::Type;
#define FORKMUNK_WIDE(L) \
  template <typename L>  \
  requires(kLaneCount<L> > 2) FORKMUNK_INLINE
FORKMUNK_WIDE(L) MaskOf<L> less(L a, L b) noexcept { return a < b; }
FORKMUNK_WIDE(L) MaskOf<L> at_most(L a, L b) noexcept { return a <= b; }
FORKMUNK_WIDE(L) MaskOf<L> equal(L a, L b) noexcept { return a == b; }
FORKMUNK_WIDE(L) L select(MaskOf<L> mask, L a, L b) noexcept { return mask ? a : b; }
FORKMUNK_WIDE(L) L square_root(L a) noexcept {
  for (std::size_t i = 0; i < kLaneCount<L>; i += 2) {
    const Lanes root = square_root(Lanes{a[i], a[i + 1]});
    a[i] = root[0];
    a[i + 1] = root[1];
  }
  return a;
}
/// Whether a[i] <= b[i] for any i.
FORKMUNK_WIDE(L) bool any_at_most(L a, L b) noexcept {
  bool any = false;
  for (std::size_t i = 0; i < kLaneCount<L>; ++i) any = any || a[i] <= b[i];
  return any;
}
#undef FORKMUNK_WIDE
FORKMUNK_INLINE bool any_at_most(Lanes a, Lanes b) noexcept { return any(at_most(a, b)); }

template <typename L>
FORKMUNK_INLINE VecOf<L> select_vec(MaskOf<L> mask, VecOf<L> a, VecOf<L> b) noexcept {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y)};
}

}  // namespace forkmunk::engine::flat
