// SPDX-License-Identifier: MIT
#pragma once

#include "scene.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lockstep_scene {

/// The bits of a number. A NaN's sign is left out: it depends on the order in which a compiler puts the operands.
inline std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
}

/// Appends the state of a space's bodies, contacts and joints, each in Chipmunk's order. \param may_sleep  whether a
/// body may have woken since contacts were solved.
void observe(const cpSpace* space, lockstep::Words& words, bool may_sleep = false);

}  // namespace lockstep_scene
