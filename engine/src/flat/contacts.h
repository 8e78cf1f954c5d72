#pragma once

#include "flat/contact_solver.h"
#include "flat/placed_shapes.h"

/// Contacts over time: what touches now, what did a tick or two ago, and whom it kills.
FORKMUNK_KERNEL_BEGIN

/// Tests pairs of shapes and keeps the state's contacts; those that push are collected for the solver.
class ContactFinder {
 public:
  /// \param found  room for model.solid_pair_count_max().
  ContactFinder(const MatchModel& model, LiveState& state, const PlacedShapes& shapes, SolverContact* found) noexcept
      : model_(model),
        state_(state),
        shapes_(shapes),
        boxes_{shapes.boxes.data(), model.segment_boxes.data()},
        found_(found),
        found_count_max_(model.solid_pair_count_max()) {}

  /// Tests two shapes, numbered as in Pair::other. \return the id with which their next test begins.
  /// \pre their boxes meet.
  std::uint32_t test(std::size_t a, std::size_t b, std::uint32_t id) noexcept;

  [[nodiscard]] bool meet(std::size_t shape, const Box& box) const noexcept {
    // Without a branch: what a pair is with is hard to foretell.
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
  const PlacedShapes& shapes_;
  std::array<const Box*, 2> boxes_;  // of what moves, and of segments
  SolverContact* found_;
  std::size_t found_count_ = 0;
  [[maybe_unused]] std::size_t found_count_max_;
};

/// After solving: keeps the impulses of the contacts that were `found`.
void store_impulses(const SolverContact* found, std::size_t count, LiveState& state) noexcept;

/// After a step: forgets what has not touched for kContactPersistence ticks.
void forget_old_contacts(LiveState& state) noexcept;

inline constexpr std::uint32_t kContactPersistence = 3;

FORKMUNK_KERNEL_END
