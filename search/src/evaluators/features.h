#pragma once

#include "evaluators/combined.h"

#include <cstddef>
#include <span>

/// Features of a state for the value network: numbers of similar magnitude, symmetric in the players. Everything is
/// seen from the own side, as if it were the left one: x runs from the own half to the enemy's.
namespace forkmunk::search {

/// Features of the state.
inline constexpr std::size_t kFeatureCount = 72;
/// Features of the map; constant during a match.
inline constexpr std::size_t kMapFeatureCount = 9;

/// Writes kFeatureCount numbers, most of them between -2 and 2.
///
/// For each car, the own one first: position, heading, velocity, rate, wheels, room around it, terms of an attack. Then
/// the deadline, and both cars compared.   Cost: 0.25 us, most of it for queries of the field and the hulls.
/// \param deadline  height of the deadline's body. \param tick  of the match. \param combined  measure_combined() of
/// the state, to avoid computing it twice.
void measure_features(const Scene& scene, engine::Player side, const DistanceField& field, double deadline, int tick,
                      const CombinedValues& combined, std::span<float, kFeatureCount> features) noexcept;

/// Room at nine points of the own half.
void measure_map(const DistanceField& field, engine::Player side, std::span<float, kMapFeatureCount> features) noexcept;

}  // namespace forkmunk::search
