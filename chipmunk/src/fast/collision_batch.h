#pragma once

#include "fast/collision_kernel.h"
#include "fast/stock_tree.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace forkmunk::chipmunk::fast {

/// Whether two shapes have no collision, as QueryReject() in cpSpaceStep.c.
[[nodiscard]] bool is_left_out(const cpShape* a, const cpShape* b) noexcept;

/// Reads a candidate's shapes ahead in a loop over `count`.
void prefetch_ahead(const cpBBTreeCandidate* candidates, std::size_t i, std::size_t count) noexcept;

/// Writes those of `count` candidates to `to` that are not left out, and their indices to `positions` unless it is
/// null. `to` may be `candidates`. \return how many there are.
std::size_t leave_out(const cpBBTreeCandidate* candidates, std::size_t count, cpBBTreeCandidate* to,
                      std::uint16_t* positions) noexcept;

/// The collision tests of candidates that follow each other, done in groups before the first of them calls back.
class CollisionBatch {
 public:
  static constexpr std::size_t kCandidatesMax = 512;

  /// Tests the first of `count` candidates. \pre leave_out(). \return how many.
  /// \param calls_back  whether callbacks may turn bodies before the results are used: segments with neighbours, whose
  /// tests read that, are left to cpCollide() then.
  std::size_t test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                   const CollisionKernels* kernels, bool calls_back);

  /// The candidates that collide or that no kernel has tested: `touching_count()` indices, in order.
  [[nodiscard]] const std::uint16_t* touching() const noexcept { return touching_.data(); }
  [[nodiscard]] std::size_t touching_count() const noexcept { return touching_count_; }

  /// Null where no kernel has tested the candidate.
  [[nodiscard]] const Collision* collision(std::size_t index) const noexcept {
    return collisions_[index].is_known ? &collisions_[index] : nullptr;
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

  // Queues a test where a kernel tests such pairs; it may be done at once.
  void add(cpSpace* space, const cpBBTreeCandidate& candidate, std::size_t index, const CollisionKernels& kernels);
  void test_queued(const CollisionKernels& kernels);
  void find_arbiters(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count);

  std::array<std::array<Queue, kQueuesOfKernel>, kPairKindCount> queues_;
  std::array<Collision, kCandidatesMax> collisions_;
  std::array<cpArbiter*, kCandidatesMax> arbiters_;
  std::array<std::uint32_t, kCandidatesMax> buckets_;  // of space->cachedArbiters, of tested candidates
  std::array<std::uint16_t, kCandidatesMax> touching_;
  std::size_t touching_count_ = 0;
};

}  // namespace forkmunk::chipmunk::fast
