// SPDX-License-Identifier: MIT
#include "space.cpp"

static_assert(sizeof(cpFloat) == sizeof(float));
