#pragma once

#include "fast/collision_kernel.h"
#include "fast/shape_copies.h"
#include "fast/stock_tree.h"

#include <array>
#include <cstddef>

namespace forkmunk::chipmunk::fast {

/// Whether two shapes have no collision, as QueryReject() in cpSpaceStep.c.
[[nodiscard]] bool is_left_out(const cpShape* a, const cpShape* b) noexcept;

/// Reads a candidate's shapes ahead in a loop over `count`.
void prefetch_ahead(const cpBBTreeCandidate* candidates, std::size_t i, std::size_t count) noexcept;

/// Removes the candidates that are left out, of `count`, where no callback can change that. \return how many are left.
std::size_t leave_out(const cpSpace& space, cpBBTreeCandidate* candidates, std::size_t count) noexcept;

/// The collision tests of candidates that follow each other, done in groups before the first of them calls back. A
/// callback may change shapes: where there are any, what the tests have read is kept, and compared after it.
class CollisionBatch {
 public:
  static constexpr std::size_t kCandidatesMax = 512;

  /// Tests the first of `count` candidates, one at least. \return how many.
  /// \param calls_back  whether callbacks may change shapes before the results are used; if not, leave_out() was
  /// called.
  std::size_t test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                   const CollisionKernels* kernels, bool calls_back);

  /// The candidates that collide or that no kernel has tested: `touching_count()` indices, in order.
  [[nodiscard]] const std::uint16_t* touching() const noexcept { return touching_.data(); }
  [[nodiscard]] std::size_t touching_count() const noexcept { return touching_count_; }

  /// Whether cpSpaceCollideShapes() leaves the batch's candidate `index` out, before callbacks.
  [[nodiscard]] bool is_rejected(std::size_t index) const noexcept { return is_rejected_[index]; }
  /// Null where no kernel has tested the candidate.
  [[nodiscard]] const Collision* collision(std::size_t index) const noexcept {
    return collisions_[index].is_known ? &collisions_[index] : nullptr;
  }
  /// The same, but null if one of the callbacks since test() has changed what the test has read.
  [[nodiscard]] const Collision* collision_if_valid(std::size_t index, std::uint32_t callbacks) noexcept {
    const Collision* const found = collision(index);
    const auto& [a, b] = copies_of_[index];
    return found != nullptr && copies_.is_unchanged(a, callbacks) && copies_.is_unchanged(b, callbacks) ? found
                                                                                                        : nullptr;
  }
  /// The arbiter of a collision; null where there is none yet, or no kernel has tested the candidate.
  [[nodiscard]] cpArbiter* arbiter(std::size_t index) const noexcept { return arbiters_[index]; }

 private:
  static constexpr std::size_t kLanesMax = 8;
  /// Pairs of one kernel whose first shapes have one type: the lanes then take the same branches. New pairs have queues
  /// of their own: they need more steps.
  struct Queue {
    std::array<PairTest, kLanesMax> tests;
    std::size_t count = 0;
  };

  static constexpr std::size_t kQueuesOfKernel = 2 * CP_NUM_SHAPES;

  // Queues a test; it may be done at once. \return whether a kernel tests such pairs.
  bool add(cpSpace* space, const cpBBTreeCandidate& candidate, std::size_t index, const CollisionKernels& kernels);
  void test_queued(const CollisionKernels& kernels);
  void find_arbiters(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count);

  std::array<std::array<Queue, kQueuesOfKernel>, kPairKindCount> queues_;
  std::array<bool, kCandidatesMax> is_rejected_;
  std::array<Collision, kCandidatesMax> collisions_;
  std::array<cpArbiter*, kCandidatesMax> arbiters_;
  std::array<std::uint32_t, kCandidatesMax> buckets_;  // of space->cachedArbiters, of tested candidates
  std::array<std::uint16_t, kCandidatesMax> touching_;
  std::size_t touching_count_ = 0;
  ShapeCopies copies_;
  std::array<std::array<std::uint32_t, 2>, kCandidatesMax> copies_of_;
};

}  // namespace forkmunk::chipmunk::fast
