#include "fast/collision_batch.h"

#include "fast/collision_arrival.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/strict_math/force_inline.h>

#include <utility>

namespace forkmunk::chipmunk::fast {
namespace {

// Without branches, as all of these are mispredicted. Whether the boxes or the filters of two shapes keep them apart.
FORKMUNK_INLINE bool are_apart(const cpShape& a, const cpShape& b) noexcept {
  const cpBB &box = a.bb, &other_box = b.bb;
  const auto overlap = static_cast<unsigned>(box.l <= other_box.r) & static_cast<unsigned>(other_box.l <= box.r) &
                       static_cast<unsigned>(box.b <= other_box.t) & static_cast<unsigned>(other_box.b <= box.t);
  const cpShapeFilter &filter = a.filter, &other = b.filter;
  const auto rejects = static_cast<unsigned>(a.body == b.body) |
                       (static_cast<unsigned>(filter.group != 0) & static_cast<unsigned>(filter.group == other.group)) |
                       static_cast<unsigned>((filter.categories & other.mask) == 0) |
                       static_cast<unsigned>((other.categories & filter.mask) == 0);
  return ((overlap ^ 1U) | rejects) != 0;
}

// Whether a joint lets its bodies overlap.
bool joint_rejects(const cpBody* a, const cpBody* b) noexcept {
  if (b->constraintList == nullptr) return false;
  const cpConstraint* joint = a->constraintList;
  while (joint != nullptr) {
    if (!joint->collideBodies && ((joint->a == a && joint->b == b) || (joint->a == b && joint->b == a))) return true;
    joint = joint->a == a ? joint->next_a : joint->next_b;
  }
  return false;
}

}  // namespace

bool is_left_out(const cpShape* a, const cpShape* b) noexcept {
  return are_apart(*a, *b) || joint_rejects(a->body, b->body);
}

namespace {

// Whether a test reads how a body is turned, and not only what its shapes keep of that.
bool turns(const cpBBTreeCandidate& candidate) noexcept {
  const auto has_neighbours = [](const cpShape& shape) {
    if (shape.klass->type != CP_SEGMENT_SHAPE) return false;
    const auto& segment = reinterpret_cast<const cpSegmentShape&>(shape);
    return segment.a_tangent.x != 0 || segment.a_tangent.y != 0 || segment.b_tangent.x != 0 || segment.b_tangent.y != 0;
  };
  return has_neighbours(*candidate.a) || has_neighbours(*candidate.b);
}

// `first` may be null.
void prefetch(const void* first, std::size_t bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(reinterpret_cast<const void*>(begin + i));
}

// The data of a shape that a kernel reads and is_left_out() does not.
void prefetch_points(const cpShape* shape, cpShapeType type) noexcept {
  if (type == CP_POLY_SHAPE) prefetch(reinterpret_cast<const cpPolyShape*>(shape)->planes, 192);
}

}  // namespace

void prefetch_ahead(const cpBBTreeCandidate* candidates, std::size_t i, std::size_t count) noexcept {
  constexpr std::size_t kAhead = 8;
  if (i + kAhead >= count) return;
  prefetch(candidates[i + kAhead].a, 256);
  prefetch(candidates[i + kAhead].b, 256);
}

void CollisionBatch::add(cpSpace* space, const cpBBTreeCandidate& candidate, std::size_t index,
                         const CollisionKernels& kernels) {
  const cpShape *a = candidate.a, *b = candidate.b;
  cpShapeType a_type = a->klass->type, b_type = b->klass->type;
  if (a_type > b_type) {
    std::swap(a, b);
    std::swap(a_type, b_type);
  }
  const cpCollisionID id = candidate.id;
  const PairKind kind = kind_of(*a, *b, a_type, b_type, id);
  if (kind == PairKind::none) return;
  const layout::HashSet& met = layout::set_of(space->cachedArbiters);
  buckets_[index] = layout::pair_id_hash(a, b) % met.bucket_count;
  __builtin_prefetch(&met.buckets[buckets_[index]]);
  prefetch_points(a, a_type);
  prefetch_points(b, b_type);
  const std::size_t of_kernel = static_cast<std::size_t>(a_type) + (id != 0 ? CP_NUM_SHAPES : 0);
  Queue& queue = queues_[static_cast<std::size_t>(kind)][of_kernel];
  queue.tests[queue.count++] = {a, b, a_type, id, &collisions_[index]};
  if (queue.count == kernels.lane_count) {
    kernels.test[static_cast<std::size_t>(kind)](queue.tests.data(), queue.count);
    queue.count = 0;
  }
}

// What is left of a kernel's queues shares lanes. One pair alone is left to cpCollide(), which is faster then.
void CollisionBatch::test_queued(const CollisionKernels& kernels) {
  for (std::size_t kind = 0; kind < kPairKindCount; ++kind) {
    std::array<PairTest, kQueuesOfKernel * kLanesMax> left;
    std::size_t count = 0;
    for (Queue& queue : queues_[kind]) {
      for (std::size_t i = 0; i < queue.count; ++i) left[count++] = queue.tests[i];
      queue.count = 0;
    }
    const bool is_alone = count % kernels.lane_count == 1;
    if (is_alone) left[--count].collision->is_known = false;
    if (count != 0) kernels.test[kind](left.data(), count);
  }
}

// In stages, so that the collisions' misses in the cache overlap. An arbiter that a kernel finds no collision for is
// left.
void CollisionBatch::find_arbiters(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count) {
  const layout::HashSet& met = layout::set_of(space->cachedArbiters);
  std::array<const layout::HashSetBin*, kCandidatesMax> bins;
  touching_count_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Collision& found = collisions_[i];
    arbiters_[i] = nullptr;
    touching_[touching_count_] = static_cast<std::uint16_t>(i);
    touching_count_ += (static_cast<unsigned>(found.is_known) & static_cast<unsigned>(found.count == 0)) ^
                       1U;  // no branch, as it would be mispredicted
  }
  for (std::size_t k = 0; k < touching_count_; ++k) {
    const std::size_t i = touching_[k];
    bins[k] = collisions_[i].is_known ? met.buckets[buckets_[i]] : nullptr;
    __builtin_prefetch(bins[k]);
  }
  for (std::size_t k = 0; k < touching_count_; ++k) {
    if (bins[k] != nullptr) prefetch(bins[k]->element, sizeof(layout::ContactArbiter));
  }
  for (std::size_t k = 0; k < touching_count_; ++k) {
    const cpBBTreeCandidate& candidate = candidates[touching_[k]];
    arbiters_[touching_[k]] = find_arbiter(bins[k], candidate.a, candidate.b);
  }
}

