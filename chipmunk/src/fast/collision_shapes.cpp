#include "fast/collision_shapes.h"

#include <forkmunk/strict_math/force_inline.h>

#include <limits>

FORKMUNK_FAST_BEGIN
namespace {

FORKMUNK_INLINE const cpPolyShape& polygon_of(const cpShape& shape) noexcept {
  return reinterpret_cast<const cpPolyShape&>(shape);
}

#if defined(FORKMUNK_FAST_AVX2) || defined(FORKMUNK_FAST_AVX512)

// cpPolyShapeCacheData(), a plane at a time: its vertex and its normal in one register.
FORKMUNK_INLINE void update_polygon(cpShape& shape, const cpTransform& transform) noexcept {
  const cpPolyShape& polygon = polygon_of(shape);
  const int count = polygon.count;
  cpSplittingPlane* const planes = polygon.planes;
  const __m256d x_axis = _mm256_setr_pd(transform.a, transform.b, transform.a, transform.b);
  const __m256d y_axis = _mm256_setr_pd(transform.c, transform.d, transform.c, transform.d);
  // A normal is not moved: -0 added leaves any number as it is.
  const __m256d offset = _mm256_setr_pd(transform.tx, transform.ty, -0.0, -0.0);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  __m256d low = _mm256_set1_pd(kInfinity), high = _mm256_set1_pd(-kInfinity);
  for (int i = 0; i < count; ++i) {
    const __m256d plane = _mm256_loadu_pd(&planes[count + i].v0.x);
    const __m256d x = _mm256_permute_pd(plane, 0x0), y = _mm256_permute_pd(plane, 0xF);
    const __m256d moved = x_axis * x + y_axis * y + offset;
    _mm256_storeu_pd(&planes[i].v0.x, moved);
    low = _mm256_min_pd(low, moved);
    high = _mm256_max_pd(high, moved);
  }
  const __m128d radius = _mm_set1_pd(polygon.r);
  _mm_storeu_pd(&shape.bb.l, _mm256_castpd256_pd128(low) - radius);
  _mm_storeu_pd(&shape.bb.r, _mm256_castpd256_pd128(high) + radius);
}

#else

FORKMUNK_INLINE void update_polygon(cpShape& shape, const cpTransform& transform) {
  shape.bb = shape.klass->cacheData(&shape, transform);
}

#endif

FORKMUNK_INLINE void prefetch(const void* first, int bytes) noexcept {
  for (int i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<const char*>(first) + i);
}

}  // namespace

void update_shapes(cpShape* const* shapes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 8 < count) prefetch(shapes[i + 8], 256);
    if (i + 4 < count) {
      const cpShape& ahead = *shapes[i + 4];
      prefetch(&ahead.body->transform, 64);
      if (ahead.klass->type == CP_POLY_SHAPE) prefetch(polygon_of(ahead).planes, 256);
    }
    cpShape& shape = *shapes[i];
    if (shape.klass->type == CP_POLY_SHAPE) {
      update_polygon(shape, shape.body->transform);
    } else {
      shape.bb = shape.klass->cacheData(&shape, shape.body->transform);
    }
  }
}

FORKMUNK_FAST_END
