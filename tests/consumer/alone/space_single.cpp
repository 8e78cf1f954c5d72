// SPDX-License-Identifier: MIT
// The same with floats.
#include "space.cpp"

static_assert(sizeof(cpFloat) == sizeof(float));
