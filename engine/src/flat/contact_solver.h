#pragma once

#include "flat/lanes.h"
#include "flat/live_state.h"
#include "flat/narrow_phase.h"
#include "flat/wide_lanes.h"

/// Contacts as constraints, set up for the solver (contact_lanes.h).
namespace forkmunk::engine::flat {

inline constexpr std::uint8_t kStaticBody = kBodyCount;

/// One point of a contact in the solver.
struct SolverPoint {
  Vec r1, r2;           ///< From the bodies' centres of gravity.
  double normal_mass;   ///< Effective mass along n: 1 / (1/m1 + 1/m2 + (r1 x n)^2 / I1 + (r2 x n)^2 / I2).
  double tangent_mass;  ///< The same along the tangent.
  Lanes target;         ///< Target relative velocities along n: of separation; minus the bounce.
  Lanes normal;         ///< Accumulated impulses along n, both at least 0.
  double tangent;       ///< Accumulated friction.
};

/// A contact with forces in this step.
struct SolverContact {
  std::uint16_t contact;  ///< Its index in the state.
  std::uint8_t a, b;      ///< Bodies; a may be kStaticBody.
  std::uint8_t count;
  bool first;  ///< No impulses for a warm start.
  Vec normal;
  double friction;
  std::array<SolverPoint, 2> points;
};

}  // namespace forkmunk::engine::flat

FORKMUNK_KERNEL_BEGIN

/// Computes `contact`'s masses and targets from its bodies' positions. \param elasticity  of both shapes together.
/// \pre its points' r1, r2 and accumulated impulses are set.
void prepare(const MatchModel& model, const LiveState& state, SolverContact& contact, double elasticity) noexcept;

FORKMUNK_KERNEL_END
