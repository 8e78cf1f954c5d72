// SPDX-License-Identifier: MIT
#pragma once

#include "car_view.h"
#include "distance_field.h"

#include <array>
#include <string_view>

/// The terms of `combined` and of `attack`, for evaluators that add to them. combined.cpp and normalised.cpp have the
/// formulas.
namespace forkmunk::planning {

inline constexpr std::array<std::string_view, 16> kCombinedTerms{
    "helpless_mine", "helpless_enemy", "nearness_mine", "nearness_enemy", "ram_mine",  "ram_enemy",
    "speed",         "speed_enemy",    "height",        "height_late",    "tilt_mine", "tilt_enemy",
    "room_mine",     "room_enemy",     "low_mine",      "low_enemy"};

/// The values of kCombinedTerms, between 0 and 1, in this order.
using CombinedValues = std::array<double, kCombinedTerms.size()>;

/// Returns the values of the terms. \param deadline  the height of the deadline's body. \param tick  the match's tick.
[[nodiscard]] CombinedValues measure_combined(const Scene& scene, const DistanceField& field, double deadline,
                                              int tick) noexcept;

// The terms of an attack, as in the contest's fourth place. Each is between 0 and 1.

/// Returns how far |angle| is from 70 to 180 deg.
[[nodiscard]] double tilted(const CarView& car) noexcept;
/// Returns the tilt of a car that is close to the other car and calm, because it lies on its back.
[[nodiscard]] double helpless(const CarView& car, const CarView& other) noexcept;
/// Returns how near the attacker's best point is to the target's button.
[[nodiscard]] double nearness(const CarView& attacker, const CarView& target) noexcept;
/// Returns how directly the attacker heads for the target's button.
[[nodiscard]] double ram(const CarView& attacker, const CarView& target) noexcept;
/// Returns the speed. It counts half if the car moves away from the other car.
[[nodiscard]] double speed_towards(const CarView& car, const CarView& other) noexcept;

/// The values of helpless, nearness, ram and speed_towards, each for the own car and then for the enemy's, followed by
/// height and height_late.
using AttackValues = std::array<double, 10>;
[[nodiscard]] AttackValues measure_attack(const Scene& scene, int tick) noexcept;

}  // namespace forkmunk::planning
