// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_STRICT_NAMES_H
#define FORKMUNK_STRICT_NAMES_H

/* Comes before every file of a strict build of Chipmunk. Maps the C library's mathematics to strict_math, except for
 * functions that every library computes exactly. */

#include <forkmunk/strict_math/c_names.h>

#include <math.h>

/* Other names than the C library's, because the compiler would fold constants by its own mathematics. */
#define sin forkmunk_strict_sin
#define cos forkmunk_strict_cos
#define exp forkmunk_strict_exp
#define pow forkmunk_strict_pow

/* The results of doubles are rounded: the C library's functions for floats have other bits on each machine, and cost
 * no less. */
#define sinf(x) ((float)forkmunk_strict_sin(x))
#define cosf(x) ((float)forkmunk_strict_cos(x))
#define expf(x) ((float)forkmunk_strict_exp(x))
#define powf(base, exponent) ((float)pow(base, exponent))

/* Computed together, cosine and sine cost half as much. */
#define cpvforangle forkmunk_unused_cpvforangle
#include <chipmunk/chipmunk_types.h>
#include <chipmunk/cpVect.h>
#undef cpvforangle

static inline cpVect cpvforangle(const cpFloat a) {
  double sine, cosine;
  forkmunk_strict_sincos(a, &sine, &cosine);
  cpVect direction = {(cpFloat)cosine, (cpFloat)sine};
  return direction;
}

/* Keeps the last two results, because a step asks for the same powers for each joint, and the next step again. */
#ifdef FORKMUNK_KEEP_POWERS

#include <stdint.h>
#include <string.h>

struct forkmunk_power {
  uint64_t base, exponent;
  double power;
};

static inline double forkmunk_pow_again(double base, double exponent) {
  static __thread struct forkmunk_power known[2] = {{0, 0, 1}, {0, 0, 1}}; /* 0 to the 0 is 1 */
  struct forkmunk_power asked;
  memcpy(&asked.base, &base, sizeof base);
  memcpy(&asked.exponent, &exponent, sizeof exponent);
  if (known[0].base == asked.base && known[0].exponent == asked.exponent) return known[0].power;
  if (known[1].base == asked.base && known[1].exponent == asked.exponent) return known[1].power;
  asked.power = forkmunk_strict_pow(base, exponent);
  known[1] = known[0];
  known[0] = asked;
  return asked.power;
}

#undef pow
#define pow forkmunk_pow_again

#endif

#endif
