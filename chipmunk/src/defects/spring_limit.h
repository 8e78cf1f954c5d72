// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_SPRING_LIMIT_H
#define FORKMUNK_SPRING_LIMIT_H

#include <forkmunk/chipmunk/defects.h>

#include <math.h>

/// Returns whether the sum of a spring's impulses is clamped to maxForce. pymunk clamps the sum of a spring without a
/// limit, too, which rounds the impulse.
static inline cpBool spring_is_limited(const cpConstraint* spring) {
  const unsigned defects = forkmunk_defects(spring->space);
  if (defects & FORKMUNK_DEFECT_SPRING_LIMITS) return cpFalse;
  return spring->maxForce != INFINITY || (defects & FORKMUNK_DEFECT_PYMUNK_ROUNDING) != 0;
}

#endif