std::size_t CollisionBatch::test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                                 const CollisionKernels* kernels, bool calls_back) {
  const std::size_t end = count < kCandidatesMax ? count : kCandidatesMax;
  for (std::size_t i = 0; i < end; ++i) {
    collisions_[i].is_known = false;
    if (kernels == nullptr || (calls_back && turns(candidates[i]))) continue;
    add(space, candidates[i], i, *kernels);
  }
  if (kernels != nullptr) test_queued(*kernels);
  find_arbiters(space, candidates, end);
  return end;
}

std::size_t leave_out(const cpBBTreeCandidate* candidates, std::size_t count, cpBBTreeCandidate* to,
                      std::uint16_t* positions) noexcept {
  std::size_t near = 0;
  for (std::size_t i = 0; i < count; ++i) {
    prefetch_ahead(candidates, i, count);
    const cpBBTreeCandidate candidate = candidates[i];
    to[near] = candidate;
    if (positions != nullptr) positions[near] = static_cast<std::uint16_t>(i);
    near += are_apart(*candidate.a, *candidate.b) ? 0 : 1;
  }
  // For all spaces: a joint in another one also keeps its bodies from colliding.
  std::size_t left = 0;
  for (std::size_t i = 0; i < near; ++i) {
    if (joint_rejects(to[i].a->body, to[i].b->body)) continue;
    if (positions != nullptr) positions[left] = positions[i];
    to[left++] = to[i];
  }
  return left;
}

}  // namespace forkmunk::chipmunk::fast
