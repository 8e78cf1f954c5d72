#pragma once

#include "flat/lanes.h"
#include "flat/narrow_phase.h"
#include "flat/state.h"

/// Contacts as constraints: sequential impulses with accumulated clamping (Catto 2006), as Chipmunk solves them.
namespace forkmunk::engine::flat {

/// A body's motion while the solver runs. Lane 0 is the velocity that pushes penetrations apart, lane 1 the velocity.
struct Motion {
  Lanes x, y, w;
};
using Motions = std::array<Motion, kBodyCount>;

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
  std::uint8_t a, b;      ///< Bodies; one of them may be kStaticBody.
  std::uint8_t count;
  bool first;  ///< It has no impulses to begin with.
  Vec normal;
  double friction;
  std::array<SolverPoint, 2> points;
};

/// Sets up `contact`'s masses and targets from where its bodies are. \param elasticity  of both shapes together.
/// \pre its points' r1, r2 and accumulated impulses are set.
void prepare(const MatchModel& model, const LiveState& state, SolverContact& contact, double elasticity) noexcept;

/// Applies the impulses that were accumulated until the last step.
void apply_cached(const MatchModel& model, const SolverContact& contact, Motions& motions) noexcept;

/// One iteration on one contact.
void solve(const MatchModel& model, SolverContact& contact, Motions& motions) noexcept;

}  // namespace forkmunk::engine::flat
