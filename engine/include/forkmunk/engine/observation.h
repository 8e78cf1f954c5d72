// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>

#include <cstddef>
#include <span>

namespace forkmunk::engine {

/// The size of a bot's observation, both cars as the referee sends them:
///
///   0-8    the first car:  x, y, angle; rear wheel's x, y, angle; front wheel's x, y, angle
///   9-17   the second car, in the same order
///   18     deadline_y
///
/// Numbers are in map units and radians, as in BodyState. All are NaN once the world is non-finite.
inline constexpr std::size_t kObservationSize = 19;

/// The size of an observation that also has the velocities, which a bot has to infer:
///
///   19-27  the first car:  velocity x, y, angular velocity; the same of its rear and its front wheel
///   28-36  the second car, in the same order
///
/// Velocities are in map units and radians per second.
inline constexpr std::size_t kFullObservationSize = kObservationSize + 18;

/// \throws Error without a match.
void observe(const World& world, std::span<double, kObservationSize> row);
/// \throws Error without a match.
void observe_fully(const World& world, std::span<double, kFullObservationSize> row);

}  // namespace forkmunk::engine
