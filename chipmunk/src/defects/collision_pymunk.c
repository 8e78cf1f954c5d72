// SPDX-License-Identifier: MIT
/* Collision tests with pymunk's rounding. */
#define FORKMUNK_PYMUNK_COLLISION
#include "defects/collision.c"
