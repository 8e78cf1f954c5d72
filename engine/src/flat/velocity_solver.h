#pragma once

#include "flat/solved_world.h"

#include <span>

/// Velocities: gravity, joints and contacts. The worlds of a group are solved in SIMD lanes, independently.
FORKMUNK_KERNEL_BEGIN

void solve_velocities(const SolvedWorld& world) noexcept;

/// The same for all of `worlds`. \pre at least one, with motors on the same wheels: see can_solve_together().
void solve_velocities(std::span<const SolvedWorld> worlds) noexcept;
[[nodiscard]] inline bool can_solve_together(const MatchModel& a, const MatchModel& b) noexcept {
  return a.rear_motor == b.rear_motor && a.front_motor == b.front_motor;
}

FORKMUNK_KERNEL_END
