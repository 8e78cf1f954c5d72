// SPDX-License-Identifier: MIT
#pragma once

#include "car_view.h"

#include <array>

/// Terms of an attack as in the contest's fourth place, each between 0 and 1 (formulas: normalised.cpp).
namespace forkmunk::planning {

/// How far |angle| is from 70 to 180 deg.
[[nodiscard]] double tilted(const CarView& car) noexcept;
/// The same for a car that is close to the other one and calm: it lies on its back.
[[nodiscard]] double helpless(const CarView& car, const CarView& other) noexcept;
/// Position of the attacker's best point relative to the target's button.
[[nodiscard]] double nearness(const CarView& attacker, const CarView& target) noexcept;
/// Heading of the attacker relative to the target's button.
[[nodiscard]] double ram(const CarView& attacker, const CarView& target) noexcept;
/// Speed, with half the value when it is away from the other car.
[[nodiscard]] double speed_towards(const CarView& car, const CarView& other) noexcept;

/// helpless, nearness, ram, speed_towards, each one's own and then the enemy's; height and height_late.
using AttackValues = std::array<double, 10>;
[[nodiscard]] AttackValues measure_attack(const Scene& scene, int tick) noexcept;

}  // namespace forkmunk::planning
