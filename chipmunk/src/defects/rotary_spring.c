// SPDX-License-Identifier: MIT
/* Chipmunk's own cpDampedRotarySpring.c, unchanged, and a spring whose torque is at most maxForce and whose impulse is
 * the change of the angular momentum. spring.c explains the macros. */
#include <forkmunk/chipmunk/defects.h>

#include <chipmunk/chipmunk_private.h>

static void applyImpulse(cpDampedRotarySpring* spring, cpFloat dt);

static cpFloat limited(const cpDampedRotarySpring* spring, cpFloat torque) {
  const cpFloat limit = spring->constraint.maxForce;
  return spring_is_limited(&spring->constraint) ? cpfclamp(torque, -limit, limit) : torque;
}

/* The call is the first factor of a product. */
#define springTorqueFunc(joint, angle) \
  springTorqueFunc(joint, angle);      \
  j_spring = limited(spring, j_spring)
#define applyImpulse(joint, dt) apply_impulse_of_stock(joint, dt)
#include <cpDampedRotarySpring.c>
#undef springTorqueFunc
#undef applyImpulse

static void applyImpulse(cpDampedRotarySpring* spring, cpFloat dt) {
  if (forkmunk_defects(spring->constraint.space) & FORKMUNK_DEFECT_SPRING_IMPULSES) {
    apply_impulse_of_stock(spring, dt);
    return;
  }
  cpBody *a = spring->constraint.a, *b = spring->constraint.b;
  const cpFloat speed = a->w - b->w;
  const cpFloat damped = (spring->target_wrn - speed) * spring->w_coef;
  spring->target_wrn = speed + damped;
  cpFloat j = damped * spring->iSum;
  if (spring_is_limited(&spring->constraint)) {
    const cpFloat limit = spring->constraint.maxForce * dt;
    j = spring->jAcc - cpfclamp(spring->jAcc - j, -limit, limit);
  }
  spring->jAcc -= j;
  a->w += j * a->i_inv;
  b->w -= j * b->i_inv;
}
