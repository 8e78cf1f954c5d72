// SPDX-License-Identifier: MIT
/* Chipmunk's own cpDampedSpring.c, unchanged, and a spring whose force is at most maxForce.
 *
 * Macros with parameters rename the two functions where they are defined, but not in Chipmunk's table of functions. */
#include <forkmunk/chipmunk/defects.h>

#include <chipmunk/chipmunk_private.h>

static void applyImpulse(cpDampedSpring* spring, cpFloat dt);

#define springForceFunc(joint, distance)      \
  springForceFunc(joint, distance);           \
  if (spring_is_limited(&spring->constraint)) \
  f_spring = cpfclamp(f_spring, -spring->constraint.maxForce, spring->constraint.maxForce)
#define applyImpulse(joint, dt) apply_impulse_without_limit(joint, dt)
#include <cpDampedSpring.c>
#undef springForceFunc
#undef applyImpulse

static void applyImpulse(cpDampedSpring* spring, cpFloat dt) {
  if (!spring_is_limited(&spring->constraint)) {
    apply_impulse_without_limit(spring, dt);
    return;
  }
  cpBody *a = spring->constraint.a, *b = spring->constraint.b;
  const cpFloat speed = normal_relative_velocity(a, b, spring->r1, spring->r2, spring->n);
  const cpFloat damped = (spring->target_vrn - speed) * spring->v_coef;
  spring->target_vrn = speed + damped;
  const cpFloat limit = spring->constraint.maxForce * dt;
  const cpFloat j = cpfclamp(spring->jAcc + damped * spring->nMass, -limit, limit) - spring->jAcc;
  spring->jAcc += j;
  apply_impulses(a, b, spring->r1, spring->r2, cpvmult(spring->n, j));
}
