#pragma once

#include "fast/collision_kernel.h"
#include "fast/shape_copies.h"
#include "fast/stock_tree.h"

#include <array>
#include <cstddef>

namespace forkmunk::chipmunk::fast {

/// Whether two shapes have no collision, as QueryReject() in cpSpaceStep.c.
[[nodiscard]] bool is_left_out(const cpShape* a, const cpShape* b) noexcept;

/// The collision tests of candidates that follow each other, done in groups before the first of them calls back. A
/// callback may change shapes: where there are any, what the tests have read is kept, and compared after it.
class CollisionBatch {
 public:
  static constexpr std::size_t kCandidatesMax = 512;

  /// Tests the first of `count` candidates, one at least. \return how many.
  std::size_t test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                   const CollisionKernels* kernels);

  /// Whether cpSpaceCollideShapes() leaves the batch's candidate `index` out.
  [[nodiscard]] bool is_rejected(std::size_t index) const noexcept { return outcomes_[index] == Outcome::rejected; }
  /// Null where no kernel has tested the candidate.
  [[nodiscard]] const Collision* collision(std::size_t index) const noexcept {
    return outcomes_[index] == Outcome::tested && collisions_[index].is_known ? &collisions_[index] : nullptr;
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
  enum class Outcome : std::uint8_t { rejected, untested, tested };
  /// Pairs of one kernel whose first shapes have one type: the lanes then take the same branches. New pairs have queues
  /// of their own: they need more steps.
  struct Queue {
    std::array<PairTest, kLanesMax> tests;
    std::size_t count = 0;
  };

  static constexpr std::size_t kQueuesOfKernel = 2 * CP_NUM_SHAPES;

  void add(cpSpace* space, const cpBBTreeCandidate& candidate, std::size_t index, const CollisionKernels& kernels);
  void test_queued(const CollisionKernels& kernels);
  void find_arbiters(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count);

  std::array<std::array<Queue, kQueuesOfKernel>, kPairKindCount> queues_;
  std::array<Outcome, kCandidatesMax> outcomes_;
  std::array<Collision, kCandidatesMax> collisions_;
  std::array<cpArbiter*, kCandidatesMax> arbiters_;
  std::array<std::uint32_t, kCandidatesMax> buckets_;  // of space->cachedArbiters, of tested candidates
  ShapeCopies copies_;
  std::array<std::array<std::uint32_t, 2>, kCandidatesMax> copies_of_;
};

}  // namespace forkmunk::chipmunk::fast
