// SPDX-License-Identifier: MIT
#pragma once

#include "flat/narrow_phase.h"
#include "flat/velocity_solver.h"

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

/// Tests pairs of shapes, updates the state's contacts, and collects those with forces.
class ContactFinder {
 public:
  /// \param found  room for model.solid_pair_count_max() contacts.
  ContactFinder(const MatchModel& model, LiveState& state, const WorldShapes& shapes, SolverContact* found) noexcept
      : model_(model),
        state_(state),
        shapes_(shapes),
        boxes_{shapes.boxes.data(), model.segment_boxes.data()},
        found_(found),
        found_count_max_(model.solid_pair_count_max()) {}

  /// Shapes are numbered as in Pair::other. \return the id with which their next test starts. \pre their boxes
  /// intersect.
  std::uint32_t test(std::size_t a, std::size_t b, std::uint32_t id) noexcept;

  [[nodiscard]] bool meet(std::size_t shape, const Box& box) const noexcept {
    // Branchless, because the choice is unpredictable.
    const std::size_t fixed = shape < kMovingShapeCount ? 0 : 1;
    return intersect(boxes_[fixed][shape - kMovingShapeCount * fixed], box);
  }

  [[nodiscard]] std::size_t found_count() const noexcept { return found_count_; }

 private:
  void touch(std::size_t a, std::size_t b, const Manifold& manifold) noexcept;
  void collect(Contact& contact, std::size_t a, std::size_t b, const Manifold& manifold) noexcept;
  Contact& contact_of(std::uint32_t key) noexcept;

  const MatchModel& model_;
  LiveState& state_;
  const WorldShapes& shapes_;
  std::array<const Box*, 2> boxes_;  // of moving shapes, and of segments
  SolverContact* found_;
  std::size_t found_count_ = 0;
  [[maybe_unused]] std::size_t found_count_max_;
};

void store_impulses(const SolverContact* found, std::size_t count, LiveState& state) noexcept;

/// Removes contacts that have not touched for kContactPersistence ticks. Called after a step.
void forget_old_contacts(LiveState& state) noexcept;

inline constexpr std::uint32_t kContactPersistence = 3;

FORKMUNK_KERNEL_END
