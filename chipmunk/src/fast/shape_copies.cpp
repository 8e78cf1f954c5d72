#include "fast/shape_copies.h"

#include <cstdint>
#include <cstring>

namespace forkmunk::chipmunk::fast {
namespace {

/// What all shapes have; the rest of the shape's struct follows, and a polygon's planes.
struct Head {
  const cpShape* shape;
  const cpBody* body;
  cpBB bb;
  double rotation[2];  // of the body, for a segment's neighbours
};

Head head_of(const cpShape& shape) noexcept {
  return {&shape, shape.body, shape.bb, {shape.body->transform.a, shape.body->transform.b}};
}

struct Bytes {
  const std::byte* begin;
  std::size_t count;
};

// The rest of a shape's struct, without a polygon's memory for planes.
Bytes rest_of(const cpShape& shape) noexcept {
  std::size_t bytes = 0;
  switch (shape.klass->type) {
    case CP_CIRCLE_SHAPE: bytes = sizeof(cpCircleShape); break;
    case CP_SEGMENT_SHAPE: bytes = sizeof(cpSegmentShape); break;
    default: bytes = offsetof(cpPolyShape, _planes); break;
  }
  return {reinterpret_cast<const std::byte*>(&shape) + sizeof(cpShape), bytes - sizeof(cpShape)};
}

// The transformed planes of a polygon; none of another shape.
Bytes planes_of(const cpShape& shape) noexcept {
  if (shape.klass->type != CP_POLY_SHAPE) return {nullptr, 0};
  const auto& polygon = reinterpret_cast<const cpPolyShape&>(shape);
  return {reinterpret_cast<const std::byte*>(polygon.planes),
          static_cast<std::size_t>(polygon.count) * sizeof(cpSplittingPlane)};
}

bool equal(const std::byte* copy, Bytes bytes) noexcept {
  return bytes.count == 0 || std::memcmp(copy, bytes.begin, bytes.count) == 0;
}

}  // namespace

std::size_t ShapeCopies::add(const cpShape* shape) {
  for (const std::size_t last : last_) {
    const cpShape* of = nullptr;
    if (last < used_) std::memcpy(&of, &bytes_[last], sizeof of);
    if (of == shape) return last;
  }
  const Head head = head_of(*shape);
  const Bytes rest = rest_of(*shape), planes = planes_of(*shape);
  const std::size_t copy = used_;
  used_ += sizeof head + rest.count + planes.count;
  if (bytes_.size() < used_) bytes_.resize(2 * used_);
  std::byte* const to = &bytes_[copy];
  std::memcpy(to, &head, sizeof head);
  std::memcpy(to + sizeof head, rest.begin, rest.count);
  if (planes.count != 0) std::memcpy(to + sizeof head + rest.count, planes.begin, planes.count);
  last_[1] = last_[0];
  last_[0] = copy;
  return copy;
}

bool ShapeCopies::is_unchanged(std::size_t copy) const noexcept {
  const std::byte* const from = &bytes_[copy];
  const cpShape* shape = nullptr;
  std::memcpy(&shape, from, sizeof shape);
  const Head now = head_of(*shape);
  const Bytes rest = rest_of(*shape);
  // An equal rest has an equal count of planes.
  return std::memcmp(from, &now, sizeof now) == 0 && equal(from + sizeof now, rest) &&
         equal(from + sizeof now + rest.count, planes_of(*shape));
}

}  // namespace forkmunk::chipmunk::fast
