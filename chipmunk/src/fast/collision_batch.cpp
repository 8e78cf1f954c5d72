#include "fast/collision_batch.h"

#include "fast/collision_arrival.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <utility>

namespace forkmunk::chipmunk::fast {
namespace {

bool overlap(const cpBB& a, const cpBB& b) noexcept { return a.l <= b.r && b.l <= a.r && a.b <= b.t && b.b <= a.t; }

bool filters_reject(const cpShapeFilter& a, const cpShapeFilter& b) noexcept {
  return (a.group != 0 && a.group == b.group) || (a.categories & b.mask) == 0 || (b.categories & a.mask) == 0;
}

// Whether a joint lets its bodies overlap.
bool joint_rejects(const cpBody* a, const cpBody* b) noexcept {
  const cpConstraint* joint = a->constraintList;
  while (joint != nullptr) {
    if (!joint->collideBodies && ((joint->a == a && joint->b == b) || (joint->a == b && joint->b == a))) return true;
    joint = joint->a == a ? joint->next_a : joint->next_b;
  }
  return false;
}

}  // namespace

bool is_left_out(const cpShape* a, const cpShape* b) noexcept {
  return !overlap(a->bb, b->bb) || a->body == b->body || filters_reject(a->filter, b->filter) ||
         joint_rejects(a->body, b->body);
}

namespace {

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
  outcomes_[index] = Outcome::untested;
  if (kind == PairKind::none) return;
  outcomes_[index] = Outcome::tested;
  const layout::HashSet& met = layout::set_of(space->cachedArbiters);
  buckets_[index] = layout::pair_id_hash(a, b) % met.bucket_count;
  __builtin_prefetch(&met.buckets[buckets_[index]]);
  prefetch_points(a, a_type);
  prefetch_points(b, b_type);
  const std::size_t of_kernel = static_cast<std::size_t>(a_type) + (id != 0 ? CP_NUM_SHAPES : 0);
  Queue& queue = queues_[static_cast<std::size_t>(kind)][of_kernel];
  queue.tests[queue.count++] = {a, b, a_type, id, &collisions_[index]};
  if (queue.count < kernels.lane_count) return;
  kernels.test[static_cast<std::size_t>(kind)](queue.tests.data(), queue.count);
  queue.count = 0;
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
  std::array<std::uint16_t, kCandidatesMax> touching;
  std::array<const layout::HashSetBin*, kCandidatesMax> bins;
  std::size_t touching_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    arbiters_[i] = nullptr;
    const Collision* const found = collision(i);
    if (found == nullptr || found->count == 0) continue;
    const layout::HashSetBin* const bin = met.buckets[buckets_[i]];
    __builtin_prefetch(bin);
    bins[touching_count] = bin;
    touching[touching_count++] = static_cast<std::uint16_t>(i);
  }
  for (std::size_t k = 0; k < touching_count; ++k) {
    if (bins[k] != nullptr) prefetch(bins[k]->element, sizeof(layout::ContactArbiter));
  }
  for (std::size_t k = 0; k < touching_count; ++k) {
    const cpBBTreeCandidate& candidate = candidates[touching[k]];
    arbiters_[touching[k]] = find_arbiter(bins[k], candidate.a, candidate.b);
  }
}

std::size_t CollisionBatch::test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                                 const CollisionKernels* kernels) {
  constexpr std::size_t kAhead = 8;
  const bool keeps = may_call_back(*space);
  const std::size_t end = count < kCandidatesMax ? count : kCandidatesMax;
  copies_.clear();
  for (std::size_t i = 0; i < end; ++i) {
    if (i + kAhead < count) {
      prefetch(candidates[i + kAhead].a, 256);
      prefetch(candidates[i + kAhead].b, 256);
    }
    const cpBBTreeCandidate& candidate = candidates[i];
    if (is_left_out(candidate.a, candidate.b)) {
      outcomes_[i] = Outcome::rejected;
      continue;
    }
    outcomes_[i] = Outcome::untested;
    if (kernels == nullptr) continue;
    add(space, candidate, i, *kernels);
    if (keeps && outcomes_[i] == Outcome::tested) copies_of_[i] = {copies_.add(candidate.a), copies_.add(candidate.b)};
  }
  if (kernels != nullptr) test_queued(*kernels);
  find_arbiters(space, candidates, end);
  return end;
}

}  // namespace forkmunk::chipmunk::fast
