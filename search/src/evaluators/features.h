#pragma once

#include "evaluators/combined.h"

#include <cstddef>
#include <span>

/// A state in numbers of about the same size, as a learned function wants it: the same for both players, seen from
/// one's own side. Maps are seen as if one stood on the left: x runs from one's own half to the enemy's.
namespace forkmunk::search {

/// What changes with the state.
inline constexpr std::size_t kFeatureCount = 72;
/// What the map is like; constant during a match.
inline constexpr std::size_t kMapFeatureCount = 9;

/// Writes kFeatureCount numbers, most of them between -2 and 2.
///
/// Of each car, one's own first: place, heading, velocity, rate, wheels, room around it, what it has of an attack. Then
/// the deadline, and both in comparison.   Cost: 0.25 us, most of it for looks at the field and at the hulls.
/// \param deadline  height of the deadline's body. \param tick  of the match. \param combined  the state's
/// measure_combined(), which is not done again.
void measure_features(const Scene& scene, engine::Player side, const DistanceField& field, double deadline, int tick,
                      const CombinedValues& combined, std::span<float, kFeatureCount> features) noexcept;

/// Room at nine places of one's own half.
void measure_map(const DistanceField& field, engine::Player side, std::span<float, kMapFeatureCount> features) noexcept;

}  // namespace forkmunk::search
