// SPDX-License-Identifier: MIT
#pragma once

#include "car_view.h"
#include "distance_field.h"

#include <array>
#include <string_view>

/// The terms of `combined` (combined.cpp has the formulas), for evaluators that add to them.
namespace forkmunk::planning {

inline constexpr std::array<std::string_view, 16> kCombinedTerms{
    "helpless_mine", "helpless_enemy", "nearness_mine", "nearness_enemy", "ram_mine",  "ram_enemy",
    "speed",         "speed_enemy",    "height",        "height_late",    "tilt_mine", "tilt_enemy",
    "room_mine",     "room_enemy",     "low_mine",      "low_enemy"};

/// Their values, between 0 and 1, in that order.
using CombinedValues = std::array<double, kCombinedTerms.size()>;

/// \param deadline  height of the deadline's body. \param tick  of the match.
[[nodiscard]] CombinedValues measure_combined(const Scene& scene, const DistanceField& field, double deadline,
                                              int tick) noexcept;

}  // namespace forkmunk::planning
