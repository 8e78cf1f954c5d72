// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_STRICT_NAMES_H
#define FORKMUNK_STRICT_NAMES_H

/* Included before every file of a strict build of Chipmunk. Maps the C library's mathematics to strict_math, whose bits
 * are the same from every library, compiler and processor. The functions that every library computes exactly (sqrt,
 * fmod, floor, ceil) stay the C library's. Nothing here calls atan2 or acos. */

#include <forkmunk/strict_math/c_names.h>

#include <math.h>

/* Other names than the C library's, because the compiler would fold constants by its own mathematics. */
#define sin forkmunk_strict_sin
#define cos forkmunk_strict_cos
#define exp forkmunk_strict_exp
#define pow forkmunk_strict_pow

/* Chipmunk computes cosine and sine one after the other. Computed together, they cost half as much. */
#define cpvforangle forkmunk_unused_cpvforangle
#include <chipmunk/chipmunk_types.h>
#include <chipmunk/cpVect.h>
#undef cpvforangle

static inline cpVect cpvforangle(const cpFloat a) {
  cpVect direction;
  forkmunk_strict_sincos(a, &direction.y, &direction.x);
  return direction;
}

#endif
