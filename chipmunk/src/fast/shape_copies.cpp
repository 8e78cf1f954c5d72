#include "fast/shape_copies.h"

#include <cstring>

namespace forkmunk::chipmunk::fast {
namespace {

/// What all shapes have; the rest of the shape's struct follows, and a polygon's planes.
struct Head {
  const cpBody* body;
  cpBB bb;
  double rotation[2];  // of the body, for a segment's neighbours
};

Head head_of(const cpShape& shape) noexcept {
  return {shape.body, shape.bb, {shape.body->transform.a, shape.body->transform.b}};
}

// Calls visit(begin, count) for the bytes that follow the head: the rest of the shape's struct without a polygon's
// memory for planes, and a polygon's transformed planes. \return false, after the first call that has returned it.
template <typename Visit>
bool each_part(const cpShape& shape, Visit&& visit) {
  const auto* const rest = reinterpret_cast<const std::byte*>(&shape) + sizeof(cpShape);
  switch (shape.klass->type) {
    case CP_CIRCLE_SHAPE: return visit(rest, sizeof(cpCircleShape) - sizeof(cpShape));
    case CP_SEGMENT_SHAPE: return visit(rest, sizeof(cpSegmentShape) - sizeof(cpShape));
    default: break;
  }
  const auto& polygon = reinterpret_cast<const cpPolyShape&>(shape);
  if (!visit(rest, offsetof(cpPolyShape, _planes) - sizeof(cpShape))) return false;
  const auto* const planes = reinterpret_cast<const std::byte*>(polygon.planes);
  for (int i = 0; i < polygon.count; ++i) {
    if (!visit(planes + static_cast<std::size_t>(i) * sizeof(cpSplittingPlane), sizeof(cpSplittingPlane))) return false;
  }
  return true;
}

constexpr std::size_t kBytesMin =
    sizeof(Head) + sizeof(cpSegmentShape) + sizeof(cpPolyShape);  // of a shape, without planes

}  // namespace

void ShapeCopies::clear() noexcept {
  used_ = 0;
  if (!copies_.empty()) last_with_.fill(0);
  copies_.clear();
}

std::uint32_t ShapeCopies::add(const cpShape* shape) {
  std::uint16_t& known = last_with_[shape->hashid % kSlots];
  if (known != 0 && copies_[known - 1u].shape == shape) return known - 1u;
  const std::size_t most =
      kBytesMin +
      (shape->klass->type == CP_POLY_SHAPE
           ? static_cast<std::size_t>(reinterpret_cast<const cpPolyShape*>(shape)->count) * sizeof(cpSplittingPlane)
           : 0);
  if (bytes_.size() < used_ + most) bytes_.resize(2 * (used_ + most));
  copies_.push_back({shape, used_, 0, true});
  known = static_cast<std::uint16_t>(copies_.size());
  const Head head = head_of(*shape);
  std::memcpy(&bytes_[used_], &head, sizeof head);
  std::byte* to = &bytes_[used_] + sizeof head;
  each_part(*shape, [&](const std::byte* from, std::size_t count) {
    std::memcpy(to, from, count);
    to += count;
    return true;
  });
  used_ = static_cast<std::size_t>(to - bytes_.data());
  return known - 1u;
}

bool ShapeCopies::is_unchanged(std::uint32_t number, std::uint32_t callbacks) noexcept {
  Copy& copy = copies_[number];
  if (copy.compared_after == callbacks) return copy.was_equal;
  copy.compared_after = callbacks;
  const std::byte* from = &bytes_[copy.begin];
  const Head now = head_of(*copy.shape);
  copy.was_equal = std::memcmp(from, &now, sizeof now) == 0;
  from += sizeof now;
  // An equal rest has an equal count of planes.
  copy.was_equal = copy.was_equal && each_part(*copy.shape, [&](const std::byte* part, std::size_t count) {
                     const bool is_equal = std::memcmp(from, part, count) == 0;
                     from += count;
                     return is_equal;
                   });
  return copy.was_equal;
}

}  // namespace forkmunk::chipmunk::fast
