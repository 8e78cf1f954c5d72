// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_STRICT_POW_H
#define FORKMUNK_STRICT_POW_H

/* Included after strict_names.h in the arena builds. A step computes the power of its time twice, and once more for
 * each joint, from the same numbers as the previous step. So the last results are kept; they have the same bits. */

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
