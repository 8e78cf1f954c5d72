#include "fast/collision_batch.h"

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

// As QueryReject() in cpSpaceStep.c.
bool is_left_out(const cpShape* a, const cpShape* b) noexcept {
  return !overlap(a->bb, b->bb) || a->body == b->body || filters_reject(a->filter, b->filter) ||
         joint_rejects(a->body, b->body);
}

void prefetch_shape(const cpShape* shape) noexcept {
  const char* const bytes = reinterpret_cast<const char*>(shape);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + 64);
  __builtin_prefetch(bytes + 128);
}

}  // namespace

void CollisionBatch::add(const cpBBTreeCandidate& candidate, std::size_t index, const CollisionKernels& kernels) {
  const cpShape *a = candidate.a, *b = candidate.b;
  cpShapeType a_type = a->klass->type, b_type = b->klass->type;
  if (a_type > b_type) {
    std::swap(a, b);
    std::swap(a_type, b_type);
  }
  const cpCollisionID id = candidate.id != nullptr ? *candidate.id : 0;
  const PairKind kind = kind_of(*a, *b, a_type, b_type, id);
  outcomes_[index] = Outcome::untested;
  if (kind == PairKind::none) return;
  outcomes_[index] = Outcome::tested;
  Queue& queue = queues_[static_cast<std::size_t>(kind)][id != 0 ? 1 : 0];
  queue.tests[queue.count++] = {a, b, id, &collisions_[index]};
  if (queue.count < kernels.lane_count) return;
  kernels.test[static_cast<std::size_t>(kind)](queue.tests.data(), queue.count);
  queue.count = 0;
}

void CollisionBatch::test_queued(const CollisionKernels& kernels) {
  for (std::size_t kind = 0; kind < kPairKindCount; ++kind) {
    for (Queue& queue : queues_[kind]) {
      if (queue.count > 0) kernels.test[kind](queue.tests.data(), queue.count);
      queue.count = 0;
    }
  }
}

// All before the first is needed: the memory that they are read from is waited for once.
void CollisionBatch::find_arbiters(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    arbiters_[i] = nullptr;
    const Collision* const found = collision(i);
    if (found == nullptr || found->count == 0) continue;
    arbiters_[i] = find_arbiter(space, candidates[i].a, candidates[i].b);
    if (arbiters_[i] != nullptr) __builtin_prefetch(arbiters_[i]->contacts);
  }
}

std::size_t CollisionBatch::test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                                 const CollisionKernels* kernels, const Callbacks& callbacks) {
  constexpr std::size_t kAhead = 8;
  const std::size_t most = count < kCandidatesMax ? count : kCandidatesMax;
  std::size_t done = 0;
  ends_with_callback_ = false;
  while (done < most && !ends_with_callback_) {
    if (done + kAhead < count) {
      prefetch_shape(candidates[done + kAhead].a);
      prefetch_shape(candidates[done + kAhead].b);
    }
    const cpBBTreeCandidate& candidate = candidates[done];
    const std::size_t index = done++;
    if (is_left_out(candidate.a, candidate.b)) {
      outcomes_[index] = Outcome::rejected;
      continue;
    }
    ends_with_callback_ = callbacks.any() && callbacks.concern(*candidate.a, *candidate.b);
    outcomes_[index] = Outcome::untested;
    if (kernels != nullptr) add(candidate, index, *kernels);
  }
  if (kernels != nullptr) test_queued(*kernels);
  find_arbiters(space, candidates, done);
  return done;
}

}  // namespace forkmunk::chipmunk::fast
