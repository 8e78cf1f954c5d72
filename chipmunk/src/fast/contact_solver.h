#pragma once

#include "fast/groups.h"

FORKMUNK_FAST_BEGIN

void prestep(Solver& solver, const StepTimes& times) noexcept;
void load_contacts(Solver& solver) noexcept;
/// As cpArbiterApplyCachedImpulse() of all arbiters.
void apply_cached_contacts(Solver& solver, double dt_ratio) noexcept;
/// As cpArbiterApplyImpulse() of all arbiters.
void iterate_contacts(Solver& solver) noexcept;
void store_contacts(const Solver& solver) noexcept;
void store_prestep(const Solver& solver) noexcept;

/// As apply_impulses(): impulse j at r1 of a, backwards, and at r2 of b, on velocities x, y and w of a row.
template <Column x = kVx, Column y = kVy, Column w = kW>
FORKMUNK_INLINE void apply_impulse(BodyLanes& a, BodyLanes& b, Lanes r1x, Lanes r1y, Lanes r2x, Lanes r2y, Lanes jx,
                                   Lanes jy) noexcept {
  a.of[x] -= jx * a.of[kInverseMass];
  a.of[y] -= jy * a.of[kInverseMass];
  a.of[w] += a.of[kInverseMoment] * (r1y * jx - r1x * jy);
  b.of[x] += jx * b.of[kInverseMass];
  b.of[y] += jy * b.of[kInverseMass];
  b.of[w] += b.of[kInverseMoment] * (r2x * jy - r2y * jx);
}

/// Velocities `old` in the lanes that are not in `mask`.
FORKMUNK_INLINE void keep_others(Mask mask, const BodyLanes& old, BodyLanes& body) noexcept {
  for (const Column c : {kVx, kVy, kW, kBiasX, kBiasY, kBiasW}) body.of[c] = select(mask, body.of[c], old.of[c]);
}

FORKMUNK_FAST_END
