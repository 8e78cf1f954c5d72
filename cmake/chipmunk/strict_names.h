// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_STRICT_NAMES_H
#define FORKMUNK_STRICT_NAMES_H

/* Included before every file of a strict build of Chipmunk: the C library's mathematics under the names of strict_math,
 * whose bits are the same from every library, compiler and processor. The C library keeps what every one of them
 * computes exactly (sqrt, fmod, floor, ceil); nothing here calls its atan2 and acos. */

#include <forkmunk/strict_math/c_names.h>

#include <math.h>

/* Not those of the compiler's own knowledge: it would fold constants by its own mathematics. */
#define sin forkmunk_strict_sin
#define cos forkmunk_strict_cos
#define exp forkmunk_strict_exp
#define pow forkmunk_strict_pow

/* Chipmunk asks for cosine and sine one after the other; together they cost half as much. */
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
