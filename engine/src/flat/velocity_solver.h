#pragma once

#include "flat/contact_solver.h"

#include <array>
#include <span>

/// Velocities: gravity, joints and contacts. The worlds of a group are solved side by side, each as if it were alone.
FORKMUNK_KERNEL_BEGIN

/// A world while its velocities are solved.
struct SolvedWorld {
  const MatchModel* model;
  LiveState* state;
  SolverContact* contacts;
  std::size_t contact_count;
  std::array<double, 2> torques;  ///< On the cars' bodies.
};

void solve_velocities(const SolvedWorld& world) noexcept;

/// The same for all of `worlds`. \pre at least one, with motors on the same wheels: see solved_beside().
void solve_velocities(std::span<const SolvedWorld> worlds) noexcept;
[[nodiscard]] inline bool solved_beside(const MatchModel& a, const MatchModel& b) noexcept {
  return a.rear_motor == b.rear_motor && a.front_motor == b.front_motor;
}

FORKMUNK_KERNEL_END
