// SPDX-License-Identifier: MIT
#pragma once

#include "scene.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lockstep_scene {

/// Returns the bits without a NaN's sign, which depends on a compiler's order of operands.
inline std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
}

/// Appends bodies, contacts and joints in Chipmunk's order. \param may_sleep  a body may have woken after the solver.
void observe(const cpSpace* space, lockstep::Words& words, bool may_sleep = false);

}  // namespace lockstep_scene
