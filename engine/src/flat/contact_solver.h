#pragma once

#include "flat/lanes.h"
#include "flat/live_state.h"
#include "flat/narrow_phase.h"
#include "flat/wide_lanes.h"

/// Contacts as constraints: what is known of them before they are solved (contact_lanes.h).
namespace forkmunk::engine::flat {

inline constexpr std::uint8_t kStaticBody = kBodyCount;

/// One point of a contact in the solver.
struct SolverPoint {
  Vec r1, r2;           ///< From the bodies' centres of gravity.
  double normal_mass;   ///< 1 / (1/m1 + 1/m2 + (r1 x n)^2 / I1 + (r2 x n)^2 / I2), which an impulse along n meets.
  double tangent_mass;  ///< The same along the tangent.
  Lanes target;         ///< The relative velocities along n that are aimed at: off each other; minus the bounce.
  Lanes normal;         ///< Accumulated impulses along n, both at least 0.
  double tangent;       ///< Accumulated friction.
};

/// A contact that pushes in this step.
struct SolverContact {
  std::uint16_t contact;  ///< Its index in the state.
  std::uint8_t a, b;      ///< Bodies; a may be kStaticBody.
  std::uint8_t count;
  bool first;  ///< It has no impulses to begin with.
  Vec normal;
  double friction;
  std::array<SolverPoint, 2> points;
};

}  // namespace forkmunk::engine::flat

FORKMUNK_KERNEL_BEGIN

/// Sets up `contact`'s masses and targets from where its bodies are. \param elasticity  of both shapes together.
/// \pre its points' r1, r2 and accumulated impulses are set.
void prepare(const MatchModel& model, const LiveState& state, SolverContact& contact, double elasticity) noexcept;

FORKMUNK_KERNEL_END
