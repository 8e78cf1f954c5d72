// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/simd_target.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <cstdint>

#include <chipmunk/chipmunk_structs.h>

/// Chipmunk's collision test (cpCollide) with its bits, of one pair in each SIMD lane.
namespace forkmunk::FORKMUNK_CHIPMUNK::fast {

/// Pages download the kernels, so WebAssembly has only one.
#ifdef __wasm__
inline constexpr bool kIsSmall = true;
#else
inline constexpr bool kIsSmall = false;
#endif
inline constexpr int kKernelVertexCountMin = 3, kKernelVertexCountMax = kIsSmall ? 4 : 8;

/// The kinds of pairs, by the maximum number of vertices of each polygon. `rounded` is a circle or segment and a
/// polygon.
enum class PairKind : std::uint8_t { polygons_4, polygons_8, rounded_4, rounded_8, none };
inline constexpr std::size_t kPairKindCount = static_cast<std::size_t>(PairKind::none);

/// The result of cpCollide().
struct Collision {
  cpVect normal;     ///< Unset unless count > 0.
  cpVect points[4];  ///< The r1 and r2 of each contact, in world coordinates.
  std::uint32_t hashes[2];
  cpCollisionID id;  ///< The id for the next test of the pair.
  std::uint8_t count;
  /// False leaves the pair to cpCollide().
  bool is_known;
};

/// \pre a's type is not above b's; kind_of(*a, *b, ...) is the group's.
struct PairTest {
  const cpShape* a;
  const cpShape* b;
  cpShapeType a_type;
  cpCollisionID id;
  Collision* collision;
};

/// Returns the kernel for a pair in the order of types. `id` is the result of the pair's last test.
[[nodiscard]] inline PairKind kind_of(const cpShape& a, const cpShape& b, cpShapeType a_type, cpShapeType b_type,
                                      cpCollisionID id) noexcept {
  if (b_type != CP_POLY_SHAPE) return PairKind::none;
  const auto count_of = [](const cpShape& shape) { return reinterpret_cast<const cpPolyShape&>(shape).count; };
  int count = count_of(b);
  if (a_type == CP_POLY_SHAPE) count = count_of(a) > count ? count_of(a) : count;
  // Degenerate polygons and unusual indices of an earlier test are left to cpCollide().
  if (count > kKernelVertexCountMax || count_of(b) < kKernelVertexCountMin) return PairKind::none;
  if (a_type == CP_POLY_SHAPE && count_of(a) < kKernelVertexCountMin) return PairKind::none;
  if (a_type == CP_SEGMENT_SHAPE && (id & 0xFE00FE00u) != 0) return PairKind::none;
  if (a_type == CP_POLY_SHAPE) return count > 4 ? PairKind::polygons_8 : PairKind::polygons_4;
  return count > 4 ? PairKind::rounded_8 : PairKind::rounded_4;
}

/// Each kernel, by PairKind, tests `count` pairs, 1 or more.
using CollisionKernel = void (*)(const PairTest* tests, std::size_t count);
struct CollisionKernels {
  CollisionKernel test[kPairKindCount];
  std::size_t lane_count;
  /// Moves shapes to their bodies' positions, as cpShapeCacheBB() does.
  void (*update_shapes)(cpShape* const* shapes, std::size_t count);
};

/// Returns null if the target has none faster than cpCollide().
[[nodiscard]] const CollisionKernels* collision_kernels(SimdTarget target) noexcept;

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
