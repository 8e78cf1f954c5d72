// SPDX-License-Identifier: MIT
/* Collision tests with pymunk's rounding. */
#define FORKMUNK_PYMUNK_COLLISION
#include "fast/stock_collision.c"
