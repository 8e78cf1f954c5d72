// SPDX-License-Identifier: MIT
#pragma once

#include "flat/live_state.h"
#include "flat/narrow_phase.h"
#include "flat/vector.h"

#include <array>
#include <cstddef>
#include <span>

/// Each world of a group is solved in its own SIMD lanes.
namespace forkmunk::engine::flat {

inline constexpr std::uint8_t kStaticBody = kBodyCount;

struct SolverPoint {
  Vec r1, r2;  ///< Relative to the bodies' centres of gravity.
  /// The effective mass along n: 1 / (1/m1 + 1/m2 + (r1 x n)^2 / I1 + (r2 x n)^2 / I2).
  double normal_mass;
  double tangent_mass;
  /// Relative velocities along n: the bias velocity that separates the bodies, and minus the bounce.
  Lanes target;
  Lanes normal;    ///< The accumulated impulses along n, both at least 0.
  double tangent;  ///< The accumulated friction.
};

struct SolverContact {
  std::uint16_t contact;
  std::uint8_t a, b;  ///< a may be kStaticBody.
  std::uint8_t count;
  bool first;  ///< There are no impulses for a warm start.
  Vec normal;
  double friction;
  std::array<SolverPoint, 2> points;
};

struct SolvedWorld {
  const MatchModel* model;
  LiveState* state;
  SolverContact* contacts;
  std::size_t contact_count;
  std::array<double, 2> torques;
};

}  // namespace forkmunk::engine::flat

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

/// Computes masses and targets from the bodies' positions. \param elasticity  of both shapes together. \pre the points'
/// r1, r2 and accumulated impulses are set.
void prepare(const MatchModel& model, const LiveState& state, SolverContact& contact, double elasticity) noexcept;

void solve_velocities(const SolvedWorld& world) noexcept;

/// \pre at least one world, with motors on the same wheels: see can_solve_together().
void solve_velocities(std::span<const SolvedWorld> worlds) noexcept;
[[nodiscard]] inline bool can_solve_together(const MatchModel& a, const MatchModel& b) noexcept {
  return a.rear_motor == b.rear_motor && a.front_motor == b.front_motor;
}

FORKMUNK_KERNEL_END
